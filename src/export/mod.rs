//! Assets as files that people open.
//!
//! ```text
//! package ──► objects ──► asset::read ──► a writer for each kind ──► Sink
//!             (values)    (payloads)      texture: PNG, EXR, DDS, raw
//!                                         sound: WAV, Ogg, raw
//!                                         mesh, skeleton, animation: glTF
//!                                         font: TrueType, OpenType
//!                                         sound cue: JSON
//!                                         uncooked texture or sound: what it was made from
//!                                         Wwise: as it is
//! ```
//!
//! Each package is a task of its own on a worker, once its memory is paid for, with its bulk data. Packages without anything
//! that can be exported are counted by class; what should have been exported and was not is a failure with its reason.
//!
//! A gallery needs no files: it shows the numbers of each asset, and textures as small pictures.
//!
//! A new kind of asset: one module with a writer, and one arm in `job`.

mod cue;
mod files;
mod font;
mod gallery;
mod job;
mod loose_media;
mod materials;
mod media;
mod model;
mod options;
mod other;
mod outcome;
mod sound;
mod source;
mod source_data;
mod texture;
mod wanted;
mod wwise;

pub use gallery::{GalleryAsset, THUMBNAIL_SIDE, gallery};
pub use job::export;
pub use loose_media::LooseMedia;
pub use media::{copy_media, media_files};
pub use options::{CubeForm, ExportForm, ExportOptions, Forms, Levels};
pub use outcome::{Exported, ExportedAssets, Left, WrittenFile};
