//! Inputs that once were trouble: `testdata/regressions/TARGET/…`, each given to its fuzz target again.

use super::{Meter, fuzz};
use std::path::Path;

#[test]
fn what_fuzzers_found_stays_found() {
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/regressions");
    let files = walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter().map(Result::unwrap);
    for file in files.filter(|entry| entry.file_type().is_file()) {
        let target = file.path().parent().unwrap().file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(file.path()).unwrap();
        meter.run(|| file.path().display().to_string(), bytes.len(), || fuzz::run(target, &bytes));
    }
    meter.say("regressions");
    assert!(meter.cases > 0, "nothing in {}", folder.display());
}
