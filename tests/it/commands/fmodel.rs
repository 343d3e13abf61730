//! FModel's form: what assets hold behind their properties, and paths of files.

use super::run::{corpus_with, fixture, uncask};
use serde_json::{Value, json};
use std::path::Path;

/// The objects of a package of the fixtures.
fn objects(corpus: &Path, cook: &str, package: &str) -> Vec<Value> {
    let [content, global] = fixture(corpus, cook);
    let name = format!("/Game/Fixtures/{package}");
    let ran = uncask(&["json", &content, &name, "--base", &global]);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{package}: {error}: {}", ran.err))
}

fn object(corpus: &Path, cook: &str, package: &str, kind: &str) -> Value {
    let found = objects(corpus, cook, package).into_iter().find(|object| object["Type"] == kind);
    found.unwrap_or_else(|| panic!("{kind} in {package}"))
}

const FOLDER: &str = "CUE4ParseFixtures/Content/Fixtures";

#[test]
fn assets_have_what_follows_their_properties() {
    let Some(corpus) = corpus_with("payloads/ue5.8") else { return };
    for cook in ["tagged", "unversioned"] {
        let texture = object(&corpus, cook, "Textures/T_Streaming", "Texture2D");
        let [width, height, packed, format, first] =
            ["SizeX", "SizeY", "PackedData", "PixelFormat", "FirstMipToSerialize"].map(|key| &texture[key]);
        assert_eq!(
            [width, height, packed, first],
            [&json!(512), &json!(512), &json!(1), &json!(0)],
            "{cook}"
        );
        assert_eq!(format, "PF_DXT1");
        let mips = texture["Mips"].as_array().unwrap();
        assert_eq!(mips.len(), 10);
        let [data, size] = [&mips[0]["BulkData"], &mips[0]["SizeX"]];
        assert_eq!(
            (&data["ElementCount"], &data["SizeOnDisk"], size),
            (&json!(131_072), &json!(131_072), &json!(512))
        );
        assert!(data["BulkDataFlags"].as_str().unwrap().contains("BULKDATA_PayloadInSeparateFile"), "{data}");
        assert_eq!(mips[9]["SizeX"], 1);

        let mesh = object(&corpus, cook, "Meshes/SM_Fixture", "StaticMesh");
        let at = |part: &str, index: u32| json!({ "ObjectName": part, "ObjectPath": format!("{FOLDER}/Meshes/SM_Fixture.{index}") });
        assert_eq!(mesh["BodySetup"], at("BodySetup'SM_Fixture:BodySetup_0'", 0));
        assert_eq!(mesh["NavCollision"], at("NavCollision'SM_Fixture:NavCollision_0'", 1));
        let lods = mesh["RenderData"]["LODs"].as_array().unwrap();
        assert_eq!(lods.len(), 2);
        assert_eq!(
            lods[0]["Sections"][1],
            json!({ "MaterialIndex": 1, "FirstIndex": 3, "NumTriangles": 1, "MinVertexIndex": 3, "MaxVertexIndex": 5 })
        );
        assert_eq!(mesh["RenderData"]["Bounds"]["BoxExtent"], json!({ "X": 50.0, "Y": 50.0, "Z": 10.0 }));

        let skeleton = &object(&corpus, cook, "Animations/SKEL_Fixture", "Skeleton")["ReferenceSkeleton"];
        assert_eq!(skeleton["FinalRefBoneInfo"][1], json!({ "Name": "Joint_1", "ParentIndex": 0 }));
        assert_eq!(skeleton["FinalNameToIndexMap"]["Joint_2"], 2);
        assert_eq!(skeleton["FinalRefBonePose"][0]["Rotation"]["IsNormalized"], true);

        let mesh = object(&corpus, cook, "Meshes/SK_Fixture", "SkeletalMesh");
        assert_eq!(mesh["Materials"][1]["MaterialSlotName"], "Secondary");
        assert_eq!(mesh["LODModels"][0]["Sections"][1]["NumTriangles"], 1);
        let morph = object(&corpus, cook, "Meshes/SK_Fixture", "MorphTarget");
        assert_eq!(morph["MorphLODModels"][0]["SectionIndices"], json!([0]));

        let clip = object(&corpus, cook, "Animations/AS_Fixture", "AnimSequence");
        assert_eq!(clip["CompressedTrackToSkeletonMapTable"][2]["BoneTreeIndex"], 2);

        let body = object(&corpus, cook, "Meshes/SM_Fixture", "BodySetup");
        assert_eq!(body["BodySetupGuid"].as_str().unwrap().len(), 35);
        assert_eq!(
            body["CookedFormatData"]["Chaos"]["BulkDataFlags"],
            "BULKDATA_SingleUse | BULKDATA_ForceInlinePayload"
        );
    }
}

#[test]
fn classes_are_as_fmodel_has_them() {
    let Some(corpus) = corpus_with("payloads/ue5.8") else { return };
    let class = object(&corpus, "tagged", "Blueprints/BP_Components", "BlueprintGeneratedClass");
    assert_eq!(class["Package"], format!("{FOLDER}/Blueprints/BP_Components"));
    assert_eq!(
        class["ClassFlags"],
        "CLASS_Config | CLASS_CompiledFromBlueprint | CLASS_HasInstancedReference"
    );
    let fields = class.as_object().unwrap();
    for none in ["FuncMap", "Children", "Interfaces", "ClassGeneratedBy"] {
        assert!(!fields.contains_key(none), "{none}: {class:#}");
    }
}

/// Both forms of a path name the object, and no other path does.
#[test]
fn references_are_given_by_file_or_by_package() {
    let Some(corpus) = corpus_with("payloads/ue5.8") else { return };
    let [content, global] = fixture(&corpus, "tagged");
    let place = format!("{content}:/Game/Fixtures/Properties/DA_AllProperties");
    let set = |path: &str| {
        let wanted = json!({ "ObjectName": "FixtureInlineObject'DA_AllProperties:InlineFixture'", "ObjectPath": path });
        let address = "DA_AllProperties.InlineObject";
        uncask(&["set", &place, address, &wanted.to_string(), "--base", &global, "--dry-run"])
    };
    for folder in [FOLDER, "/Game/Fixtures"] {
        let ran = set(&format!("{folder}/Properties/DA_AllProperties.0"));
        // It is the object that stands there already.
        assert_eq!(ran.code, 5, "{} {}", ran.out, ran.err);
        assert!(ran.err.contains("nothing changed"), "{} {}", ran.out, ran.err);
    }
    let ran = set(&format!("{FOLDER}/Properties/DA_Other.0"));
    assert!(ran.code == 1 && ran.err.contains("an object of this package"), "{} {}", ran.out, ran.err);
}
