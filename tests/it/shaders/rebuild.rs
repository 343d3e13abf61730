//! From containers to files.

use super::made::Made;
use crate::support::containers::{Packed, noise, open};
use crate::support::{block_on, context, cpu};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use uncask::codec::Method;
use uncask::container::shader_library::{LooseShaderLibrary, ShaderLibrary};
use uncask::crypto::AesKey;
use uncask::error::{Error, ErrorKind, Result};
use uncask::extract::{RebuiltShaderLibrary, rebuild_shader_library, shader_library_path};
use uncask::id::{Guid, RawChunkId};
use uncask::job::{Budget, Context};
use uncask::pack::PackOptions;
use uncask::report::{Event, Observer};
use uncask::sink::{DirectorySink, MemorySink, OutputPath, Overwrite, PutOutcome};
use uncask::store::{Store, StoreOptions};

const NAME: &str = "Demo-PCD3D_SM6-PCD3D_SM6";
const KEY: &str = "0x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn packed(files: impl Iterator<Item = (String, Vec<u8>)>, options: &PackOptions) -> Packed {
    let files: Vec<(String, Vec<u8>)> = files.collect();
    Packed::new(files.iter().map(|(path, content)| (path.as_str(), content.clone())), options)
}

fn everything(made: &Made) -> impl Iterator<Item = (String, Vec<u8>)> {
    std::iter::once(made.index_file()).chain(made.group_files())
}

/// Rebuilds the library with this id into a file `out/library`, and reads that.
fn rebuild(
    store: &Store,
    id: RawChunkId,
    out: &Path,
    context: &Context,
) -> Result<(RebuiltShaderLibrary, Vec<u8>)> {
    let entry = store.find(id).unwrap();
    let sink = DirectorySink::open(out).unwrap();
    let path = OutputPath::sanitize("library");
    let job = rebuild_shader_library(store, entry, &sink, &path, Overwrite::Different, context);
    let (rebuilt, put) = block_on(job)?;
    assert_eq!(put, PutOutcome::Written);
    Ok((rebuilt, std::fs::read(out.join("library")).unwrap()))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap());
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

/// Compares a file with the code it should hold.
#[track_caller]
fn assert_holds(file: &[u8], made: &Made) {
    let loose = LooseShaderLibrary::parse(file).unwrap();
    let total: usize = made.code.iter().map(Vec::len).sum();
    assert_eq!(file.len() as u64, loose.header_len() + total as u64);
    let code = &file[usize::try_from(loose.header_len()).unwrap()..];
    for (shader, expected) in loose.shaders.iter().zip(&made.code) {
        let start = usize::try_from(shader.offset).unwrap();
        assert!(code[start..start + expected.len()] == *expected);
        assert_eq!((shader.stored_len, shader.raw_len as usize), (shader.raw_len, expected.len()));
    }
    for (map, shaders) in loose.shader_maps.iter().zip(&made.maps) {
        let range = map.shaders.bounds().unwrap();
        assert_eq!(loose.indices[range], *shaders);
        // What is preloaded is what the map needs.
        let preload: u64 = loose.preload[map.preload.bounds().unwrap()].iter().map(|entry| entry.len).sum();
        let needed: usize = shaders.iter().map(|shader| made.code[*shader as usize].len()).sum();
        assert_eq!(preload, needed as u64);
    }
}

#[test]
fn every_second_compression_in_every_kind_of_container() {
    let key = Some((Guid::ZERO, AesKey::new(std::array::from_fn(|at| u8::try_from(at).unwrap()))));
    for method in Method::ALL {
        if method == Method::Zstd && cfg!(not(feature = "zstd")) {
            continue;
        }
        for key in [None, key.clone()] {
            let made = Made::new(method, NAME);
            let options = PackOptions { key, method: Method::Zlib, ..PackOptions::default() };
            let packed = packed(everything(&made), &options);
            let store = open(&packed.toc, &[KEY]);
            let (rebuilt, file) = rebuild(&store, made.id, &packed.beside("out"), &context()).unwrap();
            let len = file.len() as u64;
            assert_eq!(
                rebuilt,
                RebuiltShaderLibrary { shader_maps: 3, shaders: 7, groups: 4, len },
                "{method}"
            );
            assert_holds(&file, &made);
            assert_eq!(files(&packed.beside("out")).len(), 1, "nothing else is left");
        }
    }
}

