//! Packages as text for review, and what changed between two versions of it.
//!
//! ```text
//! package ─► Scope ─► objects ─┬► sections (formats::review) ─┬► a text for each package
//!                              └► pseudo-code, where cooked ──┘
//! two versions ─► nodes matched by id ─► texts that differ
//! ```

mod compare;
mod make;
mod write;

pub use compare::{ReviewChange, ReviewComparison, review_differences};
pub use write::{PackageReview, ReviewRead, ReviewSettings, each_review, write_reviews};

pub use uncask_formats::review::{Line, Review, ReviewOptions, ReviewSection, SectionKind};
