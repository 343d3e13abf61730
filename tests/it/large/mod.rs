//! What takes minutes and many GiB of disk, and so runs only when it is asked for:
//!
//! ```text
//! cargo test --release --test it large -- --ignored --test-threads 1
//! ```

mod budget;
mod soak;
