//! Pseudo-code: what a function does, for people who know blueprints.
//!
//! ```text
//! event SC_Reload() {  // ExecuteUbergraph_Zombie @09AA, multicast, event
//!   UpdateUsingRifle()
//!   if (UsingRifle.CurrMag < UsingRifle.MaxMag) {
//!     Reloading = true
//!     PlayAnimMontage(@RifleMontage, 1.0, 'Reload')
//!     await Delay(this, 2.5)
//!     …
//!   }
//! }
//! ```
//!
//! A function goes through these stages: flow (a graph without a flow stack), structure (statements inside one another), tidying
//! (values where they are used, loops in their usual forms), text. What goes on beside a call that takes time stands after
//! `parallel`.

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
