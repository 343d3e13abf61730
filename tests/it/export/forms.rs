//! Which files there are, and what is said about those that are not.

use super::{files, fixture, payloads, uncask};

#[test]
fn one_texture_is_one_picture() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let [content, base, global, mappings] = fixture(&payloads, "tagged");
    let ran =
        uncask(&["export", &content, &base, &global, "--mappings", &mappings, "*/T_BC1.uasset", "-o", out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("wrote 1 file: 1 Texture2D"), "{}", ran.err);
    assert_eq!(files(folder.path()).into_keys().collect::<Vec<_>>(), ["T_BC1.png"]);
    assert_eq!(ran.out, "");
    // Once more, nothing changes.
    let before = std::fs::metadata(&files(folder.path())["T_BC1.png"]).unwrap().modified().unwrap();
    let again = uncask(&["export", &content, &base, &global, "*/T_BC1.uasset", "-o", out]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(std::fs::metadata(&files(folder.path())["T_BC1.png"]).unwrap().modified().unwrap(), before);
}
