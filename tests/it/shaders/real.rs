//! Real libraries.

use crate::support::containers::{open, write_tree};
use crate::support::{block_on, context, corpus};
use uncask::container::shader_library::{LooseShaderLibrary, ShaderLibrary};
use uncask::extract::{rebuild_shader_library, shader_library_path};
use uncask::id::{ChunkKind, hash::lower_utf16};
use uncask::sink::{DirectorySink, Overwrite};
use uncask::store::{Entry, Store, StoreOptions};

const NUCLEAR: &str = "packages/ue5.4/ShaderArchive-NuclearNightmare-PCD3D_SM6-PCD3D_SM6";

/// A library in both forms: every byte of the file's header follows from the chunk, but for the sizes that the
/// code of each shader was compressed to.
#[test]
fn the_header_of_a_file_follows_from_the_chunk() {
    let Some(corpus) = corpus::find() else { return };
    let read = |extension: &str| std::fs::read(corpus.join(NUCLEAR).with_extension(extension)).unwrap();
    let library = ShaderLibrary::parse(&read("uzenshaderbytecode")).unwrap();
    let file = read("ushaderbytecode");
    let loose = LooseShaderLibrary::parse(&file).unwrap();
    assert_eq!(loose.header().unwrap(), file, "what is read is written back");
    assert_eq!((loose.header_len(), loose.code_len()), (file.len() as u64, 1_043_454_279));

    let made = LooseShaderLibrary::lay_out(&library, |shader| loose.shaders[shader].stored_len);
    assert!(made.header().unwrap() == file, "given the sizes, all 1,627,317 bytes are the same");

    let stored = LooseShaderLibrary::lay_out(&library, |shader| library.shaders[shader].len);
    assert_eq!(stored.header_len(), loose.header_len());
    assert_eq!(stored.code_len(), library.raw_len());
    assert_eq!(stored.indices, loose.indices);
    let counts = |library: &LooseShaderLibrary| -> Vec<_> {
        library.shader_maps.iter().map(|map| (map.shaders, map.preload)).collect()
    };
    assert_eq!(counts(&stored), counts(&loose));
    let facts = |library: &LooseShaderLibrary| -> Vec<_> {
        library.shaders.iter().map(|shader| (shader.raw_len, shader.frequency)).collect()
    };
    assert_eq!(facts(&stored), facts(&loose));
}

#[test]
fn libraries_of_two_games_parse_to_the_last_byte() {
    let Some(corpus) = corpus::find() else { return };
    let global = "packages/ue5.4/ShaderArchive-Global-PCD3D_SM6-PCD3D_SM6.ushaderbytecode";
    for (file, counts, sizes) in [
        (format!("{NUCLEAR}.uzenshaderbytecode"), [988, 29_285, 2423, 69_340], [1_628_472_351, 642_003_276]),
        (global.to_owned(), [399, 5566, 535, 10_924], [191_129_861, 67_899_681]),
    ] {
        let library = ShaderLibrary::parse(&std::fs::read(corpus.join(file)).unwrap()).unwrap();
        let found =
            [library.shader_maps.len(), library.shaders.len(), library.groups.len(), library.indices.len()];
        assert_eq!((found, library.shader_hashes.width()), (counts, 20));
        assert_eq!([library.raw_len(), library.stored_len()], sizes);
        let of_groups: usize = (0..).take(counts[2]).map(|group| library.shaders_of_group(group).len()).sum();
        assert_eq!(of_groups, counts[1], "every shader is in one group");
    }
}

fn libraries(store: &Store) -> Vec<Entry> {
    let kind = |entry: &Entry| store.container(*entry).unwrap().table().chunk_kind(entry.chunk);
    store.entries().filter(|entry| kind(entry) == ChunkKind::ShaderCodeLibrary).collect()
}

#[test]
fn the_ids_of_real_libraries_are_hashes_of_their_names() {
    let Some(corpus) = corpus::find() else { return };
    let mut found = 0;
    for toc in
        corpus::tocs(&corpus).iter().filter(|toc| toc.components().any(|part| part.as_os_str() == "games"))
    {
        let Ok(store) = Store::open(std::slice::from_ref(toc), &[], &StoreOptions::default()) else {
            continue;
        };
        for entry in libraries(&store) {
            let path = store.path(entry).unwrap();
            let (_, name) = path.rsplit_once("/ShaderArchive-").unwrap();
            let name = name.trim_end_matches(".ushaderbytecode");
            assert_eq!(store.chunk_id(entry).unwrap().id(), lower_utf16(name), "{path}");
            assert_eq!(shader_library_path(&store, entry).as_str(), path);
            found += 1;
        }
    }
    assert_eq!(found, 12);
}

/// The data of the games is not public, so their libraries cannot be rebuilt; nothing must be left behind.
#[test]
fn a_library_without_data_is_an_error_and_no_file() {
    let Some(corpus) = corpus::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let store = open(&corpus.join("iostore/games/temple-of-giants/Colliderproject-Windows.utoc"), &[]);
    let [first, ..] = libraries(&store)[..] else { panic!("libraries") };
    let sink = DirectorySink::open(&folder.path().join("out")).unwrap();
    let path = shader_library_path(&store, first);
    let context = context();
    let job = rebuild_shader_library(&store, first, &sink, &path, Overwrite::Different, &context);
    let error = block_on(job).unwrap_err();
    assert_eq!(error.kind(), uncask::error::ErrorKind::Missing, "{error}");
    write_tree(folder.path(), []);
    assert_eq!(walkdir::WalkDir::new(folder.path().join("out")).into_iter().count(), 1, "only the folder");
}
