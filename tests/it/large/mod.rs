//! Budgets on large containers, and many runs in a row: small by default; for minutes, and with many GiB of disk, by
//!
//! ```text
//! UNCASK_LARGE=1 cargo test --release --test it large -- --test-threads 1
//! ```

/// True if the tests run at full size.
fn is_full_size() -> bool {
    std::env::var_os("UNCASK_LARGE").is_some()
}

mod budget;
mod soak;
