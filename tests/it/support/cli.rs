//! Runs the built `uncask`, and makes what it says comparable.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::time::Duration;

/// Folders that lie in one another, in paths of snapshots.
const DEEPEST: usize = 8;

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Run {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

/// The command in an environment of its own: no keys, no colours, no terminal.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uncask"));
    command.env_clear().stdin(Stdio::null());
    for kept in ["SystemRoot", "TMPDIR", "TEMP"] {
        if let Some(value) = std::env::var_os(kept) {
            command.env(kept, value);
        }
    }
    command
}

/// Runs the command to its end.
pub(crate) fn uncask<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    run(command().args(args))
}

/// Runs a prepared command to its end.
pub(crate) fn run(command: &mut Command) -> Run {
    Run::of(&command.output().expect("uncask runs"))
}

/// Runs a prepared command, which has to end within some time.
#[cfg(unix)]
pub(crate) fn run_within(limit: Duration, command: &mut Command) -> Run {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("uncask runs");
    let (id, (send, receive)) = (child.id(), std::sync::mpsc::channel());
    std::thread::spawn(move || send.send(child.wait_with_output()));
    let Ok(output) = receive.recv_timeout(limit) else {
        let _ = Command::new("kill").arg("-KILL").arg(id.to_string()).status();
        panic!("it does not end within {limit:?}: {command:?}");
    };
    Run::of(&output.expect("uncask runs"))
}

impl Run {
    /// Takes the result from an output.
    pub(crate) fn of(output: &Output) -> Self {
        let run = Self {
            code: output.status.code().expect("an exit code"),
            stdout: unescaped(String::from_utf8(output.stdout.clone()).expect("stdout is UTF-8")),
            stderr: String::from_utf8(output.stderr.clone()).expect("stderr is UTF-8"),
        };
        // A panic on a worker is exit code 1 like any other failure.
        assert!(!run.stderr.contains("panicked at"), "{}", run.stderr);
        run
    }

    /// Everything that a user sees.
    pub(crate) fn shown(&self) -> String {
        let mut text = format!("exit {}\n", self.code);
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text = text + "--- " + name + "\n" + stream;
            }
        }
        text
    }

    /// Fails the test unless the run ended with this code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}", self.shown());
        self
    }
}

/// JSON as other systems print it: where stdout is no console, that of Windows is ASCII.
pub(crate) fn unescaped(text: String) -> String {
    if !cfg!(windows) || !text.contains(r"\u") {
        return text;
    }
    // Only what no system escapes: letters, digits, some signs, and what lies beyond the first plane, such as emoji.
    let plain =
        |c: &char| c.is_alphanumeric() || "–…→←²".contains(*c) || ('\u{1F000}'..'\u{E0000}').contains(c);
    let units = regex::Regex::new(r"(?:\\u[0-9a-f]{4})+").unwrap();
    let decoded = |found: &regex::Captures<'_>| {
        let units: Vec<u16> =
            found[0].split(r"\u").skip(1).map(|hex| u16::from_str_radix(hex, 16).unwrap()).collect();
        let chars =
            char::decode_utf16(units.iter().copied()).map(|c| c.ok().filter(|c| !c.is_ascii()).filter(plain));
        chars.collect::<Option<String>>().unwrap_or_else(|| found[0].to_owned())
    };
    units.replace_all(&text, decoded).into_owned()
}

/// Snapshot settings that hide what differs from run to run: where `folder` is, times, rates and process ids.
pub(crate) fn settings(folder: &Path) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let folder = folder.display().to_string();
    settings.add_filter(&regex::escape(&folder), "<dir>");
    if cfg!(windows) {
        add_filters_for_windows(&mut settings, &folder);
    }
    settings.add_filter(r"in \d+\.\d+ s \([^)]*/s\)", "in <time> (<rate>)");
    settings.add_filter(r", \d+\.\d+ s\b", ", <time>");
    settings.add_filter(r#""seconds": [\d.e-]+"#, r#""seconds": <time>"#);
    settings.add_filter(r"\.\d+\.part\b", ".<pid>.part");
    settings.add_filter(r#""program": \{[^}]*\}"#, r#""program": <program>"#);
    settings
}

/// Makes paths and messages of Windows, and of Wine, those that are in the snapshots.
fn add_filters_for_windows(settings: &mut insta::Settings, folder: &str) {
    settings.add_filter(&regex::escape(&folder.replace('\\', r"\\")), "<dir>");
    // A filter replaces one separator of each path.
    for _ in 0..DEEPEST {
        settings.add_filter(r#"(<dir>[^\s:"'\\]*)\\+"#, "$1/");
    }
    settings.add_filter(
        r"(File not found|The system cannot find the file specified)\. \(os error 2\)",
        "No such file or directory (os error 2)",
    );
}
