//! `--memory` is kept: by a process of its own, as the system counts it.

use crate::support::cli::command;
use crate::support::containers::noise;
use crate::support::packing::pack;
use crate::support::sketch::Sketch;
use crate::support::usage::{Usage, measure};
use crate::support::{corpus, cpu, say};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use uncask::codec::{Method, Scratch, compress};
use uncask::container::toc::raw::Block;
use uncask::pack::PackOptions;

const MIB: u64 = 1 << 20;
/// Memory that the process may use besides its budget.
const OVERHEAD: u64 = 64 * MIB;

#[test]
fn unpack_stays_within_its_budget() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree/Game/Content");
    std::fs::create_dir_all(&tree).unwrap();
    write(&tree.join("large.ubulk"), 128 * MIB);
    for at in 0..512 {
        write(&tree.join(format!("small{at}.uasset")), MIB / 4);
    }
    let toc = folder.path().join("large.utoc");
    let options = PackOptions { method: Method::Lz4, force: true, ..PackOptions::default() };
    let packed = pack(&folder.path().join("tree"), &toc, &options, cpu()).unwrap();
    assert_eq!((packed.chunks, packed.raw_bytes), (513, 256 * MIB));
    assert!((100 * MIB..200 * MIB).contains(&packed.stored_bytes), "{} bytes stored", packed.stored_bytes);

    let out = folder.path().join("out");
    let mut unpack = command();
    unpack.args(["unpack", "--memory", "64M", "--quiet", "-o"]).arg(&out).arg(&toc);
    let Usage { status, memory: peak, .. } = measure(&unpack, Stdio::inherit());
    assert!(status.success(), "{status}");
    assert_eq!(std::fs::metadata(out.join("Game/Content/large.ubulk")).unwrap().len(), 128 * MIB);
    assert_eq!(std::fs::read_dir(out.join("Game/Content")).unwrap().count(), 513);
    say(&format!("unpacked 256 MiB with --memory 64M in {} MiB at most", peak / MIB));
    assert!(peak > MIB, "nothing was measured");
    assert!(peak <= 64 * MIB + OVERHEAD, "{} MiB at most", peak / MIB);
}

/// Of files that are each far larger than the budget, threads hold no more than it allows, however many there are.
#[test]
fn pack_stays_within_its_budget_however_many_threads_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let tree = |name: &str| {
        let tree = folder.path().join(name);
        std::fs::create_dir_all(tree.join("Game/Content")).unwrap();
        tree
    };
    let (small, large) = (tree("small"), tree("large"));
    std::fs::write(small.join("Game/Content/f.ubulk"), b"x").unwrap();
    for at in 0..32 {
        File::create(large.join(format!("Game/Content/f{at}.ubulk"))).unwrap().set_len(12 * MIB).unwrap();
    }
    for (name, method) in [("made.utoc", "none"), ("made.utoc", "oodle"), ("made.pak", "none")] {
        let peak = |tree: &Path, threads: &str| {
            let mut pack = command();
            pack.args(["pack", "--memory", "1M", "--quiet", "--force", "--overwrite"]);
            pack.args(["-j", threads, "--method", method]).arg(tree).arg("-o").arg(folder.path().join(name));
            let Usage { status, memory: peak, .. } = measure(&pack, Stdio::inherit());
            assert!(status.success(), "{status}");
            peak
        };
        let peaks = ["1", "8", "32"].map(|threads| {
            // The program itself takes most of it, and a little for each thread.
            let (usual, peak) = (peak(&small, threads), peak(&large, threads));
            assert!(usual > MIB, "nothing was measured");
            say(&format!(
                "{name}, {method}, {threads} threads: {} of {} MiB at most",
                peak.saturating_sub(usual) / MIB,
                peak / MIB
            ));
            assert!(
                peak <= usual + 12 * MIB,
                "{name}, {method}, {threads} threads: {peak}, for one byte {usual}"
            );
            peak
        });
        let [fewest, _, most] = peaks;
        assert!(most <= fewest + 12 * MIB, "{name}, {method}: each thread holds some: {peaks:?}");
    }
}

/// Each block is a fourth of the budget, and worked on by as many threads as there are.
#[test]
fn workers_are_paid_for_however_many_there_are() {
    for method in [Method::Zlib, Method::Oodle] {
        let (zeros, mut stored) = (vec![0; 0xFF_FFF0], Vec::new());
        compress(method, &zeros, None, &mut stored, &mut Scratch::default()).unwrap();
        let mut sketch = Sketch::new(0xFF_FFF0);
        sketch.toc.methods = vec![method.name().to_owned()];
        sketch.toc.compressed = true;
        sketch.data = stored;
        let len = u32::try_from(sketch.data.len()).unwrap();
        sketch.toc.blocks = vec![Block::new(0, len, 0xFF_FFF0, 1)];
        (0..40).for_each(|_| sketch.add_entry(0, &zeros));
        let folder = tempfile::tempdir().unwrap();
        let toc = sketch.write(folder.path());
        for threads in ["1", "8", "16"] {
            let mut verify = command();
            verify.args(["verify", "--memory", "64M", "--quiet", "-j", threads]).arg(&toc);
            let Usage { status, memory: peak, .. } = measure(&verify, Stdio::inherit());
            assert!(status.success(), "{status}");
            say(&format!("{method}, {threads} threads, --memory 64M: {} MiB at most", peak / MIB));
            assert!(peak <= 64 * MIB + OVERHEAD, "{method}, {threads} threads: {} MiB", peak / MIB);
        }
    }
}

