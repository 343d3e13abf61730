//! Every documented exit code, provoked.

use super::{WRONG_KEY, demo, run, secret, snapshot};
use crate::support::sketch::Sketch;

#[test]
fn all_well_is_0() {
    let packed = demo();
    for args in [
        &["info", "@"][..],
        &["list", "@/demo.ucas"],
        &["verify", "@"],
        &["unpack", "@", "-o", "@/out"],
        &["get", "@", "Game.ini"],
        &["pack", "@/tree", "-o", "@/new.utoc", "--force", "--overwrite"],
        &["--version"],
    ] {
        run(&packed, args).expect(0);
    }
}

#[test]
fn failed_chunks_are_1() {
    let packed = demo();
    let data = std::fs::read(packed.data()).unwrap();
    let mut damaged = data.clone();
    damaged[0] ^= 0xFF;
    for content in [damaged.as_slice(), &data[..data.len() / 2]] {
        std::fs::write(packed.data(), content).unwrap();
        for args in [
            &["verify", "@"][..],
            &["verify", "@", "--fail-fast"],
            &["unpack", "@", "-o", "@/out", "--overwrite", "always"],
        ] {
            run(&packed, args).expect(1);
        }
    }
    std::fs::write(packed.data(), damaged).unwrap();
    for args in [&["verify", "@", "--fail-fast"][..], &["get", "@", "Game.ini"]] {
        run(&packed, args).expect(1);
    }
    let skipped =
        run(&packed, &["pack", "@/tree", "-o", "@/new.utoc", "--toc-version", "3", "--force", "--overwrite"])
            .expect(1);
    assert!(skipped.stderr.contains("left out: toc version 3 (PartitionSize) has no chunk type for it"));
}

#[test]
fn a_command_line_without_sense_is_2() {
    let packed = demo();
    for args in [
        &[][..],
        &["list"],
        &["frobnicate", "@"],
        &["list", "@", "--type", "texture"],
        &["list", "@", "a["],
        &["list", "@", "--regex", "("],
        &["list", "@", "--tree", "--csv"],
        &["verify", "@", "--aes-key", "123"],
        &["unpack", "@"],
        &["pack", "@/tree", "-o", "@/new.zip"],
        &["pack", "@/tree", "-o", "@/new.pak", "--partition-size", "1M"],
        &["pack", "@/tree", "-o", "@/new.utoc", "--block-size", "4G"],
        &["get", "@", "*.u*"],
    ] {
        let run = run(&packed, args).expect(2);
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{args:?}: {}", run.shown());
    }
}

#[test]
fn an_input_that_cannot_be_read_is_3() {
    let packed = demo();
    std::fs::create_dir(packed.beside("empty")).unwrap();
    std::fs::write(packed.beside("bad.utoc"), "no table").unwrap();
    std::fs::write(packed.beside("lone.ucas"), "no table").unwrap();
    for (name, input) in [
        ("input_nowhere", "@/nowhere"),
        ("input_empty", "@/empty"),
        ("input_malformed", "@/bad.utoc"),
        ("input_without_table", "@/lone.ucas"),
        ("input_other", "@/tree/Demo/Config/Game.ini"),
    ] {
        snapshot(name, &packed, &["list", input]);
        run(&packed, &["list", input]).expect(3);
    }
    run(&packed, &["verify", "@"]).expect(3);
    std::fs::remove_file(packed.data()).unwrap();
    std::fs::remove_file(packed.beside("bad.utoc")).unwrap();
    snapshot("input_without_data", &packed, &["verify", "@/demo.utoc", "Demo"]);
    run(&packed, &["verify", "@/demo.utoc", "Demo"]).expect(3);
}

