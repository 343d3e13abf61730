//! The wiring of the feature `oodle-sdk`, proven without the vendor's library: a stand-in with the same exported
//! function takes its place, for the linker and at run time. That takes a build of its own, about a minute, so it runs only
//! on demand:
//!
//! ```text
//! UNCASK_OODLE_SDK=1 cargo test -p uncask-formats --test oodle_sdk
//! ```
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs, io};

#[test]
fn oodle_blocks_go_through_the_vendors_library() {
    if env::var_os("UNCASK_OODLE_SDK").is_none() {
        return say(
            "skipped: UNCASK_OODLE_SDK=1 builds the crate with the feature `oodle-sdk` (about a minute)",
        );
    }
    let Some(cargo) = env::var_os("CARGO") else { return say("skipped: no CARGO in the environment") };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oodle-sdk");
    fs::create_dir_all(&folder).expect("a folder for the stand-in");
    let built = build_stand_in(&folder).expect("a C compiler runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let run = run_example(&cargo, &folder).expect("cargo runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(
        String::from_utf8_lossy(&run.stdout),
        "6: uncask\n7: Oodle block is malformed: the library refuses it\n"
    );
}

/// A test that is skipped says so, past the harness's capture.
fn say(message: &str) {
    use io::Write as _;
    // Nobody may be listening.
    let _ = writeln!(io::stderr().lock(), "{message}");
}

fn build_stand_in(folder: &Path) -> io::Result<Output> {
    Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-shared", "-fPIC", "-o"])
        .arg(folder.join("liboo2corelinux64.so"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oodle_sdk/stand_in.c"))
        .output()
}

/// Builds with the profile of this test, so that most dependencies are built already.
fn run_example(cargo: &OsStr, folder: &Path) -> io::Result<Output> {
    Command::new(cargo)
        .args(["run", "--quiet", "--features", "oodle-sdk", "--example", "oodle_sdk_check"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("LIBRARY_PATH", folder)
        .env("LD_LIBRARY_PATH", folder)
        .output()
}