#[test]
fn code_may_lie_in_any_container_and_memory_may_be_short() {
    let made = Made::new(Method::Oodle, NAME);
    let libraries = packed(std::iter::once(made.index_file()), &PackOptions::default());
    let code = packed(made.group_files(), &PackOptions::default());
    let options = StoreOptions::default();
    let both = Store::open(&[libraries.toc.clone(), code.toc.clone()], &[], &options).unwrap();
    let lent =
        Store::open(std::slice::from_ref(&libraries.toc), std::slice::from_ref(&code.toc), &options).unwrap();
    for (number, store) in [both, lent].iter().enumerate() {
        // The largest group has 200,000 bytes of code, and is the only one in memory then.
        let context = Context::new(cpu().clone(), Budget::new(200 << 10), true);
        let out = libraries.beside(&format!("out{number}"));
        assert_holds(&rebuild(store, made.id, &out, &context).unwrap().1, &made);
        assert_eq!(context.budget().available(), context.budget().total());
    }
}

#[test]
fn the_observer_hears_of_every_group() {
    struct Sum(AtomicU64, AtomicU64);
    impl Observer for Sum {
        fn on(&self, event: &Event<'_>) {
            if let Event::Advanced { chunks, raw_bytes } = event {
                self.0.fetch_add(*chunks, Ordering::Relaxed);
                self.1.fetch_add(*raw_bytes, Ordering::Relaxed);
            }
        }
    }
    let made = Made::new(Method::None, NAME);
    let packed = packed(everything(&made), &PackOptions::default());
    let store = open(&packed.toc, &[]);
    let (sink, heard) = (MemorySink::default(), Arc::new(Sum(AtomicU64::new(0), AtomicU64::new(0))));
    let context = context().with_observer(Arc::clone(&heard) as _);
    let entry = store.find(made.id).unwrap();
    let path = shader_library_path(&store, entry);
    let job = rebuild_shader_library(&store, entry, &sink, &path, Overwrite::Different, &context);
    block_on(job).unwrap();
    let total: usize = made.code.iter().map(Vec::len).sum();
    assert_eq!((heard.0.load(Ordering::Relaxed), heard.1.load(Ordering::Relaxed)), (4, total as u64));
}

/// A library that is there already stays; one that differs anywhere is replaced, unless nothing may be.
#[cfg(feature = "cli")]
#[test]
fn a_library_that_is_there_is_not_written_again() {
    use crate::support::cli::uncask;
    let made = Made::new(Method::Zlib, NAME);
    let packed = packed(everything(&made), &PackOptions::default());
    let (toc, out) = (packed.toc.to_str().unwrap().to_owned(), packed.beside("out"));
    let run = |more: &[&str]| {
        let args = ["to-legacy", &toc, "-o", out.to_str().unwrap(), "--json"];
        let run = uncask([&args[..], more].concat()).expect(0);
        let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        ["count", "kept", "unchanged"].map(|name| report[name].as_u64().unwrap())
    };
    assert_eq!(run(&[]), [1, 0, 0]);
    let [path] = &files(&out)[..] else { panic!("one file") };
    let (expected, modified) =
        (std::fs::read(path).unwrap(), || path.metadata().unwrap().modified().unwrap());
    let before = modified();
    assert_eq!(run(&[]), [0, 0, 1]);
    assert_eq!((run(&["--overwrite", "never"]), modified()), ([0, 1, 0], before), "nothing was written");
    let in_header = |bytes: &mut Vec<u8>| bytes[20] ^= 1;
    let at_the_end = |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() ^= 1;
    let longer = |bytes: &mut Vec<u8>| bytes.push(0);
    let damages: [fn(&mut Vec<u8>); 4] = [in_header, at_the_end, longer, Vec::clear];
    for damage in damages {
        let mut changed = expected.clone();
        damage(&mut changed);
        std::fs::write(path, &changed).unwrap();
        assert_eq!(run(&["--overwrite", "never"]), [0, 1, 0]);
        assert_eq!(run(&[]), [0, 1, 0], "somebody has changed it");
        assert!(std::fs::read(path).unwrap() == changed);
        assert_eq!(run(&["--overwrite", "different"]), [1, 0, 0]);
        assert!(std::fs::read(path).unwrap() == expected);
        assert_eq!(files(&out).len(), 1, "nothing else is left");
    }
    assert_eq!(run(&["--overwrite", "always"]), [1, 0, 0]);
}

