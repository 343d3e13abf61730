//! Inputs and patterns: what stands where, and what matches nothing.

use super::{demo, options, run};
use crate::support::containers::{Packed, prose};
#[cfg(target_os = "linux")]
use crate::support::sketch::Sketch;
#[cfg(target_os = "linux")]
use std::process::Command;

/// Two containers and what is in them.
fn two() -> Packed {
    let packed = demo();
    let more = Packed::new([("Demo/Content/Textures/Rock.uasset", prose(500))], &options());
    std::fs::copy(&more.toc, packed.beside("more.utoc")).unwrap();
    std::fs::copy(more.data(), packed.beside("more.ucas")).unwrap();
    packed
}

#[test]
fn containers_are_inputs_wherever_they_stand() {
    let packed = two();
    let lines = |args: &[&str]| run(&packed, args).expect(0).stdout.lines().count();
    // As a shell expands `*.utoc`.
    assert_eq!(lines(&["list", "@/demo.utoc", "@/more.utoc"]), 6);
    assert_eq!(lines(&["list", "@/demo.utoc", "Hero", "@/more.ucas", "Rock"]), 3);
    assert_eq!(lines(&["list", "*.uasset", "@/demo.utoc", "@/more.utoc"]), 3);
    run(&packed, &["unpack", "@/demo.utoc", "@/more.utoc", "-o", "@/out"]).expect(0);
    assert!(packed.beside("out/Demo/Content/Textures/Rock.uasset").exists());
    assert!(packed.beside("out/Demo/Content/Hero.uasset").exists());
    let verified = run(&packed, &["verify", "@/demo.utoc", "@/more.utoc"]).expect(0).stderr;
    assert!(verified.contains("verified 6 of 6 chunks"), "{verified}");
    let got = run(&packed, &["get", "Game.ini", "@/demo.utoc"]).expect(0).stdout;
    assert_eq!(got.len(), 700);
    let table = run(&packed, &["info", "@/demo.utoc", "@/more.utoc"]).expect(0).stdout;
    assert!(table.contains("total of 2 containers"), "{table}");
    let third = run(&packed, &["diff", "@/demo.utoc", "@/more.utoc", "@/demo.utoc"]).expect(2).stderr;
    assert!(third.contains("diff compares two inputs, found a third"), "{third}");
    let gone = run(&packed, &["list", "@/demo.utoc", "@/gone.utoc"]).expect(3).stderr;
    assert!(gone.contains("gone.utoc"), "{gone}");
}

#[test]
fn a_folder_of_containers_that_is_taken_as_a_pattern_is_told() {
    let packed = two();
    std::fs::create_dir(packed.beside("Demo")).unwrap();
    std::fs::copy(packed.beside("more.utoc"), packed.beside("Demo/x.utoc")).unwrap();
    let mut command = crate::support::cli::command();
    let listed = command.current_dir(packed.folder.path()).args(["list", "demo.utoc", "Demo"]);
    let listed = crate::support::cli::run(listed).expect(0);
    assert!(listed.stderr.contains("\"Demo\" is used as a pattern; -i \"Demo\" opens"), "{}", listed.shown());
    assert_eq!(listed.stdout.lines().count(), 4);
}

#[test]
fn a_path_instead_of_a_command_is_info() {
    let packed = two();
    for input in ["@/demo.utoc", "@"] {
        let by_path = run(&packed, &[input]).expect(0).stdout;
        assert_eq!(by_path, run(&packed, &["info", input]).expect(0).stdout);
    }
    let json = run(&packed, &["--json", "@/demo.utoc", "-j", "1"]).expect(0).stdout;
    assert_eq!(json, run(&packed, &["info", "@/demo.utoc", "--json"]).expect(0).stdout);
    run(&packed, &["@/gone.utoc"]).expect(3);
    let typo = run(&packed, &["lsit", "@"]).expect(2).stderr;
    assert!(typo.contains("list"), "{typo}");
}

