//! Levels: the components of a map, and all that a scene shows of them.
//!
//! ```text
//! World ─► PersistentLevel ─► Actors ─► components: every export whose outer is an actor
//! component       own properties ─► those of its template ─► of the template's template ─► native defaults
//! transform       of the component ─► of the component it is attached to ─► … ─► of the level in the world
//! ```
//!
//! A cooked component stores only what differs from its template, which is often in another package, so each property is
//! looked up on its own: [`Values::inherit`]. Reading other packages is the business of the caller.
//!
//! Verified on cooked maps of 5.1, 5.3, 5.4 and 5.8. Source: the geometry sheet, drawn from real files.

mod camera;
mod contents;
mod fields;
mod instances;
mod kind;
pub mod landscape;
mod light;
mod link;
mod streaming;
mod values;

pub use camera::Camera;
pub use contents::{Actor, Component, LevelContents, Template};
pub use instances::Instances;
pub use kind::ComponentKind;
pub use light::{Light, LightKind};
pub use link::Link;
pub use streaming::{Streamed, StreamedKind};
pub use values::{
    CameraValues, DecalValues, LandscapeValues, LightValues, MeshValues, PlaceValues, Values,
    VisibilityValues,
};
