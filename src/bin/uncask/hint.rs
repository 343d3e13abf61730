//! What to do about an error. The library knows no flags: this is the one place that knows errors and flags.

use uncask::error::{Bound, Error, ShaderGroupProblem};

/// What to do about an error, if a flag helps.
pub(crate) const fn of(error: &Error) -> Option<&'static str> {
    match error {
        Error::MissingKey { .. } => Some("--aes-key gives the key"),
        Error::WrongKey { .. } => Some("--aes-key may be repeated: all keys are tried"),
        Error::Limit { bound: Bound::Memory, .. } => Some("--memory raises the limit, such as --memory 1G"),
        Error::Limit { bound: Bound::Output, .. } => Some("--max-output raises the limit"),
        Error::ShaderGroup { problem: ShaderGroupProblem::Read(source), .. } => of(source),
        _ => None,
    }
}

/// The same for the error that ends the run, whatever was added to it on its way.
pub(crate) fn of_chain(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| cause.downcast_ref::<Error>().and_then(of))
}
