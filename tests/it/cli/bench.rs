//! `uncask bench`: everything that it shows, with the figures masked.

use super::{demo, run};
use crate::support::cli::settings;

/// Numbers and units that differ from run to run; spaces before them depend on how long they are.
fn masked(text: &str) -> String {
    let figure = regex::Regex::new(r" +(-?\d[\d.,]*(s|%| [KMG]iB)?|-)(?P<end>\s)").unwrap();
    let mut shown = text.to_owned();
    // Neighbours share the space between them, so one pass finds every second figure.
    for _ in 0..2 {
        shown = figure.replace_all(&shown, " <n>${end}").into_owned();
    }
    regex::Regex::new(" +<n>").unwrap().replace_all(&shown, " <n>").into_owned()
}

#[test]
fn a_synthetic_container_is_measured_and_removed() {
    let packed = demo();
    std::fs::create_dir(packed.beside("tmp")).unwrap();
    let args =
        ["bench", "--synthetic", "mixed", "--size", "4M", "--rounds", "1", "-j", "2", "--folder", "@/tmp"];
    let shown = run(&packed, &args).expect(0);
    let mut settings = settings(packed.folder.path());
    // Windows has no `cp`.
    settings.add_filter(r"(?m)^\(cp -r of the files\).*\n", "");
    assert_eq!(shown.stdout.contains("cp -r"), cfg!(unix));
    settings.bind(|| insta::assert_snapshot!("bench", masked(&shown.stdout)));
    assert_eq!(std::fs::read_dir(packed.beside("tmp")).unwrap().count(), 0, "nothing is left");
}

#[test]
fn a_container_is_measured_into_json_and_a_picture() {
    let packed = demo();
    let args = [
        "bench",
        "@/demo.utoc",
        "--rounds",
        "1",
        "-j",
        "2",
        "--folder",
        "@",
        "--plot",
        "@/out.svg",
        "--json",
    ];
    let shown = run(&packed, &args).expect(0);
    let report: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(report["schema"], "uncask.bench/1");
    let count = |list: &str| report[list].as_array().unwrap().len();
    assert_eq!(count("jobs"), 6, "three jobs with one and two threads");
    assert!(count("stages") >= 8);
    for line in report["jobs"].as_array().unwrap().iter().chain(report["stages"].as_array().unwrap()) {
        assert!(line["seconds"].as_f64().unwrap() > 0.0, "{line}");
    }
    let floors = report["jobs"].as_array().unwrap().iter().filter(|line| line["of_floor"].is_number());
    let floors: Vec<_> =
        floors.map(|line| (line["job"].as_str().unwrap(), line["threads"].as_u64().unwrap())).collect();
    assert_eq!(floors, [("unpack", 2)]);
    let picture = std::fs::read_to_string(packed.beside("out.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert_eq!(picture.matches("<polyline").count(), 3);
}

#[test]
fn what_was_made_can_be_kept() {
    let packed = demo();
    let args = [
        "bench",
        "--synthetic",
        "none",
        "--size",
        "1M",
        "--rounds",
        "1",
        "-j",
        "1",
        "--keep",
        "--folder",
        "@/kept",
    ];
    let shown = run(&packed, &args).expect(0);
    let folder = shown.stderr.lines().find_map(|line| line.strip_prefix("kept ")).unwrap().to_owned();
    assert!(std::path::Path::new(&folder).join("containers/none.utoc").exists(), "{folder}");
    run(&packed, &["bench", "--keep", "@/demo.utoc"]).expect(2);
    assert!(shown.stderr.contains("MiB to measure with: below 64"), "{}", shown.stderr);
    let shown = run(&packed, &["bench"]).expect(2);
    assert!(shown.stderr.contains("<INPUT|--synthetic <KIND>>"), "{}", shown.stderr);
}
