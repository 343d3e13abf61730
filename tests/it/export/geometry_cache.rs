//! Geometry caches: the frame of the 5.8 fixture, whose counts and box its own table has.

use super::opened::validate;
use super::{files, fixture, json_of, payloads, uncask};
use serde_json::json;

#[test]
fn a_geometry_cache_is_the_first_frame_of_its_tracks() {
    let Some(payloads) = payloads() else { return };
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let [content, base, global, mappings] = fixture(&payloads, cook);
        let out = folder.path().to_str().unwrap();
        uncask(["export", &content, &base, &global, &mappings, "*/GeoCache_Fixture*", "-o", out]).expect(0);
        let found = files(folder.path());
        assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), ["GeoCache_Fixture.glb"], "{cook}");
        let gltf = json_of(&found["GeoCache_Fixture.glb"]);
        assert_eq!(gltf["nodes"][0]["name"], "StreamableTrack");
        let primitive = &gltf["meshes"][0]["primitives"][0];
        let accessor =
            |at: &serde_json::Value| &gltf["accessors"][usize::try_from(at.as_u64().unwrap()).unwrap()];
        let (positions, indices) =
            (accessor(&primitive["attributes"]["POSITION"]), accessor(&primitive["indices"]));
        assert_eq!((&positions["count"], &indices["count"]), (&json!(768), &json!(768)));
        // The box of the sample: 1,975 by 1,975 cm, and flat.
        let numbers = |of: &serde_json::Value| -> Vec<f64> {
            of.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        assert_eq!(numbers(&positions["min"]), [0.0, 0.0, 0.0]);
        let largest = numbers(&positions["max"]);
        for (found, expected) in largest.iter().zip([19.75, 0.0, 19.75]) {
            assert!((found - expected).abs() < 1e-5, "{largest:?}");
        }
        validate(&[found["GeoCache_Fixture.glb"].clone()]);
    }
}
