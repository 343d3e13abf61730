//! Objects as JSON: in the form that FModel writes and scripts know, and in a form that keeps everything.

mod class;
mod flags;
mod fmodel;
mod reference;
mod shown;
mod structs;
mod texts;
mod tree;
mod values;

pub use fmodel::FModel;
pub use tree::Tree;
