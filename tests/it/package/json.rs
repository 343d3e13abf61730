//! Normal forms as JSON.

use super::support;
use serde_json::{Value, to_value};
use uncask::{
    container::{container_header::ContainerHeader, script_objects::ScriptObjects},
    package::{classic, legacy, zen},
};

#[test]
fn every_normal_form_can_be_written_as_json() {
    let Some(corpus) = support::corpus() else { return };
    let read = |name| support::read(&corpus, name);
    let zen = zen::Header::parse(&read("packages/ue5.5/T_Test.uzenasset")).unwrap();
    let json = to_value(&zen).unwrap();
    assert_eq!(json["names"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["exports"][0]["name"]["index"], 2);
    assert_eq!(json["bulk"].as_array().map(Vec::len), Some(12));
    let legacy = legacy::Package::parse(&read("uncooked/UE57/BP_FP_CameraManager.uasset")).unwrap();
    let json = to_value(&legacy).unwrap();
    assert_eq!(json["summary"]["package_name"], legacy.name());
    assert_eq!(json["thumbnails"].as_array().map(Vec::len), Some(2));
    let classic = classic::Package::parse(&read("classic/TestUC1.u")).unwrap();
    assert_eq!(to_value(&classic).unwrap()["exports"].as_array().map(Vec::len), Some(102));
    let header = ContainerHeader::parse(&read("headers/ue5.3/ContainerHeader_1.bin")).unwrap();
    assert_eq!(to_value(&header).unwrap()["layout"]["version"], "NoExportInfo");
    let scripts = ScriptObjects::parse(&read("headers/ue5.3/ScriptObjects.bin")).unwrap();
    let Value::Array(list) = to_value(&scripts).unwrap() else { panic!() };
    assert!(list.iter().any(|object| object["path"] == "/Script/Engine.Actor"));
    assert_eq!(list.len(), scripts.len());
}

#[test]
fn the_release_is_told_by_custom_versions() {
    let Some(corpus) = support::corpus() else { return };
    for (name, release) in [
        ("uncooked/UE57/BP_FirstPersonCharacter.uasset", "5.7"),
        ("uncooked/UE55/SimpleRefsRoot.uasset", "5.5"),
        ("uncooked/UE54/SimpleRefsRoot.uasset", "5.4"),
        ("uncooked/UE50/SimpleRefsRoot.uasset", "5.0"),
        ("packages/ue5.8-tagged/DA_AllProperties.uasset", "5.8"),
    ] {
        let package = legacy::Package::parse(&support::read(&corpus, name)).unwrap();
        assert_eq!(package.summary.release(), Some(release), "{name}");
    }
}
