//! What to do about an error. The library knows no flags: this is the one place that knows errors and flags.

use uncask::error::{Bound, Error, ShaderGroupProblem};

/// What to do about an error, if a flag helps.
pub(crate) const fn of(error: &Error) -> Option<&'static str> {
    match error {
        Error::MissingKey { .. } => Some("give the key with --aes-key"),
        Error::WrongKey { .. } => Some("--aes-key may be repeated: all keys are tried"),
        Error::Limit { bound: Bound::Memory, .. } => {
            Some("raise the limit with --memory, such as --memory 1G")
        }
        Error::Limit { bound: Bound::Output, .. } => Some("raise the limit with --max-output"),
        Error::ShaderGroup { problem: ShaderGroupProblem::Read(source), .. } => of(source),
        _ => None,
    }
}

/// What to do about the error that ends the run, whatever context was added to it.
pub(crate) fn of_chain(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| cause.downcast_ref::<Error>().and_then(of))
}
