//! Runs `uncask` and makes its output the same on every machine.

use crate::support::cli::unescaped;
pub(crate) use crate::support::corpus::{find as corpus, with as corpus_with};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A run that has ended.
pub(crate) struct Ran {
    pub(super) code: i32,
    pub(super) out: String,
    pub(super) err: String,
}

/// Runs `uncask` with some arguments.
pub(crate) fn uncask<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_uncask"))
        .args(args)
        .env_remove("UNCASK_AES_KEY")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let ran = Ran {
        code: output.status.code().unwrap(),
        out: unescaped(text(output.stdout)),
        err: text(output.stderr),
    };
    // A panic on a worker is exit code 1 like any other failure.
    assert!(!ran.err.contains("panicked at"), "{}", ran.err);
    ran
}

impl Ran {
    /// The run, if it went well.
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.err);
        self
    }

    /// Everything for a snapshot, with a folder's path replaced.
    pub(super) fn shown(&self, folder: &Path) -> String {
        let folder = folder.to_string_lossy();
        format!("exit {}\n{}---\n{}", self.code, self.out, self.err)
            // As JSON has the separators of Windows, and as they are.
            .replace(r"\\", "/")
            .replace('\\', "/")
            .replace(&*folder.replace('\\', "/"), "FOLDER")
    }

    /// Its output as JSON.
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.err))
    }
}

/// The first lines of a text.
pub(super) fn head(text: &str, lines: usize) -> String {
    text.lines().take(lines).collect::<Vec<_>>().join("\n")
}

/// A container of the 5.8 fixture, and the global container beside it.
pub(super) fn fixture(corpus: &Path, mode: &str) -> [String; 2] {
    let folder = corpus.join("iostore/ue5.8").join(mode);
    [folder.join("Uncompressed"), folder.join("global.utoc")].map(|path| path.to_str().unwrap().to_owned())
}

/// A cook with its global container in one folder.
pub(crate) fn whole_game(corpus: &Path, cook: &str, folder: &Path) -> String {
    let to = folder.join(cook);
    std::fs::create_dir_all(&to).unwrap();
    let [content, global] = fixture(corpus, cook).map(std::path::PathBuf::from);
    let files = std::fs::read_dir(content).unwrap().map(|entry| entry.unwrap().path());
    for path in files.chain([global.clone(), global.with_extension("ucas")]) {
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
    to.to_str().unwrap().to_owned()
}
