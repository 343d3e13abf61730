//! The front door: what it opens, reads and writes, and what it says of what it cannot.

use crate::support::corpus::{KEY, expected, find, with};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use uncask::error::ErrorKind;
use uncask::export::ExportOptions;
use uncask::game::{Package, Progress};
use uncask::{Game, GameError, GameOptions};

fn demo() -> Game {
    Game::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo")).unwrap()
}

/// Containers of 5.8. The native objects are in the folder above.
fn tagged(corpus: &Path) -> Game {
    let folder = corpus.join("iostore/ue5.8/tagged");
    GameOptions::default().base(folder.join("global.utoc")).open(folder.join("Zlib")).unwrap()
}

/// Classes of the exports of a package.
fn classes(package: &Package) -> Vec<&str> {
    package.exports.iter().map(|export| export.class.as_str()).collect()
}

#[test]
fn names_of_every_form_mean_the_same_chunk() {
    let game = demo();
    let map = game.chunk("/Game/Maps/Start").unwrap();
    assert!(map.is_package());
    let path = map.path().unwrap();
    for name in [path.as_str(), "start.umap", &map.id().to_string()] {
        assert_eq!(game.chunk(name).unwrap().entry(), map.entry(), "{name}");
    }
    assert_eq!(game.read(&path).unwrap().len() as u64, map.len());
    assert!(
        matches!(game.read("nobody.uasset"), Err(GameError::NoSuchChunk { name }) if name == "nobody.uasset")
    );
    assert!(matches!(game.chunk("*.u*"), Err(GameError::Find(_))));
    assert!(matches!(Game::open("testdata/nowhere"), Err(GameError::Discover(_))));
}

#[test]
fn jobs_write_files_and_tell_how_far_they_are() {
    let game = demo();
    let out = tempfile::tempdir().unwrap();
    let seen: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let heard = Arc::clone(&seen);
    let outcome =
        game.all().on_progress(move |now| heard.lock().unwrap().push(now)).unpack(out.path()).unwrap();
    let seen = seen.lock().unwrap();
    assert!(outcome.is_ok());
    assert_eq!(outcome.count, game.chunks().len() as u64);
    let last = *seen.last().unwrap();
    assert_eq!((last.chunks, last.bytes), (last.total_chunks, last.total_bytes));
    assert_eq!(last.bytes, outcome.raw_bytes);
    assert!(seen.is_sorted_by_key(|now| now.bytes));
    for chunk in game.chunks() {
        let file = out.path().join(chunk.display_path());
        assert_eq!(std::fs::read(&file).unwrap(), game.read_chunk(chunk).unwrap(), "{}", file.display());
    }
}

#[test]
fn a_game_without_room_for_a_chunk_says_so() {
    let game = GameOptions::default().memory(100).open("testdata/demo").unwrap();
    let Err(GameError::Io(error)) = game.read("/Game/Maps/Start") else { panic!("it was read") };
    assert_eq!(error.kind(), ErrorKind::Limit);
}

