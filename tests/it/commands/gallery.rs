//! `uncask report --gallery`: assets and thumbnails, and the page in a browser.

use super::report::{data, in_browser};
use super::run::{corpus, fixture};
use crate::support::cli;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use uncask::asset::AssetKind;

/// Makes a page with a gallery, and reads it.
fn gallery(input: &Path, output: &Path, more: &[&str]) -> (cli::Run, String) {
    let mut command = cli::command();
    command.arg("report").arg(input).arg("-o").arg(output).arg("--gallery").args(more);
    let run = cli::run(&mut command);
    let page = if output.is_dir() { output.join("index.html") } else { output.to_owned() };
    (run, std::fs::read_to_string(page).unwrap())
}

fn card<'d>(data: &'d Value, object: &str) -> &'d Value {
    let cards = data["gallery"]["assets"].as_array().unwrap();
    cards.iter().find(|card| card["object"] == object).unwrap_or_else(|| panic!("no {object}"))
}

/// Width, height, and all values.
fn pixels(file: &[u8]) -> ([u32; 2], Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.bit_depth, png::BitDepth::Eight);
    ([info.width, info.height], pixels)
}

/// Thumbnails of mips that are as small as they have to be are these mips, whose pixels other tests compare with what an
/// independent reader sees.
#[test]
fn thumbnails_are_mips() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "tagged");
    let folder = tempfile::tempdir().unwrap();
    let (run, page) = gallery(Path::new(&container), &folder.path().join("page.html"), &["--base", &global]);
    run.expect(0);
    let data = data(&page);
    let out = folder.path().join("out");
    let export = ["export", &container, "*/T_*", "--base", &global, "--as", "png", "--all-mips", "-o"];
    cli::run(cli::command().args(export).arg(&out)).expect(0);
    let mips = walkdir::WalkDir::new(out).into_iter().map(Result::unwrap);
    let mips: HashMap<String, PathBuf> =
        mips.map(|file| (file.file_name().to_str().unwrap().to_owned(), file.path().to_owned())).collect();
    for (name, mip) in [
        ("T_BC1", "T_BC1_mip0.png"),
        ("T_BC5", "T_BC5_mip0.png"),
        ("T_BC7", "T_BC7_mip0.png"),
        ("T_BGRA8", "T_BGRA8_mip0.png"),
        ("T_IES", "T_IES_mip0.png"),
        ("T_Streaming", "T_Streaming_mip2.png"),
        ("T_Virtual", "T_Virtual_mip2.png"),
        ("T_Array", "T_Array_0000_mip0.png"),
        ("T_Cube", "T_Cube_px_mip0.png"),
    ] {
        let shown = card(&data, name);
        let file = BASE64_STANDARD.decode(shown["picture"].as_str().unwrap()).unwrap();
        let expected = std::fs::read(mips.get(mip).unwrap_or_else(|| panic!("{mip}: {mips:?}"))).unwrap();
        assert!(pixels(&file) == pixels(&expected), "{name}");
        assert_eq!(shown["kind"], "texture");
    }
    // What has floats or several pictures is one picture, too.
    assert_eq!(
        pixels(&BASE64_STANDARD.decode(card(&data, "T_BC6H")["picture"].as_str().unwrap()).unwrap()).0,
        [64, 64]
    );
    assert_eq!(
        pixels(&BASE64_STANDARD.decode(card(&data, "T_UDIM")["picture"].as_str().unwrap()).unwrap()).0,
        [128, 128]
    );
    let sound = card(&data, "SW_Inline");
    assert!(sound["facts"].as_str().unwrap().starts_with("sound: ") && sound["picture"].is_null(), "{sound}");
    let mesh = card(&data, "SM_Fixture");
    assert!(mesh["facts"].as_str().unwrap().contains("vertices"), "{mesh}");
}

