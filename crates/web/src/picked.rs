//! Files that somebody picked in the page.

use std::io;
use uncask::source::ReadAt;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Up to here, every integer is a number of a script.
const MAX_SAFE: u64 = 1 << 53;

#[wasm_bindgen]
extern "C" {
    /// Fills all of `into` from `offset` of a file on, or throws the reason why it cannot.
    #[wasm_bindgen(js_name = readInto, catch)]
    fn read_into(file: u32, offset: f64, into: &mut [u8]) -> Result<(), JsValue>;
}

/// A file that somebody picked, by its number.
#[derive(Debug)]
pub(crate) struct Picked {
    number: u32,
    len: u64,
}

impl Picked {
    /// A file of a length as scripts have it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "lengths of files are whole numbers"
    )]
    pub(crate) fn new(number: u32, len: f64) -> Self {
        Self { number, len: len as u64 }
    }
}

impl ReadAt for Picked {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(bytes.len() as u64);
        if end.is_none_or(|end| end > self.len.min(MAX_SAFE)) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if bytes.is_empty() {
            return Ok(());
        }
        #[expect(clippy::cast_precision_loss, reason = "the end is below 2^53")]
        let offset = offset as f64;
        read_into(self.number, offset, bytes).map_err(|reason| {
            let reason = reason.as_string();
            io::Error::other(reason.unwrap_or_else(|| "the browser cannot read the file".to_owned()))
        })
    }
}
