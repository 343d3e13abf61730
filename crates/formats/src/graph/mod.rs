//! Graphs of the editor: nodes, their pins and the links between these.
//!
//! ```text
//! Blueprint ── EventGraph ── K2Node_Event_0 ── pins: then ───────► execute
//!          │             └── K2Node_CallFunction_3 ── pins: ──────┘ InString = "Hello"
//!          └── UserConstructionScript ── K2Node_FunctionEntry_0 …
//! ```
//!
//! Pins are data of their nodes (4.14 and later) or objects (before); both are read into the same types. Everything is in terms
//! of exports of one package, so a link that leads elsewhere has no pin. Only packages that the editor saved have graphs.
//!
//! Verified on packages of 4.10 to 5.8. Source: the sheet on uncooked packages, sections 1 and 2.

mod facts;
mod labels;
mod member;
mod order;
mod pin_type;
mod pins;
mod read;
mod title;

pub use facts::{Graph, GraphKind, Link, Node, Parameter, Pin};
pub use labels::{Labels, NodeKey};
pub use order::in_order;
pub use read::graphs_of;

pub(crate) use labels::number_titles;
pub(crate) use member::{field, field_text, last_name, object_of, short_class};
pub(crate) use pin_type::pin_type_text;
pub(crate) use title::is_of_title;
