//! `--resume`: an interrupted run goes on, and what is there already is not written again.

use super::{demo, options, run, snapshot};
use crate::support::containers::{Packed, noise};
use std::path::Path;
use std::time::SystemTime;
use uncask::pack::PackOptions;
use uncask::version::TocVersion;

fn modified(path: &Path) -> SystemTime {
    std::fs::metadata(path).unwrap().modified().unwrap()
}

/// Leaves the traces of a killed run: an unfinished file in a folder below `out`, and in `out` a lock
/// without a holder.
fn leave(packed: &Packed, folder: &str) -> std::path::PathBuf {
    let run = ".uncask-00112233445566778899aabbccddeeff";
    let left = packed.beside(folder).join(format!("{run}-3.part"));
    std::fs::write(&left, "half a file").unwrap();
    std::fs::write(packed.beside("out").join(format!("{run}.lock")), "").unwrap();
    left
}

#[test]
fn an_interrupted_unpack_goes_on() {
    let packed = demo();
    run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out"]).expect(0);
    let (gone, wrong, kept) = (
        packed.beside("out/Demo/Content/Hero.ubulk"),
        packed.beside("out/Demo/Config/Game.ini"),
        packed.beside("out/Demo/Content/Hero.uasset"),
    );
    std::fs::remove_file(&gone).unwrap();
    let mut content = std::fs::read(&wrong).unwrap();
    content[99] ^= 1;
    std::fs::write(&wrong, content).unwrap();
    let left = leave(&packed, "out/Demo/Content");
    let before = modified(&kept);
    snapshot("unpack_resumed", &packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--resume"]);
    assert!(gone.exists() && !left.exists());
    assert_eq!(modified(&kept), before, "what is right is not written again");
    let report = run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--resume", "--json"]).expect(0);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!((&report["unchanged"], &report["kept"], &report["count"]), (&5.into(), &0.into(), &0.into()));
    for (path, content) in [("out/Demo/Config/Game.ini", 700), ("out/Demo/Content/Hero.ubulk", 50_000)] {
        let source = packed.beside(&path.replace("out/", "tree/"));
        assert_eq!(std::fs::read(source).unwrap(), std::fs::read(packed.beside(path)).unwrap(), "{content}");
    }
}

#[test]
fn it_starts_where_nothing_is_and_says_no_to_other_plans() {
    let packed = demo();
    run(&packed, &["unpack", "@/demo.utoc", "-o", "@/new", "--resume"]).expect(0);
    assert!(packed.beside("new/Demo/Content/Hero.ubulk").exists());
    for more in [["--overwrite", "always"], ["--overwrite", "never"], ["--dry-run", "--quiet"]] {
        let args = ["unpack", "@/demo.utoc", "-o", "@/new", "--resume"];
        run(&packed, &[&args[..], &more].concat()).expect(2);
    }
}

/// Another machine may be writing its share, and its locks may not be seen from here.
#[test]
fn shares_leave_the_unfinished_files_of_others_alone() {
    let packed = demo();
    run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--shard", "1/2"]).expect(0);
    let left = leave(&packed, "out");
    run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--resume", "--shard", "2/2"]).expect(0);
    assert!(left.exists());
    run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--resume"]).expect(0);
    assert!(!left.exists());
}

/// Puts hashes into a table of version 5, which are BLAKE3 by right.
fn rehash(packed: &Packed, hash: impl Fn(&[u8]) -> [u8; 20]) {
    let mut bytes = std::fs::read(&packed.toc).unwrap();
    let toc = uncask::container::Toc::parse(bytes.clone().into()).unwrap();
    let store = crate::support::containers::open(&packed.toc, &[]);
    let metas = bytes.len() - 33 * toc.chunk_count() as usize;
    for chunk in toc.chunks() {
        let content = store.containers()[0].read(chunk, 0..u64::MAX, 1 << 20).unwrap();
        bytes[metas + 33 * chunk.0 as usize..][..20].copy_from_slice(&hash(&content));
    }
    std::fs::write(&packed.toc, bytes).unwrap();
}

/// Some packers record SHA-1 where the engine would BLAKE3: such files are recognised. Where no hash is recorded, a file
/// cannot be known to be right, and is written again.
#[test]
fn hashes_of_another_function_count_and_missing_ones_do_not() {
    use sha1::Digest;
    let files = [("Game/a.uasset", noise(3000, 1)), ("Game/b.uasset", noise(5000, 2))];
    let version = TocVersion::from_wire(5).unwrap();
    let packed = Packed::new(files, &PackOptions { version: Some(version), ..options() });
    let resume = || {
        let report = run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--resume", "--json"]).expect(0);
        let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
        (report["unchanged"].as_u64().unwrap(), report["unhashed"].as_u64().unwrap())
    };
    assert_eq!(resume(), (0, 0));
    assert_eq!(resume(), (2, 0));
    rehash(&packed, |content| sha1::Sha1::digest(content).into());
    assert_eq!(resume(), (2, 0));
    rehash(&packed, |_| [0; 20]);
    assert_eq!(resume(), (0, 2));
}
