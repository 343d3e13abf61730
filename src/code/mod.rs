//! Blueprints as code: pseudo-code, listings and JSON of their functions, searched and compared.
//!
//! ```text
//! package ─► Scope ─► functions, classes ─┬► pseudo-code ─┬► a document for each package
//!                                         ├► listing ─────┤
//!                                         └► JSON ────────┘
//! two builds ─► functions of the same path ─► those with other pseudo-code
//! ```
//!
//! Functions need no mappings; defaults in the heads of classes do, in packages without tags.

mod compare;
mod document;
mod listing;
mod search;
mod write;

pub(crate) use document::pseudocode;

pub use compare::{CodeChange, FunctionChange, code_differences};
pub use document::{CodeForm, FunctionNames};
pub use listing::{ListingDocument, ListingDocumentError};
pub use search::{CodeHit, CodeHits, CodeQuery, find_code};
pub use write::{CodeOptions, CodeRead, PackageCode, each_code, write_code};
