//! Windows specifics: shells, editors, paths. Anything that other systems can test is tested there, too.

use super::{KEY_HEX, demo, secret};
use crate::support::cli::{self, Run, command};
use crate::support::containers::Packed;

/// Runs a command in the folder of a container, as nobody does with a shell that expands wildcards.
fn run_there(packed: &Packed, args: &[&str]) -> Run {
    cli::run(command().current_dir(packed.folder.path()).args(args))
}

/// A text file as Windows PowerShell (`>`), Notepad ("UTF-16 LE", "UTF-16 BE", "UTF-8 with BOM") and others write it.
fn spellings(text: &str) -> [Vec<u8>; 4] {
    let marked = format!("\u{feff}{text}");
    let utf16 = |unit: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(unit).collect();

    [
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
        marked.clone().into_bytes(),
        text.as_bytes().to_owned(),
    ]
}

#[test]
fn lists_and_keys_are_read_as_editors_write_them() {
    let packed = secret();
    let (keys, list) = (packed.beside("keys.txt"), packed.beside("list.txt"));
    let key = format!("@{}", keys.display());
    let text = "Demo/Content/Hero.uasset\r\n\r\nDemo/Config/Game.ini\r\n";
    for (key_file, list_file) in spellings(&format!("# mine\r\n{KEY_HEX}\r\n")).iter().zip(spellings(text)) {
        std::fs::write(&keys, key_file).unwrap();
        std::fs::write(&list, &list_file).unwrap();
        let args = ["list", "demo.utoc", "--files-from", "list.txt", "--aes-key", &key];
        let listed = run_there(&packed, &args).expect(0);
        assert_eq!(listed.stdout, "Demo/Config/Game.ini\nDemo/Content/Hero.uasset\n", "{}", listed.shown());
        assert_eq!(listed.stderr, "");
    }
    std::fs::write(&list, b"\xFF\xFED\0\0\xD8").unwrap();
    let refused = run_there(&packed, &["list", "demo.utoc", "--files-from", "list.txt", "--aes-key", &key]);
    assert!(refused.expect(2).stderr.contains("list.txt: not UTF-16LE at offset 0x4"));
}

#[test]
fn wildcards_are_expanded_where_the_shell_does_not() {
    let packed = demo();
    for extension in ["utoc", "ucas"] {
        let copy = packed.beside(&format!("more.{extension}"));
        std::fs::copy(packed.toc.with_extension(extension), copy).unwrap();
    }
    for args in [&["info", "*.utoc"][..], &["info", "d*.utoc", "m*.utoc"], &["*.utoc"]] {
        let table = run_there(&packed, args).expect(0).stdout;
        assert!(table.contains("total of 2 containers"), "{args:?}: {table}");
    }
    for args in [&["list", "*.utoc", "--all"][..], &["list", "d*.utoc", "m*.utoc", "--all"]] {
        assert_eq!(run_there(&packed, args).expect(0).stdout.lines().count(), 10, "{args:?}");
    }
    assert_eq!(run_there(&packed, &["list", "demo.utoc", "*.umap"]).expect(0).stdout.lines().count(), 1);
    run_there(&packed, &["list", "none*.utoc"]).expect(3);
}

#[test]
fn what_cmd_does_with_quotes_is_explained() {
    let packed = demo();
    let quoted = run_there(&packed, &["list", "demo.utoc", "'*.umap'"]).expect(5).stderr;
    assert!(quoted.contains("cmd.exe does not remove single quotes: use double quotes"), "{quoted}");
    // What a program gets of `"C:\Game\" -l`.
    let joined = run_there(&packed, &["list", "Game\" -l"]).expect(3).stderr;
    assert_eq!(joined.contains("leave out the backslash"), cfg!(windows), "{joined}");
}

#[cfg(windows)]
mod only {
    use super::super::run;
    use super::*;
    use std::os::windows::fs::OpenOptionsExt as _;
    use std::path::{Path, PathBuf};

    /// The unpacked files, by path below the folder.
    fn unpacked(out: &Path) -> Vec<String> {
        let files = walkdir::WalkDir::new(out).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        files.map(|entry| entry.path().strip_prefix(out).unwrap().display().to_string()).collect()
    }

