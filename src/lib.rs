//! Opens Unreal Engine game files: IoStore containers (`.utoc` and `.ucas`, UE 4.25 to 6.0) and `.pak` files. Lists,
//! verifies, unpacks, converts, inspects, compares and packs them.
//!
//! # Use
//!
//! Open a game, look around, unpack what you want:
//!
//! ```no_run
//! let game = uncask::Game::open("testdata/demo")?;
//! for chunk in game.chunks() {
//!     println!("{:>9} {}", chunk.len(), chunk.display_path());
//! }
//! let map = game.package("/Game/Maps/Start")?;
//! let outcome = game.matching(["*.umap"])?.unpack("out")?;
//! # Ok::<(), uncask::GameError>(())
//! ```
//!
//! Look at values; most games since UE 4.25 need mappings for that:
//!
//! ```no_run
//! let game = uncask::GameOptions::default().mappings("MyGame.usmap").open("MyGame")?;
//! let objects = game.objects("/Game/Items/DA_Sword")?;
//! let damage: Option<f32> = objects.find("DA_Sword").and_then(|sword| sword.get("Damage"));
//! # Ok::<(), uncask::GameError>(())
//! ```
//!
//! [`Game`] has examples that run. It blocks, and needs no runtime. Everything that the command does is a method of it or of
//! [`GameOptions`]. Below it are a [`store`] of containers, a [`pipeline`] that decodes chunks on all cores in bounded memory, and
//! jobs ([`extract`], [`pack`], [`compare`]) that run on any runtime and write into any [`sink`].
//!
//! # Architecture
//!
//! The modules form floors. A module uses only floors below its own; tests read this table and hold the code to it. Floors 0 to 7
//! are a crate of their own, `uncask-formats`, in which there is no I/O; they are re-exported here.
//!
//! | floor | module | what it knows |
//! |---|---|---|
//! | 0 | [`wire`] | bytes to numbers, strings and tables, and back |
//! | 1 | [`version`] | what each version of a format has; the only place where versions are compared |
//! | 2 | [`id`] | chunk ids, package ids, container ids, GUIDs, hashes |
//! | 3 | [`codec`] | decoding and encoding of single blocks; Oodle by a crate of its own, `uncask-oodle` |
//! | 3 | [`crypto`] | keys, and AES over single blocks |
//! | 3 | [`names`] | name tables, names by index, and paths of objects |
//! | 4 | [`asset_registry`] | `AssetRegistry.bin`: assets with their tags, packages with their dependencies |
//! | 4 | [`container`] | the table of contents, directory index, perfect hash, container header, script objects, shader libraries |
//! | 4 | [`image`] | the pixel formats of textures |
//! | 4 | [`localization`], [`mappings`] | texts of a game (`.locres`, `.locmeta`); the properties of its classes (`.usmap`) |
//! | 4 | [`package`] | package headers: zen, legacy, classic; zen to legacy, and back |
//! | 4 | [`pak`] | the index of `.pak` files, and their files cut into blocks |
//! | 5 | [`property`] | property data: values of objects, and back |
//! | 6 | [`asset`] | payloads of classes: textures, sounds, meshes, animations |
//! | 6 | [`bytecode`] | functions of blueprints: tokens, listing, pseudo-code, and back |
//! | 6 | [`graph`] | graphs of the editor: nodes, pins and links |
//! | 7 | [`level`] | the components of a map, and what a scene shows of them |
//! | 7 | [`review`] | a package as text for review |
//! | 7 | [`identify`] | the format of a file and its content: every format in one table |
//! | 8 | [`merge`] | two changed versions of an asset as one |
//! | 8 | [`objection`] | reasons why a game would reject a mod |
//! | 9 | [`error`] | what went wrong and where |
//! | 10 | [`report`] | events for observers |
//! | 10 | [`source`] | where stored bytes come from |
//! | 10 | [`table`] | the tables of contents of containers and paks, as one |
//! | 11 | [`sink`] | where files go |
//! | 12 | [`job`] | the engine: threads, memory, the token that ends a job, and work in order |
//! | 13 | [`pipeline`] | chunk indices in, verified chunk bytes out |
//! | 14 | [`release`] | which engine release wrote a game, or cooked packages that do not say so |
//! | 14 | [`store`] | many containers as one, in mount order; the packages in them and what these refer to |
//! | 15 | [`compare`] | what changed between builds, where the bytes are, who overrides whom |
//! | 15 | [`extract`], [`pack`] | whole jobs: choose, verify, unpack, rebuild; make and check containers |
//! | 16 | [`texts`] | texts in all languages as one table, and back |
//! | 16 | [`values`] | what is in the objects of packages: as JSON, searched, compared, changed |
//! | 17 | [`code`] | functions of blueprints as code, searched and compared |
//! | 17 | [`project`] | the packages of a project: what they need, and their sizes |
//! | 17 | [`replace`] | pictures that textures get |
//! | 17 | [`scene`] | levels with all that they take from other packages, and worlds of levels |
//! | 18 | [`export`] | assets and levels as files that people open |
//! | 18 | [`reviews`] | packages as text for review, and compared |
//! | 18 | [`lint`] | rules for the assets of a project, and what breaks them |
//! | 18 | [`changes`] | mods as changes: where several do not go together |
//! | 19 | [`game`] | the only door: programs open games and run jobs through it |
//! | 20 | [`browse`] | a game as a page in a browser, on this machine |
//! | 21 | `uncask` (the binary) | arguments, progress, printing, exit codes; `bench` |
//!
//! Four ideas carry the design:
//!
//! 1. **Slices in, values out.** What understands a format is a pure function from bytes. It does no I/O, and
//!    allocates nothing by a length it has not checked.
//! 2. **Plan, then do.** A [`pipeline::Plan`] checks every index, size and offset once; later stages hold proven facts.
//! 3. **Memory is a ticket.** Nothing is read before its bytes are paid for out of a [`job::Budget`]. The ticket
//!    travels with the buffer and comes back when the buffer is dropped; back-pressure needs nothing else.
//! 4. **One of each.** One engine ([`job`]) runs the work, one [`job::CancelToken`] ends it, one [`job::Outcome`] tells how it
//!    went, one function ([`sink::put`]) writes a file, and one door ([`game`]) leads to all of it: the command line, the page, the
//!    Python package and the examples use nothing below it.
//!
//! # Invariants
//!
//! - Floors 0 to 7 have no `async`, no file access, no clock and no output.
//! - Versions are compared in [`version`] and nowhere else.
//! - Only the binary prints, and only in its printer.
//! - No value from a file is used as an index, a length or an offset before it was checked; no input makes the library
//!   panic, or allocate more than a small multiple of what it was given.
//! - A file appears under its final name whole, or not at all; no path leads out of the output folder.
//! - One bad chunk or container never ends a job: it is reported, and the rest goes on.
//!
//! # Deliberately absent
//!
//! Network access, unless the feature `remote` is on and an address is given, or [`browse`] is asked to listen on this machine;
//! memory-mapped files (a file that shrinks
//! while mapped kills the process); global state; a cache on disk. Encryption keys appear in no error, event or `Debug`
//! output, nor do the credentials of servers.
//!
//! # Words
//!
//! | word | Unreal's name | meaning |
//! |---|---|---|
//! | container | `FIoStore…` | a `.utoc` and its `.ucas` files; where both are meant, also a `.pak` |
//! | chunk | `FIoChunkId` | the unit that the engine asks for: a package, bulk data, a shader library, … |
//! | compression block | `FIoStoreTocCompressedBlockEntry` | the unit that is compressed: 64 KiB of a chunk, as a rule |
//! | partition | | one of several `.ucas` files: `NAME.ucas`, `NAME_s1.ucas`, … |
//! | directory index | `FIoDirectoryIndexResource` | the paths of the chunks |
//! | mount point | | what those paths are relative to |
//! | container header | `FIoContainerHeader` | a chunk that lists the packages of its container |
//! | zen package | `FZenPackageSummary` | a package as containers hold it |
//! | script object | `FScriptObjectEntry` | a native class, function, …, that packages refer to by a hash |
//! | batch, piece | | the pipeline's unit of work, and the share of one chunk in it |

pub use uncask_formats::{
    asset, asset_registry, bytecode, codec, container, crypto, graph, id, identify, image, level,
    localization, mappings, merge, names, package, pak, property, review, version, wire,
};

pub mod objection;

pub mod error;

pub mod report;
pub mod source;
pub mod table;

pub mod sink;

pub mod job;
pub mod pipeline;

pub mod release;
pub mod store;

pub mod compare;
pub mod extract;
pub mod pack;

pub mod texts;
pub mod values;

pub mod code;
pub mod project;
pub mod replace;
pub mod scene;

pub mod changes;
pub mod export;
pub mod lint;
pub mod reviews;

pub mod game;

#[cfg(feature = "page")]
pub mod browse;

pub use game::{Game, GameError, GameOptions};