#[test]
fn files_are_named_as_the_cooker_names_them() {
    let fallback = RawChunkId::new(7, 0, 8);
    let libraries = [
        (
            Made::new(Method::None, NAME),
            "Demo/Content/ShaderArchive-Demo-PCD3D_SM6-PCD3D_SM6.ushaderbytecode",
        ),
        (
            Made::new(Method::None, "Global-PCD3D_SM5"),
            "Demo/Content/ShaderArchive-Global-PCD3D_SM5.ushaderbytecode",
        ),
        (
            Made::new(Method::None, "Extra-SF_VULKAN_SM6-VULKAN_SM6"),
            "Demo/Plugins/Extra/Content/ShaderArchive-Extra-SF_VULKAN_SM6-VULKAN_SM6.ushaderbytecode",
        ),
        (
            Made { id: fallback, ..Made::new(Method::None, NAME) },
            "chunks/070000000000000000000008.ushaderbytecode",
        ),
    ];
    let others = ["Demo/Content/A.uasset", "Demo/Plugins/Extra/Content/B.uasset", "Engine/Content/C.uasset"]
        .map(|path| (path.to_owned(), b"package".to_vec()));
    let files = libraries.iter().map(|(made, _)| made.index_file()).chain(others);
    let packed = packed(files, &PackOptions::default());
    let store = open(&packed.toc, &[]);
    for (made, path) in &libraries {
        let entry = store.find(made.id).unwrap();
        assert_eq!(shader_library_path(&store, entry).as_str(), *path);
    }
}

/// Rebuilds a library from damaged chunks: the error, and what is left on disk.
fn broken(made: &Made, files: impl Iterator<Item = (String, Vec<u8>)>) -> Error {
    let packed = packed(files, &PackOptions::default());
    failed(&packed, made, &context())
}

fn failed(packed: &Packed, made: &Made, context: &Context) -> Error {
    let out = packed.beside("out");
    let error = rebuild(&open(&packed.toc, &[]), made.id, &out, context).unwrap_err();
    assert_eq!(files(&out), Vec::<PathBuf>::new(), "no file, and no part of one");
    error
}

#[test]
fn a_group_that_is_missing_or_damaged_is_named() {
    let made = Made::new(Method::Zlib, NAME);
    let changed = |change: &dyn Fn(&mut Made)| {
        let mut changed = made.clone();
        change(&mut changed);
        changed
    };
    let mut shown = Vec::new();
    for (name, damaged, kind) in [
        ("missing", changed(&|made| drop(made.groups.remove(2))), ErrorKind::Missing),
        ("too long", changed(&|made| made.groups[1].1.push(0)), ErrorKind::Corrupt),
        ("noise", changed(&|made| made.groups[3].1 = noise(made.groups[3].1.len(), 9)), ErrorKind::Corrupt),
        ("cut off", changed(&|made| made.index.truncate(200)), ErrorKind::Malformed),
        (
            "two are damaged",
            changed(&|made| made.groups[1..3].iter_mut().for_each(|group| group.1[9..99].fill(0xEE))),
            ErrorKind::Corrupt,
        ),
    ] {
        let error = broken(&made, everything(&damaged));
        assert_eq!(error.kind(), kind, "{error}");
        shown.push(format!("{name}: {error}"));
    }
    let packed = packed(everything(&made), &PackOptions { method: Method::None, ..PackOptions::default() });
    let tight = failed(&packed, &made, &Context::new(cpu().clone(), Budget::new(100 << 10), true));
    assert_eq!(tight.kind(), ErrorKind::Limit);
    shown.push(format!("little memory: {tight}"));

    // One byte of a group that is stored as it is: only the hash can tell.
    let data = std::fs::read(packed.data()).unwrap();
    let at = data.windows(40).position(|window| window == made.groups[0].1).unwrap();
    let mut changed = data.clone();
    changed[at] ^= 1;
    std::fs::write(packed.data(), changed).unwrap();
    let mismatch = failed(&packed, &made, &context());
    assert_eq!(mismatch.kind(), ErrorKind::Corrupt);
    shown.push(format!("another byte: {mismatch}"));
    let unchecked = context().with_verify(false);
    rebuild(&open(&packed.toc, &[]), made.id, &packed.beside("unchecked"), &unchecked).unwrap();

    let cancelled = context();
    cancelled.cancel_token().cancel();
    assert_eq!(failed(&packed, &made, &cancelled).kind(), ErrorKind::Cancelled);

    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.add_filter(r": \S*[/\\]demo\.", ": <dir>/demo.");
    settings.bind(|| insta::assert_snapshot!("shader_library_errors", shown.join("\n")));
}

#[test]
fn the_file_is_what_the_index_says() {
    let made = Made::new(Method::Lz4, NAME);
    let packed = packed(everything(&made), &PackOptions::default());
    let (_, file) = rebuild(&open(&packed.toc, &[]), made.id, &packed.beside("out"), &context()).unwrap();
    let index = ShaderLibrary::parse(&made.index).unwrap();
    let expected = LooseShaderLibrary::lay_out(&index, |shader| index.shaders[shader].len);
    let header = expected.header().unwrap();
    assert_eq!(file[..header.len()], header);
    // Shaders 1 and 2 are shared; then come 6, 3 and 4, 0 and 5.
    let code: Vec<u8> =
        [1, 2, 6, 3, 4, 0, 5].into_iter().flat_map(|shader: usize| made.code[shader].clone()).collect();
    assert!(file[header.len()..] == code);
}