/// Documents cost many times their length: a list of numbers takes sixteen times its text as a tree.
#[test]
fn documents_are_paid_for_before_they_are_parsed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("door.json");
    let document = |numbers: usize| {
        let list = "1,".repeat(numbers);
        format!(
            r#"{{"schema": "uncask.properties/1", "package": "/Game/Blueprints/BP_Door", "exports": [{{"index": 0, "properties": [{list}1]}}]}}"#
        )
    };
    let read = |numbers: usize, memory: &str| {
        std::fs::write(&path, document(numbers)).unwrap();
        let mut from_json = command();
        from_json.args(["from-json", "--memory", memory, "--quiet", "--dry-run", "--onto", "testdata/demo"]);
        let Usage { status, memory: peak, .. } = measure(from_json.arg(&path), Stdio::null());
        assert!(!status.success(), "no package has such a value");
        say(&format!("{numbers} numbers with --memory {memory}: {} MiB at most", peak / MIB));
        peak
    };
    assert!(read(8_000_000, "64M") <= 64 * MIB, "refused before it is parsed");
    // Just within the limit.
    assert!(read(1_900_000, "256M") <= 256 * MIB);
    let mut told = command();
    told.args(["from-json", "--memory", "64M", "--dry-run", "--onto", "testdata/demo"]).arg(&path);
    let output = told.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("memory for the documents is 243"), "{said}");
}

/// A picture of a megabyte may be one of a gigabyte.
#[test]
fn pictures_are_paid_for_before_they_are_textures() {
    let Some(corpus) = corpus::with("hostile/pictures/bomb_8k.png") else { return };
    let game = corpus.join("iostore/ue5.8/tagged");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("Mod_P.utoc");
    let replace = |picture: &str, memory: &str| {
        let mut replace = command();
        replace.args(["replace", "--memory", memory, "--force", "--overwrite", "--quiet", "--base"]);
        replace.arg(game.join("global.utoc"));
        replace.arg(format!("{}:/Game/Fixtures/Textures/T_BGRA8", game.join("Uncompressed").display()));
        replace.arg(corpus.join("hostile/pictures").join(picture)).arg("-o").arg(&out);
        let Usage { status, memory: peak, .. } = measure(&replace, Stdio::null());
        say(&format!("{picture} with --memory {memory}: {} MiB at most", peak / MIB));
        (status.success(), peak / MIB)
    };
    for (picture, memory, limit) in [("bomb_4k.png", "64M", 64), ("bomb_8k.png", "256M", 256)] {
        let (is_done, peak) = replace(picture, memory);
        assert!(!is_done && peak <= limit, "{peak} MiB");
        assert!(!out.exists());
    }
    // 64 MiB of pixels, as many encoded, a third of that in mips.
    let (is_done, peak) = replace("bomb_4k.png", "320M");
    assert!(!is_done && peak <= 320, "refused before it is encoded: {peak} MiB");
    let (is_done, peak) = replace("bomb_4k.png", "512M");
    assert!(is_done && peak <= 512, "{peak} MiB");
}

/// Changed packages are kept until all of them are sound, but not in memory.
#[test]
fn pictures_of_a_folder_go_through_memory_one_after_the_other() {
    const EDGE: u32 = 512;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let convert = command()
        .args(["-q", "to-legacy", "testdata/demo", "*/T_Rock.*", "-o"])
        .arg(path("cooked"))
        .status()
        .unwrap();
    assert!(convert.success());
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, EDGE, EDGE);
    encoder.set_color(png::ColorType::Rgba);
    let pixels = noise(4 * (EDGE * EDGE) as usize, 5);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    for at in 0..64 {
        let below = |name: &str| path(&format!("{name}/Demo/Content/Textures"));
        for name in ["game", "pictures"] {
            std::fs::create_dir_all(below(name)).unwrap();
        }
        for extension in ["uasset", "uexp", "ubulk"] {
            let original = below("cooked").join(format!("T_Rock.{extension}"));
            std::fs::copy(original, below("game").join(format!("T_{at}.{extension}"))).unwrap();
        }
        std::fs::write(below("pictures").join(format!("T_{at}.png")), &png).unwrap();
    }
    for out in ["files", "Mod_P.pak"] {
        let mut replace = command();
        replace.args(["replace", "--memory", "32M", "--quiet", "-j2", "--from"]).arg(path("pictures"));
        replace.arg(path("game")).arg("-o").arg(path(out));
        let Usage { status, memory: peak, .. } = measure(&replace, Stdio::inherit());
        assert!(status.success(), "{status}");
        say(&format!("64 pictures into {out} with --memory 32M: {} MiB at most", peak / MIB));
        assert!(peak > MIB && peak <= (32 + 40) * MIB, "{} MiB", peak / MIB);
    }
    let written = std::fs::read_dir(path("files/Demo/Content/Textures")).unwrap();
    let len: u64 = written.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(len > 64 * MIB, "{len} bytes");
    assert!(std::fs::metadata(path("Mod_P.pak")).unwrap().len() > 64 * MIB);
}

/// Half noise, half zeros, each quarter of a MiB with a number of its own: every block gets smaller, by half.
fn write(path: &Path, len: u64) {
    let mut file = File::create(path).unwrap();
    let mut piece = noise(256 << 10, 1);
    for (at, byte) in piece.iter_mut().enumerate() {
        *byte &= if at & 64 == 0 { 0xFF } else { 0 };
    }
    for number in 0..len / piece.len() as u64 {
        piece[..8].copy_from_slice(&number.to_le_bytes());
        file.write_all(&piece).unwrap();
    }
}
