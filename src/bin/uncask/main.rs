//! The `uncask` command.
fn main() {}
