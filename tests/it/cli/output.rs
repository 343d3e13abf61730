//! The output of each command.

use super::{demo, run, snapshot};
use crate::support::cli::{self, command};
use crate::support::containers::{Packed, noise};
use std::io::Read;
use std::process::Stdio;
use uncask::pack::PackOptions;

#[test]
fn info() {
    let packed = demo();
    snapshot("info", &packed, &["info", "@/demo.utoc"]);
    snapshot("info_json", &packed, &["info", "@/demo.utoc", "--json"]);
}

/// The first facts that a maintainer asks for.
#[test]
fn info_says_which_program_it_is() {
    let shown = run(&demo(), &["info", "@/demo.utoc", "--json"]).expect(0);
    let document: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    let program = &document["program"];
    assert_eq!(program["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(program["system"], format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH));
    let features = program["features"].as_array().unwrap();
    for (feature, is_on) in [("zstd", cfg!(feature = "zstd")), ("remote", cfg!(feature = "remote"))] {
        assert_eq!(features.iter().any(|known| known == feature), is_on, "{feature}");
    }
}

#[test]
fn list() {
    let packed = demo();
    for (name, options) in [
        ("list", &[][..]),
        ("list_long", &["-l"]),
        ("list_tree", &["--tree"]),
        ("list_csv", &["--csv"]),
        ("list_json", &["--json"]),
        ("list_jsonl", &["--jsonl"]),
        ("list_selected", &["--sort", "size", "--type", "package", "--exclude", "Engine"]),
    ] {
        snapshot(name, &packed, &[&["list", "@/demo.utoc"], options].concat());
    }
}

#[test]
fn json_listings_parse_and_agree() {
    let packed = demo();
    let json: serde_json::Value =
        serde_json::from_str(&run(&packed, &["list", "@/demo.utoc", "--json"]).expect(0).stdout).unwrap();
    let lines = run(&packed, &["list", "@/demo.utoc", "--jsonl"]).expect(0).stdout;
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json["schema"], "uncask.list/1");
    assert_eq!(json["chunks"].as_array().unwrap(), &lines);
    assert_eq!(lines.len(), 5);
}

#[test]
fn verify() {
    let packed = demo();
    snapshot("verify", &packed, &["verify", "@/demo.utoc"]);
    let mut data = std::fs::read(packed.data()).unwrap();
    let inside_of_bulk_data = 0x2000;
    data[inside_of_bulk_data] ^= 1;
    data[0] ^= 0xFF;
    std::fs::write(packed.data(), data).unwrap();
    snapshot("verify_damaged", &packed, &["verify", "@/demo.utoc"]);
    snapshot("verify_damaged_json", &packed, &["verify", "@/demo.utoc", "--json", "--quiet"]);
}

#[test]
fn unpack() {
    let packed = demo();
    snapshot("unpack_dry_run", &packed, &["unpack", "@/demo.utoc", "-o", "@/out", "--dry-run"]);
    assert!(!packed.beside("out").exists(), "a dry run writes nothing");
    snapshot("unpack", &packed, &["unpack", "@/demo.utoc", "-o", "@/out"]);
    snapshot("unpack_again", &packed, &["unpack", "@/demo.utoc", "-o", "@/out"]);
    snapshot(
        "unpack_stripped",
        &packed,
        &["unpack", "@", "-o", "@/o", "*.umap", "--strip-prefix", "Demo/Content"],
    );
    assert_eq!(std::fs::read(packed.beside("o/Maps/Start.umap")).unwrap().len(), 3000);
}

#[test]
fn get() {
    let packed = demo();
    let content = std::fs::read(packed.beside("tree/Demo/Content/Maps/Start.umap")).unwrap();
    for name in ["/Game/Maps/Start", "Start.umap", "demo/content/maps/START.umap"] {
        assert_eq!(run(&packed, &["get", "@", name]).expect(0).stdout.as_bytes(), content, "{name}");
    }
    run(&packed, &["get", "@", "Start.umap", "-o", "@/one.umap"]).expect(0);
    assert_eq!(std::fs::read(packed.beside("one.umap")).unwrap(), content);
    snapshot("get_ambiguous", &packed, &["get", "@", "*.u*"]);
}

#[test]
fn pack() {
    let packed = demo();
    snapshot(
        "pack",
        &packed,
        &[
            "pack",
            "@/tree",
            "-o",
            "@/new_P.utoc",
            "--method",
            "zlib",
            "--partition-size",
            "64K",
            "--force",
            "--overwrite",
        ],
    );
    snapshot(
        "pack_json",
        &packed,
        &["pack", "@/tree", "-o", "@/four.utoc", "--toc-version", "3", "--json", "--force", "--overwrite"],
    );
    run(&packed, &["verify", "@/new_P.utoc"]).expect(0);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let packed = Packed::new([("Demo/Content/Large.ubulk", noise(8 << 20, 1))], &PackOptions::default());
    for args in [&["get", "Large.ubulk"][..], &["list", "--jsonl"], &["info", "--json"]] {
        let mut command = command();
        command.arg(args[0]).arg(&packed.toc).args(&args[1..]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut head = [0; 10];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut head).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn colors_are_used_when_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("Doors_P.utoc");
    let target = "testdata/demo:/Game/Blueprints/BP_Door";
    let made = made.to_str().unwrap();
    cli::uncask(["set", target, "Default__BP_Door_C.OpenAngle", "120", "-o", made]).expect(0);
    let diff = |args: &[&str]| {
        let old = "testdata/demo/pakchunk0-Demo.utoc";
        cli::uncask([&["diff", old, made, "*BP_Door*"], args].concat()).expect(1)
    };
    for args in [&[][..], &["--properties"]] {
        let plain = diff(args);
        let coloured = diff(&[args, &["--color", "always"]].concat());
        assert!(plain.stdout.starts_with('~') && !plain.shown().contains('\x1b'), "{}", plain.shown());
        let stripped = coloured.stdout.replace("\x1b[33m", "").replace("\x1b[0m", "");
        assert!(
            coloured.stdout.starts_with("\x1b[33m~") && stripped == plain.stdout,
            "{:?}",
            coloured.stdout
        );
    }
    let failed = cli::uncask(["list", "nowhere", "--color", "always"]).expect(3);
    assert!(failed.stderr.starts_with("\x1b[1;31merror\x1b[0m: "), "{:?}", failed.stderr);
    cli::uncask(["list", "nowhere", "--color", "sometimes"]).expect(2);
}
