//! Calls into a decoder that panics on some malformed streams.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is inside a decoder whose panics are caught and become errors.
///
/// Catching a panic does not keep the process's panic hook from printing it, and a library must not change that
/// hook. A program that wants silence sets its own:
///
/// ```
/// let print = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     if !uncask::codec::oodle::in_guarded_call() {
///         print(panic);
///     }
/// }));
/// ```
#[must_use]
pub fn in_guarded_call() -> bool {
    GUARDED.get()
}

/// Runs `call`; a panic in it gives `None`. What it was working on must be given up then.
#[cfg_attr(feature = "oodle-sdk", expect(dead_code, reason = "the vendor's library does not panic"))]
pub(super) fn guarded<T>(call: impl FnOnce() -> T) -> Option<T> {
    GUARDED.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    GUARDED.set(false);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guard_is_up_during_the_call_only() {
        assert_eq!(guarded(in_guarded_call), Some(true));
        assert!(!in_guarded_call());
        assert_eq!(guarded(|| -> () { panic!("caught") }), None);
        assert!(!in_guarded_call());
    }
}