#[test]
fn a_gallery_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Path::new("testdata/demo");
    let (run, page) = gallery(demo, &folder.path().join("page.html"), &[]);
    run.expect(0);
    assert!(page.contains("img-src data:;"));
    // Every kind that a card may have: the script asks for the names of several.
    for [one, many] in AssetKind::ALL.iter().map(|kind| kind.names()) {
        assert_eq!(data(&page)["gallery"]["kinds"][one], many);
    }
    let out = folder.path().join("gallery");
    std::fs::create_dir(&out).unwrap();
    let (run, in_folder) = gallery(demo, &out, &[]);
    run.expect(0);
    assert!(in_folder.contains("img-src 'self' file:;") && !in_folder.contains("img-src data:"));
    let picture = card(&data(&in_folder), "T_Rock")["picture"].as_str().unwrap().to_owned();
    assert_eq!(picture, "Game/Textures/T_Rock.T_Rock.png");
    let file = std::fs::read(out.join("thumbnails").join(&picture)).unwrap();
    let inside = card(&data(&page), "T_Rock")["picture"].as_str().unwrap().to_owned();
    assert_eq!(BASE64_STANDARD.encode(&file), inside);
    assert_eq!(pixels(&file).0, [128, 128]);
    for (page, folder) in [(page, folder.path()), (in_folder, out.as_path())] {
        let Some(seen) = in_browser(&page, folder) else { return };
        assert_eq!(seen["errors"], serde_json::json!([]), "{seen:#}");
        let widths = seen["pictures"].as_array().unwrap();
        assert!(!widths.is_empty() && widths.iter().all(|width| width == 128), "{seen:#}");
        assert!(seen["foundAssets"].as_str().unwrap().starts_with("1 of "), "{seen:#}");
        assert_eq!((&seen["one"][0], &seen["closed"]), (&true.into(), &true.into()), "{seen:#}");
        let (walked, cards) = (seen["walked"].as_array().unwrap(), seen["cards"].as_array().unwrap());
        let last = (cards.len() - 1).to_string();
        assert_eq!(*walked, ["0", if cards.len() > 1 { "1" } else { "0" }, last.as_str(), "0"], "{seen:#}");
    }
}

/// A page without a gallery may show no pictures at all.
#[test]
fn pages_without_a_gallery_are_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("report.html");
    cli::run(cli::command().args(["report", "testdata/demo", "-o"]).arg(&output)).expect(0);
    let page = std::fs::read_to_string(output).unwrap();
    assert!(page.contains("img-src 'none';") && data(&page).get("gallery").is_none());
}

/// Paths of packages are never HTML, nor do they lead out of the folder.
#[cfg(unix)]
#[test]
fn hostile_names_stay_names() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree/Game/Content/a<script>alert(1)<");
    let unpacked = folder.path().join("unpacked");
    let unpack = ["to-legacy", "testdata/demo", "*/T_Rock.uasset", "-o"];
    cli::run(cli::command().args(unpack).arg(&unpacked)).expect(0);
    let names = ["script>", "<img src=x onerror=alert(2)>", "b\"'`${alert(3)} #?%2e%2e", "c\u{202e}\u{2028}"];
    std::fs::create_dir_all(&tree).unwrap();
    for file in walkdir::WalkDir::new(&unpacked).into_iter().map(Result::unwrap) {
        let Some(end) = file.path().extension().filter(|_| file.file_type().is_file()) else { continue };
        for name in names {
            std::fs::copy(file.path(), tree.join(format!("{name}.{}", end.to_str().unwrap()))).unwrap();
        }
    }
    let pak = folder.path().join("hostile.pak");
    cli::run(cli::command().arg("pack").arg(folder.path().join("tree")).arg("-o").arg(&pak)).expect(0);
    let out = folder.path().join("gallery");
    let (run, page) = gallery(&pak, &out, &[]);
    run.expect(0);
    assert!(!page.contains("alert(") && !page.contains("onerror="), "{page}");
    let carried = data(&page);
    let cards = carried["gallery"]["assets"].as_array().unwrap();
    assert_eq!(cards.len(), names.len());
    for card in cards {
        assert!(card["package"].as_str().unwrap().contains("a<script>alert(1)<"), "{card}");
        assert!(out.join("thumbnails").join(card["picture"].as_str().unwrap()).is_file(), "{card}");
    }
    let Some(seen) = in_browser(&page, &out) else { return };
    assert_eq!(seen["errors"], serde_json::json!([]), "{seen:#}");
    assert_eq!(seen["pictures"], serde_json::json!([128, 128, 128, 128]), "{seen:#}");
    let cards = seen["cards"].as_array().unwrap();
    assert!(
        cards.iter().any(|card| card.as_str().unwrap().contains("<img src=x onerror=alert(2)>")),
        "{cards:?}"
    );
}

/// One file holds what browsers open, and no more than fits into memory.
#[test]
fn a_single_file_has_a_limit() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "tagged");
    let folder = tempfile::tempdir().unwrap();
    let more = ["*/Textures/*", "--base", &global, "--memory", "256KiB"];
    let (run, page) = gallery(&PathBuf::from(&container), &folder.path().join("page.html"), &more);
    let gallery = &data(&page)["gallery"];
    let left_out = gallery["left_out"].as_u64().unwrap();
    assert!(left_out > 0);
    let said = format!("one file has no room for {left_out} thumbnails; give a folder as -o");
    assert!(run.expect(0).stderr.contains(&said));
    let pictures = gallery["assets"].as_array().unwrap().iter().filter_map(|card| card["picture"].as_str());
    let bytes: usize = pictures.map(str::len).sum();
    assert!(bytes > 0 && bytes <= 32 << 10, "{bytes}");
}
