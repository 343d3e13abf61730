//! Inputs and outputs that are no files, folders that cannot be read or never end, names that are no text: nothing hangs,
//! nothing is lost silently.

use crate::support::cli::{Run, command, run_within};
use crate::support::containers::{Packed, noise};
use crate::support::corpus;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use uncask::pack::PackOptions;

/// Time limit of each run; without an end, it would take forever.
const LIMIT: Duration = Duration::from_secs(60);

fn demo() -> Packed {
    let files = [("Game/a.uasset", noise(3000, 1)), ("Game/sub/b.ubulk", noise(300_000, 2))];
    Packed::new(files, &PackOptions::default())
}

fn run(args: &[&OsStr]) -> Run {
    run_within(LIMIT, command().args(args))
}

/// Runs a command on a path, with more arguments.
fn on(name: &str, path: &Path, more: &[&str]) -> Run {
    let more = more.iter().map(OsStr::new);
    run(&[OsStr::new(name), path.as_os_str()].into_iter().chain(more).collect::<Vec<_>>())
}

fn mode(bits: u32) -> std::fs::Permissions {
    PermissionsExt::from_mode(bits)
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Puts a FIFO, then a link to a device that never ends, in the place of a file.
fn in_the_place_of(path: &Path, check: impl Fn(&str)) {
    std::fs::remove_file(path).unwrap();
    mkfifo(path);
    check("is a FIFO, not a regular file");
    std::fs::remove_file(path).unwrap();
    symlink("/dev/zero", path).unwrap();
    check("is a device, not a regular file");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn data_that_is_no_file_fails_its_chunks() {
    let packed = demo();
    let out = packed.beside("out").display().to_string();
    in_the_place_of(&packed.data(), |reported| {
        for (name, more) in [("verify", &[][..]), ("unpack", &["-o", &out]), ("to-legacy", &["-o", &out])] {
            let ran = on(name, &packed.toc, more).expect(1);
            assert!(ran.stderr.contains(reported) && ran.stderr.contains("demo.ucas"), "{}", ran.shown());
        }
    });
}

#[test]
fn containers_that_are_no_files_are_inputs_that_cannot_be_read() {
    let packed = demo();
    let pak = packed.beside("x.pak");
    std::fs::write(&pak, "").unwrap();
    for path in [&packed.toc, &pak] {
        in_the_place_of(path, |reported| {
            for name in ["list", "verify", "inspect"] {
                let ran = on(name, path, &[]).expect(3);
                assert!(ran.stderr.contains(reported), "{}", ran.shown());
            }
        });
    }
}

#[test]
fn loose_files_that_are_no_files_are_told() {
    let packed = demo();
    let (asset, registry) = (packed.beside("x.uasset"), packed.beside("AssetRegistry.bin"));
    std::fs::write(&registry, "").unwrap();
    in_the_place_of(&registry, |_| drop(on("list", &packed.toc, &[]).expect(0)));
    let out = packed.beside("out").display().to_string();
    std::fs::write(&asset, "").unwrap();
    in_the_place_of(&asset, |reported| {
        for (name, more) in
            [("inspect", &[][..]), ("thumbnails", &["-o", &out]), ("to-legacy", &["-o", &out])]
        {
            let ran = on(name, &asset, more);
            assert!(ran.code != 0 && ran.stderr.contains(reported), "{name}: {}", ran.shown());
        }
    });
}

/// Two links on each of 24 levels are sixteen million paths to 25 folders.
#[test]
fn a_folder_that_many_links_lead_to_is_searched_once() {
    let packed = demo();
    let folders = packed.beside("folders");
    for level in 0..24 {
        let here = folders.join(format!("l{level}"));
        std::fs::create_dir_all(&here).unwrap();
        for link in ["a", "b"] {
            symlink(folders.join(format!("l{}", level + 1)), here.join(link)).unwrap();
        }
    }
    let last = folders.join("l24");
    std::fs::create_dir(&last).unwrap();
    symlink(&packed.toc, last.join("demo.utoc")).unwrap();
    symlink(packed.data(), last.join("demo.ucas")).unwrap();
    symlink("nowhere", last.join("gone.utoc")).unwrap();
    symlink(&folders, last.join("round")).unwrap();
    let listed = on("list", &folders.join("l0"), &[]).expect(0);
    assert_eq!((listed.stdout.lines().count(), listed.stderr.as_str()), (2, ""), "{}", listed.shown());
    on("verify", &folders.join("l0"), &[]).expect(0);
    let found = on("thumbnails", &folders.join("l0"), &["-o", &packed.beside("out").display().to_string()]);
    found.expect(5);
}

/// The command as a user who may not read everything.
fn as_somebody(packed: &Packed) -> Command {
    let mut command = command();
    let open = std::fs::metadata(packed.folder.path()).unwrap();
    if open.uid() == 0 {
        std::fs::set_permissions(packed.folder.path(), mode(0o777)).unwrap();
        command.uid(65_534).gid(65_534);
    }
    command
}

#[test]
fn a_folder_that_cannot_be_read_is_told_and_the_rest_is_done() {
    let packed = demo();
    let closed = packed.beside("tree/Game/closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, mode(0)).unwrap();
    let reported = format!("cannot read folder: Permission denied (os error 13): {}", closed.display());
    let out = packed.beside("out");
    let mut outcomes = Vec::new();
    for (name, input, code) in [
        ("list", packed.folder.path().to_owned(), 3),
        ("verify", packed.folder.path().to_owned(), 3),
        ("unpack", packed.folder.path().to_owned(), 3),
        ("list", packed.beside("tree"), 3),
        ("thumbnails", packed.beside("tree"), 3),
    ] {
        let mut command = as_somebody(&packed);
        command.arg(name).arg(input);
        if matches!(name, "unpack" | "thumbnails") {
            command.arg("-o").arg(&out);
        }
        let ran = run_within(LIMIT, &mut command).expect(code);
        assert!(ran.stderr.contains(&reported), "{name}: {}", ran.shown());
        outcomes.push(ran.stderr);
    }
    std::fs::set_permissions(&closed, mode(0o755)).unwrap();
    assert!(outcomes[2].contains("unpacked 2 of 2 chunks"), "{}", outcomes[2]);
}

/// Loose packages beside a folder that cannot be read are converted, and the exit code says that it was not all.
#[test]
fn loose_packages_beside_a_folder_that_cannot_be_read() {
    let Some(corpus) = corpus::find() else { return };
    let packed = demo();
    let folder = packed.beside("loose");
    std::fs::create_dir_all(folder.join("closed")).unwrap();
    let asset = "packages/ue5.4/BP_Table_Lamp.uzenasset";
    std::fs::copy(corpus.join(asset), folder.join("BP_Table_Lamp.uzenasset")).unwrap();
    std::fs::set_permissions(folder.join("closed"), mode(0)).unwrap();
    let mut command = as_somebody(&packed);
    command.arg("to-legacy").arg(&folder).arg("-o").arg(packed.beside("out"));
    let ran = run_within(LIMIT, &mut command);
    std::fs::set_permissions(folder.join("closed"), mode(0o755)).unwrap();
    let ran = ran.expect(3);
    assert!(ran.stderr.contains("warning: cannot read folder: Permission denied"), "{}", ran.shown());
    assert!(ran.stderr.contains("converted 1 of 1"), "{}", ran.shown());
}

#[test]
fn a_container_whose_name_is_no_text() {
    let options = PackOptions { partition_size: Some(1 << 18), ..PackOptions::default() };
    let files = (0..4).map(|n| (["a.bin", "b.bin", "c.bin", "d.bin"][n], noise(200_000, n as u64)));
    let packed = Packed::new(files, &options);
    let name = |end: &str| {
        let folder = packed.folder.path().as_os_str().as_bytes();
        std::path::PathBuf::from(OsStr::from_bytes(&[folder, b"/b\xfcrg", end.as_bytes()].concat()))
    };
    for end in [".utoc", ".ucas", "_s1.ucas", "_s2.ucas", "_s3.ucas"] {
        std::fs::rename(packed.beside(&format!("demo{end}")), name(end)).unwrap();
    }
    for end in [".utoc", "_s2.ucas"] {
        let ran = on("verify", &name(end), &[]).expect(0);
        assert!(ran.stderr.contains("verified 4 of 4 chunks"), "{}", ran.shown());
    }
    std::fs::remove_file(name("_s1.ucas")).unwrap();
    let ran = on("verify", &name(".utoc"), &[]).expect(3);
    assert!(ran.stderr.contains("data file is missing: ") && ran.stderr.contains("b\u{fffd}rg_s1.ucas"));
}

#[test]
fn what_is_no_file_in_the_output_folder_is_replaced_and_a_folder_is_an_error() {
    let packed = demo();
    let out = packed.beside("out");
    let unpack = |more: &[&str]| on("unpack", &packed.toc, &[&["-o", out.to_str().unwrap()], more].concat());
    std::fs::create_dir_all(out.join("Game")).unwrap();
    let fifo = out.join("Game/a.uasset");
    mkfifo(&fifo);
    let kept = unpack(&["--overwrite", "never"]).expect(0);
    assert!(kept.stderr.contains("1 skipped"), "{}", kept.shown());
    assert!(std::fs::metadata(&fifo).unwrap().file_type().is_fifo());
    let manifest = packed.beside("manifest").display().to_string();
    for resume in [&["--manifest", &manifest][..], &["--resume"]] {
        unpack(resume).expect(0);
        assert_eq!(std::fs::read(&fifo).unwrap(), noise(3000, 1));
        std::fs::remove_file(&fifo).unwrap();
        mkfifo(&fifo);
    }
    let checked = on("verify", &out, &["--manifest", &manifest]).expect(1);
    assert!(checked.stderr.contains("is a FIFO, not a regular file"), "{}", checked.shown());

    std::fs::remove_file(&fifo).unwrap();
    std::fs::create_dir(&fifo).unwrap();
    for overwrite in ["never", "always"] {
        let failed = unpack(&["--overwrite", overwrite]).expect(1);
        assert!(failed.stderr.contains("cannot rename to: Is a directory"), "{}", failed.shown());
    }
}

#[test]
fn get_writes_into_what_is_no_file() {
    let packed = demo();
    let get = |path: &Path| on("get", &packed.toc, &["Game/sub/b.ubulk", "-o", path.to_str().unwrap()]);
    let fifo = packed.beside("fifo");
    mkfifo(&fifo);
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || std::fs::read(fifo).unwrap()
    });
    get(&fifo).expect(0);
    assert_eq!(reader.join().unwrap(), noise(300_000, 2));
    assert!(std::fs::metadata(&fifo).unwrap().file_type().is_fifo());

    let null = packed.beside("null");
    // Only root may make one.
    if !Command::new("mknod").arg(&null).args(["c", "1", "3"]).output().unwrap().status.success() {
        symlink("/dev/null", &null).unwrap();
    }
    get(&null).expect(0);
    assert!(std::fs::metadata(&null).unwrap().file_type().is_char_device());

    let file = packed.beside("file");
    symlink(&file, packed.beside("link")).unwrap();
    std::fs::write(&file, "old").unwrap();
    get(&packed.beside("link")).expect(0);
    assert!(std::fs::read(&file).unwrap() == noise(300_000, 2) && packed.beside("link").is_symlink());
    get(&packed.beside("tree")).expect(1);
}

/// 32,000 chunks of one id and one path.
#[test]
fn names_for_chunks_that_are_all_the_same() {
    let Some(corpus) = corpus::find() else { return };
    let toc = corpus.join("hostile/dup_quadratic/d.utoc");
    let run = on("unpack", &toc, &["-o", "unused", "--dry-run", "-q"]).expect(0);
    let names: std::collections::HashSet<&str> = run.stdout.lines().collect();
    assert_eq!(names.len(), 32_000);
    assert!(names.iter().all(|name| name.len() <= 255));
}