/// Files of the cooker by name, with the package name they stand for.
fn cooked(root: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(root).into_iter().map(|entry| entry.unwrap().into_path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

#[test]
fn real_packages_come_out_as_the_cooker_wrote_them() {
    let Some(corpus) = find() else { return };
    let game = tagged(&corpus);
    let out = tempfile::tempdir().unwrap();
    let outcome = game.all().to_legacy(out.path()).unwrap();
    assert!(outcome.is_ok());
    let written = cooked(out.path());
    let mut compared = 0;
    for expected in cooked(&corpus.join("packages/ue5.8-tagged")) {
        let name = expected.file_name().unwrap();
        let Some(found) = written.iter().find(|path| path.file_name() == Some(name)) else { continue };
        assert!(std::fs::read(found).unwrap() == std::fs::read(&expected).unwrap(), "{}", found.display());
        compared += 1;
    }
    assert!(compared >= 10, "only {compared} files of the cooker are there");
}

#[test]
fn real_chunks_have_the_content_that_another_reader_saw() {
    let Some(corpus) = with("iostore/ue5.8/tagged/expected.tsv") else { return };
    let folder = corpus.join("iostore/ue5.8/tagged");
    let game = GameOptions::default().key(KEY).unwrap().open(folder.join("OodleEncrypted")).unwrap();
    let mut compared = 0;
    for chunk in expected(&folder.join("expected.tsv")) {
        let Ok(content) = game.read(&chunk.id) else { continue };
        assert_eq!(hex::encode(Sha256::digest(&content)), chunk.sha256, "{}", chunk.id);
        compared += 1;
    }
    assert!(compared > 100, "only {compared} chunks are there");
    assert!(matches!(
        Game::open(folder.join("OodleEncrypted")).unwrap().all().verify().unwrap().failures.first(),
        Some(failure) if failure.error.kind() == ErrorKind::Key
    ));
}

#[test]
fn packages_are_the_same_in_containers_and_in_paks() {
    let Some(corpus) = find() else { return };
    let zen = tagged(&corpus);
    let paks = Game::open(corpus.join("pak/ue5.8/legacy/Tagged")).unwrap();
    let mut compared = 0;
    for chunk in paks.chunks().filter(|chunk| chunk.display_path().ends_with(".uasset")) {
        let path = chunk.display_path();
        let Ok(in_container) = zen.package(&path) else { continue };
        let in_pak = paks.package(&path).unwrap();
        assert_eq!(in_container.name, in_pak.name);
        assert_eq!(classes(&in_container), classes(&in_pak), "{path}");
        compared += 1;
    }
    assert!(compared >= 4, "only {compared} packages are in both");
}

/// Values of properties, with tags and without, as Rust types.
#[test]
fn objects_have_typed_values() {
    let Some(corpus) = find() else { return };
    let usmap = std::fs::read_dir(corpus.join("properties/ue5.8/mappings")).unwrap().flatten();
    let usmap =
        usmap.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("Oodle")).unwrap();
    for cook in ["tagged", "unversioned"] {
        let folder = corpus.join("iostore/ue5.8").join(cook);
        let options = GameOptions::default().base(folder.join("global.utoc")).mappings(&usmap);
        let game = options.open(folder.join("Uncompressed")).unwrap();
        let objects = game.objects("/Game/Fixtures/Properties/DA_AllProperties").unwrap();
        let asset = objects.find("da_allproperties").unwrap();
        assert_eq!(asset.class(), "/Script/CUE4ParseFixtures.ParserFixtureData");
        assert_eq!(asset.get::<i32>("Integer"), Some(305_419_896), "{cook}");
        assert_eq!(asset.get::<u8>("Integer"), None, "it does not fit");
        assert_eq!(asset.get::<&str>("Integer"), None, "it is no text");
        assert_eq!(asset.get::<bool>("bBoolean"), Some(true));
        assert_eq!(asset.get::<i32>("NoSuchProperty"), None);
        assert!(asset.properties().count() > 50, "{cook}");
    }
    let game = tagged(&corpus);
    assert!(matches!(game.objects("nobody"), Err(GameError::NoSuchChunk { .. })));
}

#[test]
fn parts_of_chunks_are_read() {
    let game = demo();
    let map = game.chunk("/Game/Maps/Start").unwrap();
    let whole = game.read_chunk(map).unwrap();
    assert_eq!(game.read_range(map, 100..70_000).unwrap(), whole[100..70_000]);
    assert_eq!(game.read_range(map, map.len() - 3..u64::MAX).unwrap(), whole[whole.len() - 3..]);
    assert!(game.read_range(map, map.len() + 1..u64::MAX).unwrap().is_empty());
    let mut parts = Vec::new();
    game.read_chunk_with(map, |part| {
        parts.extend_from_slice(part);
        Ok(())
    })
    .unwrap();
    assert_eq!(parts, whole);
    assert!(game.read_chunk_with(map, |_| Err(uncask::error::Error::Cancelled)).is_err());
}

#[test]
fn headers_are_shown_as_inspect_shows_them() {
    let game = demo();
    let header = game.package_header(game.chunk("/Game/Maps/Start").unwrap()).unwrap();
    assert_eq!(header["name"], "/Game/Maps/Start");
    assert_eq!(header["exports"][0]["class"]["path"], "/Script/Engine.World");
    let path = "Demo/Config/DefaultGame.ini";
    let file = game.chunk(path).unwrap();
    assert!(matches!(game.package_header(file), Err(GameError::NoPackage { path: found }) if found == path));
}

#[test]
fn a_job_that_is_cancelled_says_so() {
    let (game, out) = (demo(), tempfile::tempdir().unwrap());
    let job = game.all();
    job.cancel_token().cancel();
    let outcome = job.unpack(out.path()).unwrap();
    assert!(outcome.cancelled && !outcome.is_ok());
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "something was written");
    let job = game.all();
    job.cancel_token().cancel();
    assert!(job.export(out.path(), ExportOptions::default()).unwrap().cancelled);
}

#[test]
fn assets_become_files() {
    let (game, out) = (demo(), tempfile::tempdir().unwrap());
    let outcome = game.matching(["T_Rock"]).unwrap().export(out.path(), ExportOptions::default()).unwrap();
    assert!(outcome.is_ok());
    let files: Vec<&str> = outcome
        .done
        .exported
        .iter()
        .flat_map(|(_, asset)| &asset.files)
        .map(|file| file.path.as_str())
        .collect();
    let [file] = files.as_slice() else { panic!("{files:?}") };
    assert!(std::fs::read(out.path().join(file)).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn several_paths_are_one_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let key = "11".repeat(32);
    let options = GameOptions::default().key(&key).unwrap();
    let both = options.open_all([root.join("demo"), root.join("encrypted")]).unwrap();
    let secret = GameOptions::default().key(&key).unwrap().open(root.join("encrypted")).unwrap();
    let containers = |game: &Game| game.containers().len();
    assert_eq!(containers(&both), containers(&demo()) + containers(&secret));
    assert!(both.entries().len() > demo().entries().len());
    let chunk = secret.chunks().next().unwrap();
    assert!(chunk.is_encrypted() && chunk.compression() == "Zlib" && chunk.hash().is_some());
}

/// Neighbours in the data are read by one request from a server; tables are in the order of hashes.
#[test]
fn rows_come_in_the_order_of_their_data() {
    use uncask::game::{CancelToken, FilterSpec, RowColumns, RowKind};
    let Some(corpus) = find() else { return };
    let game = tagged(&corpus);
    let plan = game.plan_rows(RowKind::Chunks, &FilterSpec::default()).unwrap();
    let (mut offsets, columns) = (Vec::new(), RowColumns { content: false, class: false });
    let each = |rows: Vec<uncask::game::GameRow>| {
        let offset = |path: &str| game.chunk(path).unwrap().storage().map(|storage| storage.offset);
        offsets.extend(rows.iter().filter(|row| row.size > 0).filter_map(|row| offset(&row.path)));
        Ok(())
    };
    game.read_rows(&plan, 0..plan.len(), columns, &CancelToken::default(), each).unwrap();
    assert!(offsets.len() > 100 && offsets.is_sorted(), "{offsets:?}");
}
