//! Decodes two blocks through the feature `oodle-sdk` and prints what came of them.
//!
//! `tests/oodle_sdk.rs` builds and runs it against a stand-in library that knows these blocks: two header bytes, then
//! every byte XOR 0x5A.
#![expect(clippy::print_stdout, reason = "the output is what the test looks at")]

use uncask_formats::codec::{Method, Scratch, decode};

fn main() {
    let mut block = vec![0x8C, 0x06];
    block.extend(b"uncask".map(|byte| byte ^ 0x5A));
    for len in [6, 7] {
        let mut bytes = vec![0; len];
        match decode(Method::Oodle, &block, &mut bytes, &mut Scratch::default()) {
            Ok(()) => println!("{len}: {}", String::from_utf8_lossy(&bytes)),
            Err(error) => println!("{len}: {error}"),
        }
    }
}
