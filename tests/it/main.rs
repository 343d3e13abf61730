//! The integration tests: what the crate promises, seen from outside.
//!
//! | module | proves |
//! |---|---|
//! | `corpus` | real containers come out as an independent reader says |
//! | `corpus_manifest` | the public files of the corpus are those that a fresh clone can fetch |
//! | `loose` | texts and type mappings are read as they were written |
//! | `overwrite` | files that are there already stay or are replaced, and are counted as what they are |
//! | `pack` | what is packed comes back, for every version, method and encryption |
//! | `package` | package headers of every generation read, write and resolve as they should |
//! | `pak` | the index of real `.pak` files leads to every file |
//! | `robustness` | hostile files, faults and kills cost only what they damage, and are reported |
//! | `shaders` | shader libraries are read, laid out and rebuilt as the engine has them |
//! | `pipeline` | which reads happen, and that no schedule changes a byte |
//! | `registry` | asset registries of every version read as they were written |
//! | `remote` | containers on servers: how few requests, and that no bad answer becomes data |
//! | `spelled` | a container of the newest version, spelled out byte by byte, opens |
//! | `unpack` | what lies on disk afterwards: whole files or none, and none elsewhere |
//! | `commands` | the commands about packages, and the packages of a store |
//! | `coverage` | every byte of a table of contents is accounted for |
//! | `graphs` | pseudo-code says what the graphs say from which a blueprint was compiled |
//! | `game` | the front door opens, reads and writes what the rest does |
//! | `scenes` | components of levels stand where an independent reader found them |
//! | `export` | textures come out as what they were made of |
//! | `examples` | what `examples/` shows works |
//! | `browse` | the page is served to who has its address, and to nobody else |
//! | `cli` | what people see: output, messages, exit codes |
//! | `large` | budgets, whatever the size; many runs in a row: small, or large when asked for |
//! | `peak_memory` | `--memory` is kept, by a process of its own |
//! | `layering` | floors import downwards only |
//! | `circles` | files do not use each other in circles |
//! | `security` | `SECURITY.md` lists every `unsafe` |
//!
//! Modules are declared under a plain `cfg(test)` so that Clippy sees their helpers as test code, too.

#[cfg(test)]
#[cfg(all(feature = "browse", feature = "cli"))]
mod browse;
#[cfg(test)]
mod circles;
#[cfg(test)]
#[cfg(feature = "cli")]
mod cli;
#[cfg(test)]
#[cfg(feature = "cli")]
mod commands;
#[cfg(test)]
#[cfg(feature = "cli")]
mod corpus;
#[cfg(test)]
mod corpus_manifest;
#[cfg(test)]
mod coverage;
#[cfg(test)]
#[cfg(feature = "cli")]
mod demo;
#[cfg(test)]
mod examples;
#[cfg(test)]
#[cfg(feature = "cli")]
mod export;
#[cfg(test)]
#[cfg(feature = "cli")]
mod game;
#[cfg(test)]
mod graphs;
#[cfg(test)]
#[cfg(all(feature = "cli", target_os = "linux"))]
mod large;
#[cfg(test)]
mod layering;
#[cfg(test)]
mod loose;
#[cfg(test)]
mod made_levels;
#[cfg(test)]
#[cfg(feature = "cli")]
mod overwrite;
#[cfg(test)]
mod pack;
#[cfg(test)]
mod package;
#[cfg(test)]
mod pak;
#[cfg(test)]
#[cfg(all(feature = "cli", target_os = "linux"))]
mod peak_memory;
#[cfg(test)]
mod pipeline;
#[cfg(test)]
mod registry;
#[cfg(test)]
#[cfg(all(feature = "cli", feature = "remote"))]
mod remote;
#[cfg(test)]
mod robustness;
#[cfg(test)]
mod scenes;
#[cfg(test)]
mod security;
#[cfg(test)]
mod shaders;
#[cfg(test)]
mod spelled;
#[cfg(test)]
mod support;
#[cfg(test)]
mod unpack;
