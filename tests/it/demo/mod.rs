//! The demo in `testdata`: what it is made of, and that every command of the README works on it.

mod content;
#[cfg(unix)]
mod readme;

use crate::commands::made::{Links, header};
use crate::support::cli::uncask;
use crate::support::containers::{open, write_tree};
use crate::support::cpu;
use crate::support::zen::script_objects;
use content::{CLASSES, Cook, File, Lens, base, big, extra, start};
use std::path::{Path, PathBuf};
use uncask::codec::Method;
use uncask::container::Toc;
use uncask::crypto::AesKey;
use uncask::id::Guid;
use uncask::pack::{PackOptions, pack};
use uncask::report::Silent;
use uncask::store::package_path;
use uncask::version::{TocVersion, ZenGeneration};

/// The key of the encrypted container: 32 times 0x11.
const KEY: [u8; 32] = [0x11; 32];
const KEY_TEXT: &str = "0x1111111111111111111111111111111111111111111111111111111111111111";

/// Makes all containers below a folder.
fn make(folder: &Path, lens: &Lens) {
    use TocVersion as Toc;
    let cook = |generation, toc| Cook { generation, toc, lens };
    let of_5_3 = cook(ZenGeneration::DependencyBundles, Toc::PerfectHashWithOverflow);
    let of_5_5 = cook(ZenGeneration::PaddedBulkMap, Toc::ReplaceIoChunkHashWithIoHash);
    let of_6_0 = cook(ZenGeneration::Cells, Toc::ContainerEncryptionMethod);
    let one = |name: &str, cook: Cook<'_>, files: Vec<File>, options: PackOptions| {
        let tree = tempfile::tempdir().unwrap();
        write_tree(tree.path(), files);
        let options = PackOptions { version: cook.toc, ..options };
        pack(tree.path(), &folder.join(name), &options, cpu(), &Silent).unwrap()
    };
    let with = |method: Method| PackOptions { method, ..PackOptions::default() };
    // Only a header that comes along knows soft references.
    let links =
        Links { hard: &[("/Game/Data/DA_Doors", &[])], soft: &[&["/Game/Maps/Cave"]], ..Links::default() };
    let soft = ("chunks/112233445566778800000006.container_header", header(links));
    one("demo/pakchunk0-Demo.utoc", of_5_5, [base(of_5_5), vec![soft]].concat(), with(Method::Zlib));
    one("demo/pakchunk1-Demo.utoc", of_5_3, extra(of_5_3), with(Method::Lz4));
    let split = PackOptions { partition_size: Some(128 << 10), ..with(Method::Zstd) };
    one("demo/pakchunk2-Demo.utoc", of_6_0, big(of_6_0), split);
    one("demo/pakchunk0-Demo_0_P.utoc", of_5_5, vec![start(of_5_5, true)], with(Method::None));
    let scripts = vec![("chunks/000000000000000000000005.script_objects", script_objects(&CLASSES))];
    let bare = PackOptions { directory_index: false, ..PackOptions::default() };
    one("demo/global.utoc", of_5_5, scripts, bare);
    let secret = PackOptions { key: Some((Guid::ZERO, AesKey::new(KEY))), ..with(Method::Zlib) };
    one("encrypted/secret-Demo.utoc", of_5_5, extra(of_5_5), secret);
}

