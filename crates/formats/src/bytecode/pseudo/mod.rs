//! Pseudo-code: what a function does, for people who know blueprints.
//!
//! ```text
//! event ReceiveBeginPlay() {  // ExecuteUbergraph_BP_Test @0069
//!   Create_ReturnValue = WidgetBlueprintLibrary::Create(this, WBP_Hello_C, null)
//!   Create_ReturnValue.AddToViewport(0)
//! }
//! ```
//!
//! A function goes through these stages: flow (a graph without a flow stack), structure (statements inside one another), tidying
//! (values where they are used, loops in their usual forms), text.

mod calls;
mod code;
mod dominators;
mod flow;
mod frame;
mod header;
mod lines;
mod loops;
mod lower;
mod operators;
mod prepared;
mod structure;
mod tidy;
mod unit;
mod words;

pub use unit::{Decompiler, Pseudocode};