#[test]
fn a_folder_is_meant_by_its_name() {
    let packed = two();
    let listed = |args: &[&str]| run(&packed, &[&["list", "@"], args].concat()).expect(0).stdout;
    let start = "Demo/Content/Maps/Start.umap\n";
    for pattern in
        ["Maps", "maps/", "Content/Maps", "/Demo/Content/Maps/", "/Game/Maps", "/Game/Maps/", "Game/Maps"]
    {
        assert_eq!(listed(&[pattern]), start, "{pattern}");
    }
    assert_eq!(listed(&["/Game"]).lines().count(), 4);
    assert_eq!(listed(&["Textures"]), "Demo/Content/Textures/Rock.uasset\n");
    assert!(!listed(&["--exclude", "Textures"]).contains("Rock"));
    assert!(!listed(&["--exclude", "Maps", "--exclude", "Config/"]).contains("Start"));
}

#[test]
fn what_matches_nothing_says_so() {
    let packed = two();
    let nothing = run(&packed, &["list", "@", "Mapz"]).expect(5);
    assert_eq!(nothing.stderr, "error: nothing matches \"Mapz\"; the nearest name is Demo/Content/Maps/\n");
    let beside = run(&packed, &["list", "@", "Maps", "Textrues", "zzzzzz"]).expect(0);
    assert_eq!(beside.stdout, "Demo/Content/Maps/Start.umap\n");
    let reported = "warning: \"Textrues\" matches nothing; the nearest name is Demo/Content/Textures/\n\
                warning: \"zzzzzz\" matches nothing\n";
    assert_eq!(beside.stderr, reported);
    let excluded =
        run(&packed, &["list", "@", "Maps", "--exclude", "Mpas", "--exclude", "Textures"]).expect(0);
    // Textures are there, but not among the maps.
    let reported = [
        "warning: --exclude \"Mpas\" matches nothing; the nearest name is Demo/Content/Maps/",
        "warning: --exclude \"Textures\" matches nothing",
    ];
    assert!(reported.iter().all(|reported| excluded.stderr.contains(reported)), "{}", excluded.stderr);
    let named = run(&packed, &["get", "@", "/Game/Maps/Stort"]).expect(5).stderr;
    assert!(named.contains("no chunk matches") && named.contains("Demo/Content/Maps/Start.umap"), "{named}");
    let mistyped = run(&packed, &["list", "@", "*/Txetures/*"]).expect(5).stderr;
    assert!(mistyped.contains("Demo/Content/Textures/"), "{mistyped}");
    // What matches in one of two builds is no mistake.
    let compared = run(&packed, &["diff", "@/demo.utoc", "@/more.utoc", "Rock", "Hero"]).expect(1);
    assert!(!compared.stderr.contains("warning"), "{}", compared.stderr);
}

#[test]
fn lines_of_a_list_that_name_nothing_are_told() {
    let packed = demo();
    let list = |lines: &str| {
        std::fs::write(packed.beside("list.txt"), lines).unwrap();
        run(&packed, &["list", "@/demo.utoc", "--files-from", "@/list.txt"])
    };
    let all = list("../../../demo/content/HERO.uasset\nDemo\\Content\\Hero.ubulk\n").expect(0);
    assert_eq!((all.stdout.lines().count(), &*all.stderr), (2, ""));
    let one = list("Demo/Content/Hero.uasset\nDemo/Content/Zero.uasset\n").expect(0);
    let said = "warning: 1 line of --files-from names no chunk: \"Demo/Content/Zero.uasset\"\n";
    assert_eq!((one.stdout.lines().count(), &*one.stderr), (1, said));
    let many = list("a\nb\nb\n0123456789abcdef01234567\nc\nd\nDemo/Config/Game.ini\n").expect(0);
    let said = "5 lines of --files-from name no chunk: \"a\", \"b\", \"0123456789abcdef01234567\", …\n";
    assert!(many.stderr.ends_with(said), "{}", many.stderr);
    assert!(list("a\n").expect(5).stderr.contains("1 line of --files-from names no chunk"));
}

