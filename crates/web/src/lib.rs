//! The engine of the page that needs no server: `uncask` for a worker in a browser.
//!
//! ```text
//! page ──ask(address, body)──► worker ──► Engine ──► uncask::browse::Desk
//!                                ▲          │ readInto(file, offset, bytes): FileReaderSync over File.slice
//!                                └──────────┘ takePart(bytes): files to save, part by part
//! ```
//!
//! It only works where a script defines `readInto` and `takePart`: in `page/worker.js`.

mod picked;

use picked::Picked;
use std::path::PathBuf;
use std::sync::Arc;
use uncask::browse::Desk;
use uncask::source::{Files, ReadAt};
use wasm_bindgen::prelude::wasm_bindgen;

/// Memory for data in flight, in bytes: a sixteenth of what a page can have.
const MEMORY: u64 = 256 << 20;

#[wasm_bindgen]
extern "C" {
    /// Takes part of a file that is going to be saved.
    #[wasm_bindgen(js_name = takePart)]
    fn take_part(bytes: &[u8]);
}

/// Answers what the page asks.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine {
    desk: Desk,
}

/// An answer.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Reply(uncask::browse::Answer);

#[wasm_bindgen]
impl Engine {
    /// An engine without files.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "scripts have no defaults")]
    #[must_use]
    pub fn new() -> Self {
        Self { desk: Desk::new(MEMORY) }
    }

    /// Gives it files: their paths and lengths. A script knows them by numbers from `first` on.
    pub fn give(&mut self, first: u32, paths: Vec<String>, lens: Vec<f64>) {
        let files = (first..).zip(paths.into_iter().zip(lens));
        self.desk.give(Files::given(files.map(|(number, (path, len))| {
            let file: Arc<dyn ReadAt> = Arc::new(Picked::new(number, len));
            (PathBuf::from(path), file)
        })));
    }

    /// Answers a question, with a body if something is sent with it.
    #[must_use]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the bindings have no references to what may be missing"
    )]
    pub fn ask(&mut self, address: &str, body: Option<String>) -> Reply {
        Reply(self.desk.ask(address, body.as_deref().map(str::as_bytes), Parts))
    }
}

#[wasm_bindgen]
impl Reply {
    /// The status that HTTP has for it.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// The type of its bytes.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn kind(&self) -> String {
        self.0.kind.to_owned()
    }

    /// The name to save them under, if they are a file to save.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.0.name.clone()
    }

    /// The bytes. Those of a long file were given to `takePart` instead.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.0.bytes.to_vec()
    }
}

/// Hands the parts of a file to the page.
struct Parts;

impl std::io::Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        take_part(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