    /// A path on drive C as a share of this machine: `\\localhost\C$\…`.
    fn on_share(path: &Path) -> Option<PathBuf> {
        let path = path.to_str()?.strip_prefix(r"C:\")?;
        let share = PathBuf::from(format!(r"\\localhost\C$\{path}"));
        if !share.exists() {
            crate::support::say(r"skipped, \\localhost\C$ cannot be read: output to a share");
            return None;
        }
        Some(share)
    }

    #[test]
    fn a_share_is_read_and_written() {
        let packed = demo();
        let Some(share) = on_share(packed.folder.path()) else { return };
        let (toc, out) = (share.join("demo.utoc"), share.join("out"));
        let (toc, shown) = (toc.to_str().unwrap(), out.to_str().unwrap());
        cli::uncask(["unpack", toc, "-o", shown]).expect(0);
        let written = unpacked(&packed.beside("out"));
        assert_eq!(written.len(), 5, "{written:?}");
        cli::uncask(["unpack", toc, "-o", shown, "--resume"]).expect(0);
        let file = format!(r"{share}\a.ini", share = share.display());
        cli::uncask(["get", toc, "Game.ini", "-o", &file]).expect(0);
        assert_eq!(std::fs::read(packed.beside("a.ini")).unwrap().len(), 700);
        let verbatim = format!(r"\\?\UNC\{}", shown.trim_start_matches('\\'));
        cli::uncask(["unpack", toc, "-o", &format!("{verbatim}2")]).expect(0);
        assert_eq!(unpacked(&packed.beside("out2")), written);
    }

    #[test]
    fn paths_in_every_spelling() {
        let packed = demo();
        let folder = packed.folder.path().to_str().unwrap().to_owned();
        let verbatim = format!(r"\\?\{folder}");
        let slashes = folder.replace('\\', "/");
        // On the drive of the current folder, and relative to the current folder of a drive.
        let drive = folder.get(..2).unwrap();
        for (at, root) in [&folder, &verbatim, &slashes, drive, "."].into_iter().enumerate() {
            let join =
                |name: &str| if root == drive { format!("{drive}{name}") } else { format!(r"{root}\{name}") };
            let out = format!("out{at}");
            run_there(&packed, &["unpack", &join("demo.utoc"), "-o", &join(&out)]).expect(0);
            assert_eq!(unpacked(&packed.beside(&out)).len(), 5, "{root}");
            let address = join("demo.utoc:/Demo/Config/Game.ini");
            let inspected = run_there(&packed, &["inspect", &address]);
            assert!(inspected.stdout.contains("Game.ini"), "{address}: {}", inspected.shown());
        }
    }

    #[test]
    fn a_path_has_one_kind_of_separator() {
        let packed = demo();
        let folder = packed.folder.path().to_str().unwrap();
        let held = packed.beside(r"out\Demo\Content\Hero.uasset");
        std::fs::create_dir_all(held.parent().unwrap()).unwrap();
        std::fs::create_dir(&held).unwrap();
        let failed = run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out"]).expect(1).stderr;
        assert!(failed.contains(&held.display().to_string()), "{failed}");
        let table = run_there(&packed, &["info", &folder.replace('\\', "/"), "--json"]).expect(0).stdout;
        assert!(table.contains(&packed.toc.display().to_string().replace('\\', r"\\")), "{table}");
    }

    #[test]
    fn the_null_device_takes_what_it_gets() {
        let packed = demo();
        for name in ["NUL", "nul", r"\\.\NUL"] {
            run_there(&packed, &["get", "demo.utoc", "Hero.ubulk", "-o", name]).expect(0);
        }
        run_there(&packed, &["report", "demo.utoc", "-o", "NUL"]).expect(0);
        let names: Vec<_> = std::fs::read_dir(packed.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names.len(), 3, "{names:?}");
    }

    #[test]
    fn a_file_that_is_held_open_is_waited_for_and_then_told() {
        let packed = demo();
        let held = packed.beside(r"out\Demo\Content\Hero.uasset");
        run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out"]).expect(0);
        let alone = std::fs::OpenOptions::new().read(true).share_mode(0).open(&held).unwrap();
        let failed = run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out"]).expect(1).stderr;
        assert!(
            failed.contains("cannot rename to") && failed.contains("another program may have it open"),
            "{failed}"
        );
        assert!(failed.contains("1 failed, 4 already there"), "{failed}");
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            drop(alone);
        });
        run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out"]).expect(0);
        assert_eq!(unpacked(&packed.beside("out")).len(), 5, "nothing else is left");
    }

    #[test]
    fn containers_that_a_running_game_holds_are_told_with_advice() {
        let packed = demo();
        let alone = std::fs::OpenOptions::new().read(true).share_mode(0).open(&packed.toc).unwrap();
        let failed = run(&packed, &["list", "@/demo.utoc"]).expect(3).stderr;
        assert!(failed.contains("end the program that has the file open, such as the game"), "{failed}");
        drop(alone);
        run(&packed, &["list", "@/demo.utoc"]).expect(0);
    }

    #[test]
    fn a_folder_is_the_same_in_any_case() {
        let packed = demo();
        std::fs::create_dir_all(packed.beside(r"OUT\DEMO\content")).unwrap();
        run(&packed, &["unpack", "@/demo.utoc", "-o", "@/out"]).expect(0);
        assert_eq!(unpacked(&packed.beside("out")).len(), 5);
        let again = run(&packed, &["unpack", "@/demo.utoc", "-o", "@/Out", "--resume"]).expect(0).stderr;
        assert!(again.contains('5'), "{again}");
        assert_eq!(std::fs::read_dir(packed.folder.path()).unwrap().count(), 4, "tree, table, data, out");
    }
}

/// Its resources, as they lie in the file: the manifest as text, fields of the version in UTF-16, the icon.
#[cfg(windows)]
#[test]
fn the_program_has_a_manifest_a_version_and_an_icon() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_uncask")).unwrap();
    let has = |wanted: &[u8]| program.windows(wanted.len()).any(|bytes| bytes == wanted);
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    assert!(has(b">true</longPathAware>") && has(b">UTF-8</activeCodePage>"), "manifest");
    assert!(has(&wide("FileVersion")) && has(&wide("FileDescription")), "version");
    assert!(has(&wide(concat!(env!("CARGO_PKG_VERSION")))), "{}", env!("CARGO_PKG_VERSION"));
    let icon = include_bytes!("../../../src/bin/uncask/windows/uncask.ico");
    let large = icon.windows(4).position(|bytes| bytes == b"\x89PNG").unwrap();
    assert!(has(&icon[large..]), "icon");
}
