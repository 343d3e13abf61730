//! The packages of a project: which there are, what they need, and how large they are.
//!
//! ```text
//! selection ─► packages that these import ─► what those import … ─► sizes of all
//!              maps: the actors in files of their own, too
//! ```

mod packages;
mod sizes;

pub use packages::ProjectPackages;
pub use sizes::{PackageSize, SizesRead, package_sizes};
