//! The wiring of the feature `oodle-sdk`, proven without the vendor's library: a stand-in with the same exported
//! function takes its place, for the linker and at run time. That takes a build of its own, about a minute, so it runs only
//! on demand:
//!
//! ```text
//! UNCASK_OODLE_SDK=1 cargo test -p uncask-formats --test oodle_sdk
//! ```
#![cfg(target_os = "linux")]

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Undoes a trivial transform, and refuses calls that are not made as they should be.
const STAND_IN: &str = r#"
use std::ffi::c_void;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn OodleLZ_Decompress(
    src: *const u8, src_len: isize, dst: *mut u8, dst_len: isize,
    fuzz_safe: i32, check_crc: i32, verbosity: i32,
    window: *mut c_void, window_len: isize,
    callback: *const c_void, callback_data: *mut c_void,
    memory: *mut c_void, memory_len: isize, thread_phase: i32,
) -> isize {
    let flags = (fuzz_safe, check_crc, verbosity, thread_phase) == (1, 0, 0, 3);
    let no_window = window.is_null() && window_len == 0 && memory.is_null() && memory_len == 0;
    let no_callback = callback.is_null() && callback_data.is_null();
    if !(flags && no_window && no_callback && src_len == dst_len + 2) {
        return 0;
    }
    for i in 0..dst_len {
        unsafe { *dst.offset(i) = *src.offset(i + 2) ^ 0x5A };
    }
    dst_len
}
"#;

#[test]
fn oodle_blocks_go_through_the_vendors_library() {
    if env::var_os("UNCASK_OODLE_SDK").is_none() {
        return say(
            "skipped: UNCASK_OODLE_SDK=1 builds the crate with the feature `oodle-sdk` (about a minute)",
        );
    }
    let Some(tools) = Tools::find() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oodle-sdk");
    fs::create_dir_all(&folder).expect("a folder for the stand-in");
    let built = tools.build_stand_in(&folder).expect("rustc runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let run = tools.run_example(&folder).expect("cargo runs");
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

struct Tools {
    cargo: PathBuf,
    rustc: PathBuf,
}

impl Tools {
    /// The Cargo that runs this test, and the compiler that lies next to it.
    fn find() -> Option<Self> {
        let cargo = env::var_os("CARGO").map(PathBuf::from);
        let rustc = env::var_os("RUSTC").map(PathBuf::from);
        let rustc =
            rustc.or_else(|| Some(cargo.as_ref()?.with_file_name("rustc"))).filter(|path| path.is_file());
        let tools = cargo.zip(rustc).map(|(cargo, rustc)| Self { cargo, rustc });
        if tools.is_none() {
            say("skipped: no CARGO in the environment, or no rustc next to it");
        }
        tools
    }

    fn build_stand_in(&self, folder: &Path) -> io::Result<Output> {
        let source = folder.join("stand_in.rs");
        fs::write(&source, STAND_IN)?;
        Command::new(&self.rustc)
            .args(["--edition", "2024", "--crate-type", "cdylib", "-C", "panic=abort", "-o"])
            .arg(folder.join("liboo2corelinux64.so"))
            .arg(source)
            .output()
    }

    /// Builds with the profile of this test, so that most dependencies are built already.
    fn run_example(&self, folder: &Path) -> io::Result<Output> {
        Command::new(&self.cargo)
            .args(["run", "--quiet", "--features", "oodle-sdk", "--example", "oodle_sdk_check"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("LIBRARY_PATH", folder)
            .env("LD_LIBRARY_PATH", folder)
            .output()
    }
}