/// The lengths of the headers that the packages of the demo become, as the cooker would have written them: no package
/// loses anything on its way.
fn header_lens(folder: &Path) -> Lens {
    let out = folder.join("legacy");
    let [demo, to] = [folder.join("demo"), out.clone()].map(|path| path.display().to_string());
    uncask(["to-legacy", &demo, "-o", &to]).expect(0);
    let files = walkdir::WalkDir::new(&out).into_iter().map(|entry| entry.unwrap().into_path());
    let headers = files.filter(|path| {
        path.extension().is_some_and(|extension| extension == "uasset" || extension == "umap")
    });
    let name = |path: &Path| {
        let path = path.strip_prefix(&out).unwrap().with_extension("");
        package_path::to_package_names(path.to_str().unwrap()).swap_remove(0)
    };
    headers.map(|path| (name(&path), u32::try_from(path.metadata().unwrap().len()).unwrap())).collect()
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

/// Everything about the containers below a folder but how well they are compressed, which may change with the codecs.
fn facts(folder: &Path) -> Vec<String> {
    let mut facts = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap) {
        if entry.path().extension().is_none_or(|extension| extension != "utoc") {
            continue;
        }
        let store = open(entry.path(), &[KEY_TEXT]);
        let [container] = store.containers() else { panic!("one container") };
        let toc = container.table();
        let methods: Vec<&str> = toc.methods().names().collect();
        let name = entry.path().strip_prefix(folder).unwrap().display();
        facts.push(format!(
            "{name}: {:?}, {methods:?}, encrypted: {}",
            toc.iostore().map(Toc::version),
            toc.is_encrypted()
        ));
        for entry in store.entries() {
            let meta = toc.meta(entry.chunk).unwrap();
            let (id, len) = (store.chunk_id(entry).unwrap(), toc.chunk_len(entry.chunk));
            facts.push(format!("  {id} {len} {} {}", meta.hash, store.display_path(entry)));
        }
    }
    facts
}

/// `UPDATE_TESTDATA=1` writes the demo again.
#[test]
fn the_demo_is_what_is_made_here() {
    let (draft, made) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    make(draft.path(), &Lens::new());
    make(made.path(), &header_lens(draft.path()));
    for folder in ["demo", "encrypted"] {
        let (made, kept) = (made.path().join(folder), testdata().join(folder));
        if std::env::var_os("UPDATE_TESTDATA").is_some() {
            std::fs::remove_dir_all(&kept).unwrap();
            let files = std::fs::read_dir(&made).unwrap().map(|entry| entry.unwrap());
            let content = files.map(|file| (file.file_name(), std::fs::read(file.path()).unwrap()));
            let content: Vec<_> = content.map(|(name, bytes)| (name.into_string().unwrap(), bytes)).collect();
            write_tree(&kept, content.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())));
        }
        assert_eq!(facts(&kept), facts(&made));
    }
}

#[test]
fn the_packages_of_the_demo_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [out, report] = ["out", "report.json"].map(|name| folder.path().join(name).display().to_string());
    let demo = testdata().join("demo").display().to_string();
    let ran = uncask(["to-legacy", &demo, "-o", &out, "--check", "--report", &report]).expect(0);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    let assets = report["assets"].as_array().unwrap();
    assert_eq!(assets.len(), 8, "{}", ran.stderr);
    for asset in assets {
        // Zen packages do not keep the GUID that packages had before 5.6.
        let losses = asset["losses"].as_array().unwrap();
        assert!(losses.iter().all(|loss| loss["kind"] == "package_guid"), "{asset:#}");
    }
}

/// There and back: what `to-legacy` makes of the demo, `to-zen` makes a container of that `to-legacy` makes the same of, for every
/// engine that the demo is of.
#[test]
fn the_demo_survives_to_legacy_and_to_zen() {
    let demo = testdata().join("demo");
    for (name, engine, packages) in [
        ("pakchunk0-Demo", "5.5", 6),
        ("pakchunk1-Demo", "5.3", 1),
        ("pakchunk2-Demo", "6.0", 1),
        ("pakchunk0-Demo_0_P", "5.5", 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name).display().to_string();
        let original = demo.join(name).with_extension("utoc").display().to_string();
        let made = place(&format!("{name}.utoc"));
        let to_legacy = |from: &str, to: &str| {
            uncask(["to-legacy", from, "-o", to, "--base", &demo.display().to_string()]).expect(0);
        };
        to_legacy(&original, &place("first"));
        uncask(["to-zen", &place("first"), "-o", &made, "--engine", engine, "--like", &original]).expect(0);
        to_legacy(&made, &place("second"));
        let files = |name: &str| -> Vec<(PathBuf, Vec<u8>)> {
            let root = folder.path().join(name);
            let entries = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(Result::unwrap);
            let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
            files
                .map(|path| (path.strip_prefix(&root).unwrap().into(), std::fs::read(&path).unwrap()))
                .collect()
        };
        let (first, second) = (files("first"), files("second"));
        let ends = |end: &str| first.iter().filter(|(path, _)| path.to_str().unwrap().ends_with(end)).count();
        assert_eq!(ends(".uasset") + ends(".umap"), packages, "{name}");
        assert!(first == second, "{name}");
    }
}
