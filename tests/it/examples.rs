//! The examples do what they say, on the demo containers and on a real one.

use crate::support::corpus;
use std::error::Error;
use std::io::Write;

#[path = "../../examples/convert_package.rs"]
#[expect(dead_code, reason = "the test calls what `main` calls")]
mod convert_package;
#[path = "../../examples/custom_codec.rs"]
#[expect(dead_code, reason = "the test calls what `main` calls")]
mod custom_codec;
#[path = "../../examples/custom_source.rs"]
#[expect(dead_code, reason = "the test calls what `main` calls")]
mod custom_source;
#[path = "../../examples/list.rs"]
#[expect(dead_code, reason = "the test calls what `main` calls")]
mod list;
#[path = "../../examples/stream_chunk.rs"]
#[expect(dead_code, reason = "the test calls what `main` calls")]
mod stream_chunk;
#[path = "../../examples/unpack_to_memory.rs"]
#[expect(dead_code, reason = "the test calls what `main` calls")]
mod unpack_to_memory;

type Example = fn(&[String], &mut dyn Write) -> Result<(), Box<dyn Error>>;

/// Runs an example and returns its output.
fn printed(example: Example, args: &[&str]) -> String {
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    let mut out = Vec::new();
    example(&args, &mut out).expect("the example runs");
    String::from_utf8(out).expect("text")
}

#[test]
fn list_shows_the_chunks_that_win() {
    insta::assert_snapshot!("example_list", printed(list::run, &["testdata/demo"]));
    let maps = printed(list::run, &["testdata/demo", "*.umap"]);
    assert!(maps.lines().count() > 0 && maps.lines().all(|line| line.contains(".umap")), "{maps}");
}

#[test]
fn a_chunk_is_streamed_to_its_end() {
    insta::assert_snapshot!("example_stream_chunk", printed(stream_chunk::run, &["testdata/demo", "*.umap"]));
}

#[test]
fn unpacking_to_memory_gives_what_unpacking_to_a_folder_gives() {
    insta::assert_snapshot!("example_unpack_to_memory", printed(unpack_to_memory::run, &["testdata/demo"]));
}

#[test]
fn a_codec_of_the_users_decodes_what_nothing_else_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = printed(custom_codec::run, &[&folder.path().display().to_string()]);
    insta::assert_snapshot!("example_custom_codec", text);
}

#[test]
fn a_source_over_tcp_gives_every_chunk_as_the_table_of_contents_has_it() {
    let text = printed(custom_source::run, &["testdata/demo/pakchunk0-Demo.utoc"]);
    insta::assert_snapshot!("example_custom_source", text);
}

#[test]
fn a_package_is_rebuilt_in_a_folder() {
    let Some(corpus) = corpus::find() else { return };
    let input = corpus.join("iostore/ue5.8/unversioned/Oodle/CUE4ParseFixtures-Minimal-Oodle-Windows.utoc");
    let (input, folder) = (input.display().to_string(), tempfile::tempdir().expect("a folder"));
    let listed = printed(list::run, &[&input, "*.uasset"]);
    let package = listed.split_whitespace().nth(2).expect("a package").to_owned();
    let text = printed(convert_package::run, &[&input, &package, &folder.path().display().to_string()]);
    assert_eq!(text.lines().count(), 1, "{text}");
    let header = std::fs::read(folder.path().join(&package)).expect("the .uasset");
    assert_eq!(header.get(..4), Some(&[0xC1, 0x83, 0x2A, 0x9E][..]), "{text}");
    assert!(folder.path().join(package.replace(".uasset", ".uexp")).is_file(), "{text}");
}
