//! Keys: what is said when they do not fit, and that they are never repeated.

use super::{KEY, KEY_BASE64, KEY_HEX, WRONG_KEY, demo, secret, snapshot};
use crate::support::cli::{self, Run, command, uncask};
use crate::support::containers::Packed;

#[test]
fn the_four_messages() {
    let (plain, packed) = (demo(), secret());
    snapshot("key_not_encrypted", &plain, &["list", "@/demo.utoc", "--aes-key", KEY_HEX]);
    snapshot("key_missing", &packed, &["unpack", "@/demo.utoc", "-o", "@/out"]);
    snapshot("key_wrong", &packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--aes-key", WRONG_KEY]);
    let guid = "00000001-0000-0002-0000-0003DEADBEEF";
    snapshot("key_is_a_guid", &packed, &["list", "@/demo.utoc", "--aes-key", guid]);
    assert!(!packed.beside("out/Demo").exists());
}

#[test]
fn a_key_fits_in_every_form() {
    let packed = secret();
    let file = packed.beside("keys.json");
    std::fs::write(&file, format!("{{\"000000010000000200000003DEADBEEF\": \"0x{KEY_HEX}\"}}")).unwrap();
    let hex = format!("0x{KEY_HEX}");
    let with_guid = format!("000000010000000200000003DEADBEEF={KEY_BASE64}");
    let by_file = format!("@{}", file.display());
    for key in [KEY, KEY_HEX, &hex, KEY_BASE64, &with_guid, &by_file] {
        let run = with_key(&packed, &["verify", "@/demo.utoc"], key).expect(0);
        assert!(run.stderr.contains("verified 5 of 5"), "{}", run.shown());
    }
    let mut by_variable = command();
    by_variable.env("UNCASK_AES_KEY", format!("{WRONG_KEY},{KEY_HEX}")).arg("verify").arg(&packed.toc);
    cli::run(&mut by_variable).expect(0);
}

#[test]
fn keys_are_never_repeated() {
    let packed = secret();
    let halves = [&KEY_HEX[..40], &KEY_BASE64[..30], &format!("{KEY_HEX}00")].map(str::to_owned);
    let bad_file = packed.beside("bad.txt");
    std::fs::write(&bad_file, format!("# keys\n{}\n", &KEY_HEX[..50])).unwrap();
    let bad_file = format!("@{}", bad_file.display());
    let keys = [KEY, KEY_HEX, KEY_BASE64, WRONG_KEY, &bad_file, &halves[0], &halves[1], &halves[2]];
    let mut said = 0;
    for key in keys {
        for args in [
            &["info", "@/demo.utoc", "-v"][..],
            &["info", "@/demo.utoc", "--json", "-v"],
            &["list", "@/demo.utoc", "-v", "-l"],
            &["verify", "@/demo.utoc", "-v"],
            &["unpack", "@/demo.utoc", "-v", "-o", "@/out", "--json"],
            &["pack", "@/tree", "-v", "-o", "@/new.utoc", "--force", "--overwrite"],
        ] {
            let shown = with_key(&packed, args, key).shown();
            for secret in [&KEY[..8], &KEY_HEX[..16], &KEY_HEX[16..32], &KEY_BASE64[..12], &WRONG_KEY[..16]] {
                assert!(
                    !shown.to_lowercase().contains(&secret.to_lowercase()),
                    "{args:?} repeats a key:\n{shown}"
                );
            }
            said += shown.len();
        }
    }
    assert!(said > 5000, "only {said} bytes were said at all");
}

/// Runs a command as [`super::run`] does, with a key that may be `@FILE`.
fn with_key(packed: &Packed, args: &[&str], key: &str) -> Run {
    let folder = packed.folder.path().display().to_string();
    let args = args.iter().map(|arg| arg.replace('@', &folder));
    uncask(args.chain(["--aes-key".to_owned(), key.to_owned()]))
}
