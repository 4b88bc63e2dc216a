// Bundles src/ into src/kgraph/views/assets/ and stamps it with the hash of what it was made from; a test compares the two.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "..", "src", "kgraph", "views", "assets");
mkdirSync(assets, { recursive: true });

const made = await build({
  absWorkingDir: here,
  entryPoints: [join(here, "src", "main.ts")],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome103", "firefox115", "safari16.4"],
  charset: "ascii",
  legalComments: "none",
  write: false,
});
const style = await build({
  absWorkingDir: here,
  entryPoints: [join(here, "src", "explorer.css")],
  bundle: true,
  minify: true,
  target: ["chrome103", "firefox115", "safari16.4"],
  write: false,
});
const script = made.outputFiles[0].text;
const sheet = style.outputFiles[0].text;
for (const [name, text] of [["script", script], ["style", sheet]]) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`the ${name} holds a sequence that would end its own tag`);
}
writeFileSync(join(assets, "explorer.js"), script);
writeFileSync(join(assets, "explorer.css"), sheet);
writeFileSync(join(assets, "explorer.html"), readFileSync(join(here, "src", "explorer.html")));

await served();

const sources = readdirSync(join(here, "src"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  .map((one) => join(one.parentPath ?? one.path, one.name).slice(here.length + 1)).sort();
const hash = createHash("sha256");
for (const name of [...sources, "build.mjs", "package.json", "package-lock.json"]) {
  hash.update(name.replaceAll("\\", "/") + "\0");
  hash.update(readFileSync(join(here, name)));
  hash.update("\0");
}
const digest = (text) => createHash("sha256").update(text).digest("hex");
const stamp = { source: hash.digest("hex"), script: digest(script), style: digest(sheet) };
writeFileSync(join(assets, "explorer.stamp.json"), JSON.stringify(stamp, null, 1) + "\n");
console.log(`explorer.js ${script.length} bytes, explorer.css ${sheet.length} bytes`);

// The page of kgraph serve: the same language and the same parts, as files that the server hands out.
async function served() {
  const into = join(here, "..", "src", "kgraph", "web", "assets");
  mkdirSync(into, { recursive: true });
  for (const [entry, name] of [["main.ts", "serve.js"], ["serve.css", "serve.css"]]) {
    const bundle = await build({
      absWorkingDir: here,
      entryPoints: [join(here, "src", "serve", entry)],
      bundle: true,
      minify: true,
      format: "iife",
      target: ["chrome103", "firefox115", "safari16.4"],
      charset: "ascii",
      legalComments: "none",
      write: false,
    });
    writeFileSync(join(into, name), bundle.outputFiles[0].text);
  }
  for (const name of ["serve.html", "api.html"]) writeFileSync(join(into, name), readFileSync(join(here, "src", "serve", name)));
}
