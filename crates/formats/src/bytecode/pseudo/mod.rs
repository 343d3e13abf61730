//! Pseudo-code of functions, for people who know blueprints.
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
//! A function goes through these stages: flow (a graph without a flow stack), structure (nested statements),
//! tidying (values moved to their use, loops in familiar forms), text. Statements that run in parallel to a
//! latent call follow `parallel`.

mod calls;
mod class;
mod code;
mod dominators;
mod flow;
mod frame;
mod header;
mod lines;
mod links;
mod loops;
mod lower;
mod operators;
mod prepared;
mod structure;
mod tidy;
mod unit;
mod words;

pub use links::CodeLink;
pub use unit::{Decompiler, Pseudocode};
pub use words::identifier;
