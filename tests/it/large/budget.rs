//! `--memory` is kept, whatever the container's size: at full size 1 and 8 GiB, with a chunk of more than 4 GiB.

use crate::support::cli::command;
use crate::support::containers::noise;
use crate::support::packing::pack;
use crate::support::usage::{Usage, measure};
use crate::support::{corpus, cpu, say};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use uncask::codec::Method;
use uncask::pack::PackOptions;

const MIB: u64 = 1 << 20;
/// Memory that the process may use besides its budget.
const OVERHEAD: u64 = 64 * MIB;
/// Bulk data of a package of the corpus.
const LARGEST_PATH: &str = "CUE4ParseFixtures/Content/Fixtures/Textures/T_Streaming.ubulk";

/// A container, and what it takes to check what comes out of it.
struct Subject {
    name: &'static str,
    toc: PathBuf,
    stored: u64,
    /// The container with the names of native objects.
    global: PathBuf,
}

#[test]
fn budgets_are_kept() {
    let Some(corpus) = corpus::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    // The largest chunk has more bytes than 32 bits can tell.
    let (lz4, stored, largest) = if super::is_full_size() {
        (1 << 30, 4 << 30, (4 << 30) + 12_345)
    } else {
        (64 * MIB, 64 * MIB, 192 * MIB + 12_345)
    };
    // A sparse file of zeros beside noise, which does not get smaller.
    let subjects = [
        subject(&corpus, folder.path(), "LZ4", lz4, largest, Method::Lz4),
        subject(&corpus, folder.path(), "stored", stored, largest, Method::None),
    ];
    for Subject { name, toc, stored, global } in &subjects {
        say(&format!("{name}: {} MiB of data", stored / MIB));
        for budget in [64, 256, 1024] {
            for job in ["list", "verify", "unpack", "to-legacy"] {
                let out = folder.path().join("out");
                let mut command = command();
                command.args([job, "--quiet", "--memory", &format!("{budget}M")]).arg(toc);
                match job {
                    "unpack" => _ = command.arg("-o").arg(&out),
                    "to-legacy" => _ = command.arg("-o").arg(&out).arg("--base").arg(global),
                    _ => {}
                }
                let Usage { status, memory: peak, .. } = measure(&command, Stdio::inherit());
                say(&format!("{name}, --memory {budget}M, {job}: {} MiB at most", peak / MIB));
                assert!(status.success(), "{status}");
                assert!(peak > MIB, "nothing was measured");
                assert!(peak <= budget * MIB + OVERHEAD, "{} MiB", peak / MIB);
                if out.exists() {
                    check_largest(&out.join(LARGEST_PATH), largest);
                    std::fs::remove_dir_all(&out).unwrap();
                }
            }
        }
    }
}

/// Packs the small game of the corpus with much more bulk data: `more` bytes in files of 64 MiB, and one large chunk.
fn subject(
    corpus: &Path,
    folder: &Path,
    name: &'static str,
    more: u64,
    largest_len: u64,
    method: Method,
) -> Subject {
    let game = corpus.join("iostore/ue5.8/tagged");
    let (tree, folder) = (folder.join("tree"), folder.join(name));
    std::fs::create_dir(&folder).unwrap();
    let container = game.join("Uncompressed");
    let unpacked = command().args(["unpack", "--quiet", "-o"]).arg(&tree).arg(&container).status().unwrap();
    assert!(unpacked.success());
    let mut piece = noise(1 << 20, 1);
    for number in 0..more / (64 * MIB) {
        let mut file = File::create(tree.join(format!("More{number}.ubulk"))).unwrap();
        for at in 0..64_u64 {
            piece[..8].copy_from_slice(&(number << 32 | at).to_le_bytes());
            file.write_all(&piece).unwrap();
        }
    }
    let mut largest = File::options().write(true).truncate(true).open(tree.join(LARGEST_PATH)).unwrap();
    largest.write_all(b"first").unwrap();
    largest.seek(SeekFrom::Start(largest_len - 4)).unwrap();
    largest.write_all(b"last").unwrap();
    let toc = folder.join("large.utoc");
    let options = PackOptions { method, ..PackOptions::default() };
    let packed = pack(&tree, &toc, &options, cpu()).unwrap();
    assert!(packed.skipped.is_empty(), "{:?}", packed.skipped);
    std::fs::remove_dir_all(&tree).unwrap();
    Subject { name, toc, stored: packed.stored_bytes, global: game.join("global.utoc") }
}

/// Both ends of the largest chunk, and its length. What lies between is covered by its hash, which was checked.
fn check_largest(path: &Path, len: u64) {
    let mut file = File::open(path).unwrap();
    assert_eq!(file.metadata().unwrap().len(), len);
    let (mut first, mut last) = ([0; 5], [0; 4]);
    file.read_exact(&mut first).unwrap();
    file.seek(SeekFrom::End(-4)).unwrap();
    file.read_exact(&mut last).unwrap();
    assert_eq!((&first, &last), (b"first", b"last"));
}
