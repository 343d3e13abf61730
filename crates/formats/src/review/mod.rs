//! A package as text for review: what a diff of two versions shows a person.
//!
//! ```text
//! Blueprint BP_Door                        the asset: parent, interfaces, variables
//!   parent = /Script/Engine.Actor
//!   var IsOpen: bool
//!
//! components                               a tree, each with its own values
//!   Root: SceneComponent
//!
//! event graph EventGraph                   nodes in the order of execution
//!   Event Actor.ReceiveBeginPlay
//!     then -> CallFunction Open            ─► execution
//!   CallFunction Open
//!     Speed: real:double = 2.5             = a value, <- a linked input
//! ```
//!
//! The text of a package depends on nothing but its contents. It holds no index that shifts when something is added, refers to
//! objects by path, and is in an order of its own, so that saving an asset again changes nothing in it. Data that the editor keeps for itself (positions,
//! GUIDs, caches, thumbnails, compiled classes) is left out unless all of it is asked for.
//!
//! Source of what is noise: versions of real assets that differ in nothing else. See the sheet on uncooked packages, section 6.

mod blueprint;
mod components;
mod context;
mod document;
mod expressions;
mod graphs;
mod inputs;
mod lines;
pub(crate) mod noise;
mod objects;
mod section;
mod values;

pub use context::ReviewOptions;
pub use document::Review;
pub use lines::Line;
pub use section::{ReviewSection, SectionKind};