#[test]
fn a_key_file_that_is_missing_is_a_usage_error() {
    let packed = demo();
    for args in [
        &["list", "@/demo.utoc", "--aes-key"][..],
        &["pack", "@/tree", "-o", "@/new.utoc", "--aes-key"],
        &["bench", "@/demo.utoc", "--aes-key"],
    ] {
        let folder = packed.folder.path().display().to_string();
        let filled = args.iter().map(|arg| arg.replace('@', &folder)).chain([format!("@{folder}/gone.json")]);
        let shown = crate::support::cli::uncask(filled).expect(2);
        assert!(shown.stderr.contains("cannot read key file"), "{}", shown.shown());
        assert!(shown.stderr.contains("gone.json"), "{}", shown.shown());
    }
}

#[test]
fn listings_are_in_the_order_of_paths() {
    let packed = two();
    let listed = |sort: &[&str]| {
        let shown = run(&packed, &[&["list", "@"], sort].concat()).expect(0).stdout;
        shown.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let by_path = listed(&[]);
    assert!(by_path.is_sorted() && by_path.len() == 6, "{by_path:?}");
    assert_eq!(listed(&["--sort", "path"]), by_path);
    for other in ["size", "stored", "offset", "none"] {
        let mut found = listed(&["--sort", other]);
        assert!(other == "none" || !found.is_sorted(), "{other}: {found:?}");
        found.sort();
        assert_eq!(found, by_path, "{other}");
    }
    let offsets = run(&packed, &["list", "@/demo.utoc", "--sort", "offset", "--json"]).expect(0).stdout;
    let offsets: serde_json::Value = serde_json::from_str(&offsets).unwrap();
    let offsets: Vec<u64> =
        offsets["chunks"].as_array().unwrap().iter().map(|row| row["offset"].as_u64().unwrap()).collect();
    assert!(offsets.is_sorted(), "{offsets:?}");
}

#[test]
fn no_chunk_is_of_the_type_invalid() {
    let packed = demo();
    let reported = run(&packed, &["list", "@", "--type", "invalid"]).expect(2).stderr;
    assert!(reported.contains("known types: ") && !reported.contains("known types: invalid"), "{reported}");
    assert!(!reported.contains(" invalid,"), "{reported}");
}

/// A million paths take a moment. The bound is far above that, and far below what comparing with all of them twice over,
/// or sorting them, would take.
#[test]
fn the_nearest_names_among_many_paths_are_found_at_once() {
    let names: Vec<String> =
        (0..20_000).map(|n| format!("Demo/Content/Folder{:03}/Asset{n:06}.uasset", n / 100)).collect();
    let files = names.iter().map(|name| (name.as_str(), Vec::new()));
    let packed = Packed::new(files.chain([("Demo/Content/Maps/Start.umap", Vec::new())]), &options());
    let took = |args: &[&str]| {
        let start = std::time::Instant::now();
        run(&packed, args);
        start.elapsed()
    };
    let base = (0..3).map(|_| took(&["list", "@/demo.utoc", "Maps"])).min().unwrap();
    let hinted = (0..3).map(|_| took(&["list", "@/demo.utoc", "Mapz"])).min().unwrap();
    assert!(hinted < base * 5 + std::time::Duration::from_millis(500), "{hinted:?}, without names {base:?}");
    let reported = run(&packed, &["list", "@/demo.utoc", "Mapz"]).expect(5).stderr;
    assert!(reported.contains("Demo/Content/Maps/"), "{reported}");
}

/// A command in a terminal of so many columns, by util-linux's `script`; `None` where there is none.
#[cfg(target_os = "linux")]
fn in_terminal(columns: usize, command: &str) -> Option<String> {
    let line = format!("stty cols {columns} rows 24 && {command}");
    let run = Command::new("script").args(["-qec", &line, "/dev/null"]).output().ok()?;
    Some(String::from_utf8(run.stdout).unwrap().replace("\r\n", "\n").replace('\r', "\n"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_what_fits() {
    let long_name = format!("pakchunk0-{}_P", "VeryLongName".repeat(8));
    let packed = two();
    for extension in ["utoc", "ucas"] {
        let from = packed.beside(&format!("more.{extension}"));
        std::fs::rename(from, packed.beside(&format!("{long_name}.{extension}"))).unwrap();
    }
    let uncask = format!("{} ", env!("CARGO_BIN_EXE_uncask"));
    let folder = packed.folder.path().display();
    for columns in [60, 80, 120, 200] {
        let Some(listed) = in_terminal(columns, &format!("{uncask} list {folder} -l")) else {
            return crate::support::say("skipped, no `script`: commands in a terminal");
        };
        let lines: Vec<&str> = listed.lines().collect();
        assert_eq!(lines.len(), 7, "{listed}");
        let at = lines[0].find("PATH").unwrap_or_else(|| panic!("{listed}"));
        assert!(at * 4 <= columns * 3, "{columns}: {listed}");
        for line in lines {
            assert!(line.chars().count() <= columns, "{columns}: {line}");
        }
        assert!(listed.contains("pak") && listed.contains("_P ") && listed.contains('…'), "{listed}");
        let table = in_terminal(columns, &format!("{uncask} {folder}")).unwrap();
        assert!(table.lines().all(|line| line.chars().count() <= columns), "{columns}: {table}");
        assert!(table.contains("total of"), "{table}");
    }
    let piped = run(&packed, &["list", "@", "-l"]).expect(0).stdout;
    assert!(piped.contains(&long_name), "{piped}");

    let binary =
        in_terminal(80, &format!("{uncask} get {folder}/demo.utoc Hero.ubulk; echo exit $?")).unwrap();
    assert!(
        binary.contains("binary data is not written to a terminal") && binary.contains("exit 2"),
        "{binary}"
    );
    let text = in_terminal(80, &format!("{uncask} get {folder}/demo.utoc Game.ini")).unwrap();
    assert!(text.starts_with("line 0 of a text"), "{text}");
}

/// The progress display of a running job.
#[cfg(target_os = "linux")]
#[test]
fn progress_fits_a_terminal_and_counts_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let mut sketch = Sketch::new(1 << 20);
    let content = prose(1 << 20);
    sketch.add(&content);
    // Half a gigabyte to check, and a megabyte to store.
    for _ in 1..512 {
        sketch.add_entry(0, &content);
    }
    sketch.write(folder.path());
    let command = format!("{} verify {} -j 1", env!("CARGO_BIN_EXE_uncask"), folder.path().display());
    let colours = regex::Regex::new("\u{1b}\\[[0-9;?]*[A-Za-z]").unwrap();
    for columns in [80, 50] {
        let Some(shown) = in_terminal(columns, &command) else {
            return crate::support::say("skipped, no `script`: progress in a terminal");
        };
        let plain = colours.replace_all(&shown, "\n").into_owned();
        assert!(plain.contains("verified 512 of 512 chunks"), "{plain}");
        let frames: Vec<&str> = plain.lines().filter(|line| line.contains('%')).collect();
        assert!(!frames.is_empty(), "{plain}");
        for frame in frames {
            assert!(frame.chars().count() <= columns, "{columns}: {frame}");
            assert!(frame.contains("/512 chunks") && !frame.contains("0 B/0 B"), "{frame}");
        }
    }
}

/// Long texts go on below themselves.
#[cfg(target_os = "linux")]
#[test]
fn inspected_texts_are_wrapped() {
    let Some(corpus) = crate::support::corpus::find() else { return };
    let texts = corpus.join("found/locres/v3-readyplayerme-Content_Localization_Game_en_Game.locres");
    let command = format!("{} inspect {}", env!("CARGO_BIN_EXE_uncask"), texts.display());
    let Some(shown) = in_terminal(80, &command) else {
        return crate::support::say("skipped, no `script`: texts in a terminal");
    };
    // The path itself is not broken.
    let lines: Vec<&str> = shown.lines().skip(1).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(lines.iter().filter(|line| line.starts_with("       ")).count() > 10, "{shown}");
}
