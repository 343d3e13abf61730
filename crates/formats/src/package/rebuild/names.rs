//! Names to be added.

use super::error::RebuildError;
use crate::wire::MAX_NAME_LEN;

/// Fails on the first name that is longer than the engine allows.
pub(super) fn check(names: &[String]) -> Result<(), RebuildError> {
    let len = |name: &String| name.encode_utf16().count();
    match names.iter().map(len).find(|len| *len > MAX_NAME_LEN) {
        Some(found) => Err(RebuildError::NameTooLong { found, limit: MAX_NAME_LEN }),
        None => Ok(()),
    }
}
