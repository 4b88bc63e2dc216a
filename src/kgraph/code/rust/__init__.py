"""Rust: crates by Cargo.toml, modules by ``mod`` from each crate's root file; calls by paths, impls and the types of values."""