/// An empty chunk needs no data file, so it comes through; the others do not, with `--fail-fast` or without.
#[test]
fn a_missing_data_file_is_3_whatever_needs_no_data() {
    let packed = demo();
    std::fs::write(packed.beside("tree/Demo/Config/Empty.ini"), "").unwrap();
    run(&packed, &["pack", "@/tree", "-o", "@/demo.utoc", "--force", "--overwrite"]).expect(0);
    std::fs::remove_file(packed.data()).unwrap();
    run(&packed, &["verify", "@/demo.utoc"]).expect(3);
    run(&packed, &["verify", "@/demo.utoc", "--fail-fast"]).expect(3);
    run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out"]).expect(3);
}

#[test]
fn a_key_that_is_missing_or_wrong_is_4() {
    let packed = secret();
    for command in
        [&["list", "@"][..], &["verify", "@"], &["unpack", "@", "-o", "@/out"], &["get", "@", "Hero.uasset"]]
    {
        run(&packed, command).expect(4);
        run(&packed, &[command, &["--aes-key", WRONG_KEY]].concat()).expect(4);
    }
    run(&packed, &["info", "@"]).expect(0);
}

#[test]
fn nothing_that_matches_is_5() {
    let packed = demo();
    for args in [
        &["list", "@", "*.png"][..],
        &["verify", "@", "--type", "shader_code"],
        &["unpack", "@", "-o", "@/out", "--exclude", "*"],
        &["get", "@", "000000000000000000000001"],
    ] {
        let run = run(&packed, args).expect(5);
        assert!(run.stdout.is_empty() && run.stderr.starts_with("error: no"), "{}", run.shown());
    }
    assert!(!packed.beside("out").exists());
}

#[test]
fn a_container_without_chunks_has_nothing_to_match() {
    let packed = demo();
    std::fs::create_dir(packed.beside("hollow")).unwrap();
    Sketch::new(1 << 16).write(&packed.beside("hollow"));
    run(&packed, &["info", "@/hollow"]).expect(0);
    for command in
        [&["list", "@/hollow"][..], &["verify", "@/hollow"], &["unpack", "@/hollow", "-o", "@/out"]]
    {
        run(&packed, command).expect(5);
    }
}

#[test]
#[cfg(not(all(feature = "catalog", feature = "remote")))]
fn what_was_left_out_of_a_build_says_how_to_get_it() {
    let packed = demo();
    let reported = |args: &[&str], code| run(&packed, args).expect(code).stderr;
    if cfg!(not(feature = "catalog")) {
        assert!(reported(&["catalog", "@", "-o", "@/out"], 2).contains("--features catalog"));
    }
    if cfg!(not(feature = "remote")) {
        assert!(reported(&["list", "https://localhost/a.utoc"], 3).contains("--features remote"));
    }
}

#[test]
fn what_cannot_be_made_is_1() {
    let packed = demo();
    std::fs::write(packed.beside("file"), "in the way").unwrap();
    for args in [
        &["unpack", "@", "-o", "@/file/out"][..],
        &["to-legacy", "@", "-o", "@/file/out"],
        &["pack", "@/tree", "-o", "@/file/new.utoc", "--force", "--overwrite"],
        #[cfg(feature = "browse")]
        &["browse", "@", "--no-open", "--no-recent", "--save-to", "@/file/saved"],
    ] {
        let failed = run(&packed, args).expect(1);
        assert!(failed.stderr.contains("cannot create"), "{}", failed.stderr);
    }
}

#[test]
fn messages_fit_what_was_given() {
    let packed = demo();
    for (args, code, said) in [
        (&["texts", "@"][..], 2, "unrecognized subcommand"),
        (&["list", "@", "--only", "pak"], 5, "there is no .pak in what was given"),
        (&["list", "@", "--memory", "64"], 2, "64 bytes are not enough; expected a size such as 64M or 1G"),
        #[cfg(feature = "browse")]
        (&["browse", "@/nosuch", "--no-open", "--no-recent"], 3, "cannot open input: "),
    ] {
        let failed = run(&packed, args).expect(code);
        assert!(failed.stderr.contains(said), "{}", failed.stderr);
        assert!(!failed.stderr.contains("'info'"), "{}", failed.stderr);
    }
}
