"""What Cargo, Maven and Gradle files say is built, and which versions of external packages manifests and locks give."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import Said, say


def _quotes(said: Said) -> dict[str, tuple[str, str]]:
    """Artifact → its run, and the words that say so."""
    found = {}
    for payload in said.payloads.values():
        names = {node.get("id", node["name"]): node["name"] for node in payload["nodes"]}
        for edge in payload["edges"]:
            if edge["predicate"] == "PRODUCED":
                found[names[edge["target"]]] = (names[edge["source"]], edge["quote"])
    return found


def _versions(said: Said) -> dict[str, str]:
    return {name: node["version"] for name, node in said.nodes("Artifact").items()}


def test_cargo_makes_the_programs_and_the_library_that_the_manifest_or_its_folders_name(
    tmp_path: Path,
) -> None:
    pytest.importorskip("tree_sitter_rust")
    files = {
        "Cargo.toml": '[workspace.package]\nversion = "0.3.0"\n[package]\nname = "my-shop"\nversion.workspace = true\n\n'
        '[lib]\nname = "till"\n\n[[bin]]\nname = "ctl"\npath = "src/ctl.rs"\n',
        "src/lib.rs": "",
        "src/main.rs": "fn main() {}\n",
        "src/ctl.rs": "mod more;\nfn main() {}\n",
        "src/more.rs": "",
        "src/bin/extra.rs": "fn main() {}\n",
    }
    said = say(tmp_path, files)
    assert _versions(said) == {
        "ctl (bin)": "0.3.0",
        "my-shop (bin)": "0.3.0",
        "extra (bin)": "0.3.0",
        "till (lib)": "0.3.0",
    }
    assert _quotes(said)["ctl (bin)"] == ("cargo build", 'name = "ctl"')
    assert _quotes(said)["till (lib)"] == ("cargo build", 'name = "till"')
    assert said.unresolved == []
    assert "ctl::more" in said.nodes("Entity")


def test_cargo_makes_nothing_without_a_version(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_rust")
    assert (
        _versions(say(tmp_path, {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""})) == {}
    )


def test_a_build_script_makes_what_it_names_below_out_dir(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_rust")
    script = (
        'fn main() {\n    let out = std::env::var("OUT_DIR").unwrap();\n    let to = std::path::Path::new(&out).join("made.rs");\n'
        '    let from = root.join("schema.json");\n}\n'
    )
    said = say(
        tmp_path, {"Cargo.toml": '[package]\nname = "a"\nversion = "1.0.0"\n', "build.rs": script}
    )
    assert _versions(said) == {"OUT_DIR/made.rs": "1.0.0"}
    assert _quotes(said) == {"OUT_DIR/made.rs": ("build.rs", '.join("made.rs")')}


POM = (
    "<project>\n  <parent><artifactId>up</artifactId><version>2.0</version></parent>\n  <!-- <artifactId>no</artifactId> -->\n"
    "  <artifactId>cart</artifactId>\n{more}</project>\n"
)


def test_maven_makes_a_jar_of_the_artifact_and_its_version(tmp_path: Path) -> None:
    said = say(tmp_path / "a", {"pom.xml": POM.format(more="")})
    assert _versions(said) == {"target/cart-2.0.jar": "2.0"}
    assert _quotes(said) == {
        "target/cart-2.0.jar": ("mvn package", "<artifactId>cart</artifactId>")
    }
    named = "  <packaging>war</packaging>\n  <build><finalName>${project.artifactId}-web</finalName></build>\n"
    assert _versions(say(tmp_path / "b", {"m/pom.xml": POM.format(more=named)})) == {
        "m/target/cart-web.war": "2.0"
    }
    assert (
        _versions(
            say(tmp_path / "c", {"pom.xml": POM.format(more="  <packaging>pom</packaging>\n")})
        )
        == {}
    )
    unknown = "  <build><finalName>${not.here}</finalName></build>\n"
    assert _versions(say(tmp_path / "d", {"pom.xml": POM.format(more=unknown)})) == {}


def test_maven_plugins_make_the_sources_that_they_are_told_to(tmp_path: Path) -> None:
    plugin = (
        "<build><plugins><plugin><artifactId>proto-plugin</artifactId><executions><execution><goals><goal>compile</goal></goals>"
        "</execution></executions><configuration><outputDirectory>${project.build.directory}/generated-sources/p</outputDirectory>"
        "</configuration></plugin></plugins></build>"
    )
    quotes = _quotes(say(tmp_path, {"pom.xml": POM.format(more=plugin)}))
    assert quotes["target/generated-sources/p"] == ("proto-plugin:compile", "<goal>compile</goal>")


def test_gradle_makes_a_jar_and_what_its_tasks_name(tmp_path: Path) -> None:
    script = (
        "plugins {\n    id 'java'\n}\nversion = '1.4'\ntasks.register('gen') {\n    outputs.dir(\"$buildDir/generated/gen\")\n}\n"
        'task unsure {\n    into "$somewhere/x"\n}\n'
    )
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "settings.gradle").write_text("rootProject.name = 'till'\n")
    said = say(tmp_path / "a", {"build.gradle": script})
    assert _quotes(said) == {
        "build/libs/till-1.4.jar": ("gradle build", "id 'java'"),
        "build/generated/gen": ("gradle gen", "tasks.register('gen'"),
    }
    kotlin = 'plugins {\n    `java-library`\n}\nversion = "2"\ntasks.jar {\n    archiveFileName.set("x.jar")\n}\n'
    assert _versions(say(tmp_path / "b", {"build.gradle.kts": kotlin})) == {"build/libs/x.jar": "2"}
    assert _versions(say(tmp_path / "c", {"build.gradle": "plugins { }\nversion = '1'\n"})) == {}


def _version_of(said: Said, name: str) -> str:
    return str(said.nodes("Entity")[name]["attrs"].get("version", ""))


def test_go_mod_requires_and_replaces_and_excludes_nothing_by_chance(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_go")
    mod = (
        'module e.com/m\nrequire x.org/a v1.0.0 // indirect\nrequire (\n\tx.org/b v1.1.0\n\t"x.org/c" v1.2.0\n)\n'
        "exclude (\n\tx.org/b v9.9.9\n)\nreplace x.org/c v1.2.0 => x.org/fork v3.0.0\n"
    )
    said = say(
        tmp_path,
        {
            "go.mod": mod,
            "a.go": 'package m\n\nimport (\n\t"x.org/a"\n\t"x.org/b/in"\n\t"x.org/c"\n)\n',
        },
    )
    assert [_version_of(said, f"x.org/{name}") for name in "abc"] == ["v1.0.0", "v1.1.0", "v3.0.0"]


def test_of_two_versions_in_a_cargo_lock_a_package_has_the_one_it_names(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_rust")
    lock = (
        '[[package]]\nname = "r"\nversion = "0.1.0"\ndependencies = ["syn 2.0.1", "log"]\n[[package]]\nname = "syn"\nversion = "1.0.9"\n'
        '[[package]]\nname = "syn"\nversion = "2.0.1"\n[[package]]\nname = "log"\nversion = "0.4.2"\n'
    )
    (tmp_path / "Cargo.lock").write_text(lock)
    manifest = '[package]\nname = "r"\n[dependencies]\nsyn = "2"\nlog = "0.4"\n'
    said = say(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": "use syn::X;\nuse log::Y;\n"})
    assert (_version_of(said, "syn"), _version_of(said, "log")) == ("2.0.1", "0.4.2")


@pytest.mark.parametrize(
    ("name", "files"),
    [
        (
            "managed by the file itself",
            {
                "pom.xml": "<project><dependencyManagement><dependencies><dependency><groupId>o.x</groupId><artifactId>x</artifactId>"
                "<version>5</version></dependency></dependencies></dependencyManagement><dependencies><dependency><groupId>o.x</groupId>"
                "<artifactId>x</artifactId></dependency></dependencies></project>"
            },
        ),
        (
            "managed above, with a property",
            {
                "../pom.xml": "<project><properties><v>5</v></properties><dependencyManagement><dependencies><dependency><groupId>o.x"
                "</groupId><artifactId>x</artifactId><version>${v}</version></dependency></dependencies></dependencyManagement></project>",
                "pom.xml": "<project><dependencies><dependency><groupId>o.x</groupId><artifactId>x</artifactId></dependency></dependencies></project>",
            },
        ),
        (
            "a Gradle lock",
            {
                "build.gradle": "implementation 'o.x:x:4+'\n",
                "gradle.lockfile": "o.x:x:5=compileClasspath\n",
            },
        ),
        (
            "a Gradle catalog",
            {
                "build.gradle.kts": "implementation(libs.x)\n",
                "gradle/libs.versions.toml": '[versions]\nv = "5"\n[libraries]\nx = { module = "o.x:x", version.ref = "v" }\n',
            },
        ),
    ],
)
def test_versions_of_maven_artifacts(name: str, files: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_java")
    del name
    for path, text in files.items():
        place = tmp_path / "m" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    said = say(tmp_path, {"m/src/A.java": "import o.x.Y;\nclass A {}\n"})
    assert _version_of(said, "o.x") == "5"
