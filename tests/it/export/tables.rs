//! Tables as CSV.

use super::{files, fixture, payloads, uncask};
use std::collections::BTreeMap;
use std::path::Path;

/// Tables of the fixtures by file name, without the mark of UTF-8.
fn tables(out: &Path) -> BTreeMap<String, String> {
    let read = |(name, path): (String, std::path::PathBuf)| {
        let text = std::fs::read_to_string(path).unwrap();
        (name, text.strip_prefix('\u{FEFF}').expect("the mark of UTF-8").to_owned())
    };
    files(out).into_iter().map(read).collect()
}

#[test]
fn tables_curves_and_enums_are_csv_with_tags_and_without() {
    let Some(payloads) = payloads() else { return };
    let [tagged, unversioned] = ["tagged", "unversioned"].map(|cook| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let [content, base, global, mappings] = fixture(&payloads, cook);
        let args = ["export", &content, &base, &global, "--as", "csv", "--mappings", &mappings, "-o", out];
        let ran = uncask(args).expect(0);
        assert!(ran.stderr.contains("wrote 12 files"), "{}", ran.stderr);
        tables(folder.path())
    });
    // Values as the tests of the fixtures' own project state them.
    let all = &tagged["DT_AllProperties.csv"];
    let rows: Vec<Vec<String>> = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(all.as_bytes())
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    assert_eq!(rows[0], ["RowName", "Number", "LargeNumber", "Message", "Kind", "Nested", "Values"]);
    assert_eq!(
        rows[1][..5],
        ["Alpha", "305419896", "1234605616436508552", "Alpha_CUE4Parse_日本語_äöü", "EFixtureEnum::Alpha"]
    );
    assert_eq!(rows[1][6], "[11,22,33,44]");
    assert_eq!(
        tagged["CT_Simple.csv"],
        "RowName,-1,0,1,2,3\nLinear,-10.0,,,20.0,\nConstant,,5.0,15.0,,-5.0\n"
    );
    assert_eq!(tagged["Curve_Vector.csv"], "Time,X,Y,Z\n0,1.0,2.0,3.0\n2,10.0,20.0,30.0\n");
    let texts = "Key,SourceString\nGreeting,Hello from Frankfurt\nUnicode,Fixture 日本語 Ω äöü\nEmpty,\n";
    assert_eq!(tagged["ST_Fixed.csv"], texts);
    assert!(tagged["E_Fixture.csv"].starts_with("Name,Value,DisplayName\nNewEnumerator0,0,First\n"));
    // One cook leaves out what the other one has: the same rows, with the same values.
    assert_eq!(tagged.keys().collect::<Vec<_>>(), unversioned.keys().collect::<Vec<_>>());
    for (name, table) in &tagged {
        assert_eq!(sorted(table), sorted(&unversioned[name]), "{name}");
    }
}

/// The cells of a table by row and column: the order of columns is that of the file, which differs.
fn sorted(table: &str) -> BTreeMap<(String, String), String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let rows = reader.records().map(Result::unwrap).collect::<Vec<_>>();
    rows.iter()
        .flat_map(|row| {
            columns
                .iter()
                .zip(row)
                .map(|(column, cell)| ((row[0].to_owned(), column.to_owned()), cell.to_owned()))
        })
        .collect()
}

#[test]
fn rows_that_cannot_be_read_are_told() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [content, base, global, _] = fixture(&payloads, "unversioned");
    let out = folder.path().to_str().unwrap();
    let ran = uncask(["export", &content, &base, &global, "*/DT_All*", "--as", "csv", "-o", out]);
    assert!(
        ran.stderr.contains(
            "DT_AllProperties (DataTable) was not exported: its values need the schema of FixtureTableRow"
        ),
        "{}",
        ran.stderr
    );
    assert!(files(folder.path()).is_empty());
}
