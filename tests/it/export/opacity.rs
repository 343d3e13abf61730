//! Opacity that has a texture of its own. Nothing in the corpus has one, so an instance of a material gets one by an edit.

use super::textures::rgba;
use super::{files, json_of};
use crate::commands::run::{corpus_with, uncask, whole_game};
use serde_json::json;
use std::path::Path;

const MATERIAL: &str = "/Game/Fixtures/Materials/MI_Fixture";

/// Changes values of a package in a mod.
fn set(game: &str, corpus: &Path, package: &str, values: &[[&str; 2]], to: [&str; 2]) {
    let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let input = format!("{game}:{package}");
    let args = ["set", &input, "--mappings", mappings.to_str().unwrap()];
    let args: Vec<&str> = args.into_iter().chain(values.iter().flatten().copied()).chain(to).collect();
    uncask(&args).ok();
}

/// The number that an sRGB value stands for, both in bytes: the texture is sRGB.
fn number(value: u8) -> u8 {
    let part = f64::from(value) / 255.0;
    let linear = if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
    (0..=u8::MAX).find(|byte| f64::from(*byte) + 0.5 >= linear * 255.0).unwrap()
}

#[test]
fn opacity_of_its_own_becomes_the_alpha_of_the_colour() {
    let Some(corpus) = corpus_with("iostore/ue5.8") else { return };
    let folder = tempfile::tempdir().unwrap();
    let game = whole_game(&corpus, "tagged", folder.path());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mod_ = path("Opacity_P.utoc");
    let color = json!({
        "ParameterInfo": { "Name": "BaseColor", "Association": "GlobalParameter", "Index": -1 },
        "ParameterValue": "/Game/Fixtures/Textures/T_BC1.T_BC1",
        "ExpressionGUID": "00000000-00000000-00000000-00000000",
    });
    let values = [
        // Its texture is T_BC3.
        ["MI_Fixture.TextureParameterValues[0].ParameterInfo.Name", "Opacity"],
        ["MI_Fixture.TextureParameterValues[+]", &color.to_string()],
        ["MI_Fixture.BasePropertyOverrides.bOverride_BlendMode", "true"],
        ["MI_Fixture.BasePropertyOverrides.BlendMode", "BLEND_Masked"],
    ];
    set(&game, &corpus, MATERIAL, &values, ["-o", &mod_]);
    let shown = ["HISM_Fixture.OverrideMaterials", &format!("[\"{MATERIAL}.MI_Fixture\"]")];
    set(&game, &corpus, "/Game/Fixtures/Maps/Instancing", &[shown], ["--into", &mod_]);
    let out = path("out");
    uncask(&["export", &game, "-i", &mod_, "*/Instancing*", "--as", "scene", "-o", &out]).ok();
    let found = files(Path::new(&out));
    assert_eq!(found.keys().collect::<Vec<_>>(), ["Instancing.glb", "T_BC1_T_BC3.png"]);
    let scene = json_of(&found["Instancing.glb"]);
    let material =
        scene["materials"].as_array().unwrap().iter().find(|of| of["name"] == "MI_Fixture").unwrap();
    assert_eq!((&material["alphaMode"], &material["alphaCutoff"]), (&json!("MASK"), &json!(0.3333)));
    assert_eq!(scene["images"], json!([{ "uri": "../Textures/T_BC1_T_BC3.png" }]));
    // Colours of one texture, and red of the other.
    let (textures, args) = (path("textures"), ["--as", "png", "-o"]);
    uncask(&[&["export", &game, "T_BC1.uasset", "T_BC3.uasset"][..], &args, &[&textures]].concat()).ok();
    let textures = files(Path::new(&textures));
    let [masked, color, opacity] =
        [&found["T_BC1_T_BC3.png"], &textures["T_BC1.png"], &textures["T_BC3.png"]].map(|path| rgba(path));
    assert_eq!((masked.0, masked.1), (color.0, color.1));
    assert_eq!((color.0, color.1), (opacity.0, opacity.1), "they are of one size");
    for ((masked, [red, green, blue, _]), [opacity, ..]) in masked.2.into_iter().zip(color.2).zip(opacity.2) {
        assert_eq!(masked, [red, green, blue, number(opacity)]);
    }
}
