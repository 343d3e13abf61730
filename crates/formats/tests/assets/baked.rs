//! Light maps and shadow maps, spelled out: both are textures, and only light maps have flags after them.

use uncask_formats::asset::{self, Asset, AssetError};
use uncask_formats::package::legacy::{
    Export, Form, Import, Name, NameEntry, Package, PackageIndex, VersionEvidence,
};
use uncask_formats::property::{Object, Scope};
use uncask_formats::version::Release;
use uncask_formats::wire::Writer;

const NAMES: [&str; 7] =
    ["None", "PF_G8", "/Script/CoreUObject", "Class", "/Script/Engine", "Package", "Baked"];

fn name(text: &str) -> Name {
    Name { index: u32::try_from(NAMES.iter().position(|name| *name == text).unwrap()).unwrap(), number: 0 }
}

/// The payload of a texture of 2 × 2 pixels, as UE 4.27 writes it.
fn payload(after: &[u8]) -> Vec<u8> {
    let mut w = Writer::new();
    // No properties, no GUID; strip flags of the two classes; cooked.
    w.u64(0).u32(0).bytes(&[1, 0, 1, 0]).u32(1);
    // The pixel format; where it ends, counted from the start of the package.
    w.u32(1).u32(0).u64(1000);
    // Size, slices, the format once more, the first mip, one mip.
    w.u32(2).u32(2).u32(1).u32(6).bytes(b"PF_G8\0").u32(0).u32(1);
    // Cooked, inline bulk data of four bytes, its size.
    w.u32(1).u32(0x48).u32(4).u32(4).u64(2000).bytes(&[1, 2, 3, 4]).u32(2).u32(2).u32(1);
    // Not virtual; no other format.
    w.u32(0).u32(0).u32(0).bytes(after);
    w.into_bytes()
}

/// Pixels, flags, and the payload written again.
type Baked = (Vec<u8>, Option<u32>, Vec<u8>);

/// Reads an object of a class.
fn read(class: &str, data: &[u8]) -> Result<Baked, AssetError> {
    let release = Release::from_name("4.27").unwrap();
    let import = |class_name, outer, object| Import {
        class_package: name("/Script/CoreUObject"),
        class_name: name(class_name),
        outer: PackageIndex(outer),
        name: object,
        ..Import::default()
    };
    let of_class = Name { index: u32::try_from(NAMES.len()).unwrap(), number: 0 };
    let export = Export {
        class: PackageIndex(-2),
        name: name("Baked"),
        serial_len: i64::try_from(data.len()).unwrap(),
        ..Export::default()
    };
    let package = Package {
        form: Form { versions: release.objects, legacy: release.legacy, cooked: true, ..Form::default() },
        evidence: VersionEvidence::Given(release.name),
        names: NAMES.into_iter().chain([class]).map(NameEntry::new).collect(),
        imports: vec![import("Package", 0, name("/Script/Engine")), import("Class", -1, of_class)],
        exports: vec![export],
        ..Package::default()
    };
    let scope = Scope::new(&package, data, 0, Some(release));
    let export = &package.exports[0];
    let found = asset::read(&scope, export, &Object::read(&scope, export)).unwrap()?;
    let Asset::Texture(texture) = found.asset else { panic!("no texture") };
    let pixels = texture.mips[0].data.inline.unwrap().to_vec();
    Ok((pixels, texture.payload.light_map, texture.payload.to_bytes().unwrap()))
}

#[test]
fn only_light_maps_have_flags_after_the_texture() {
    let pixels = vec![1, 2, 3, 4];
    let (plain, with_flags) = (payload(&[]), payload(&[7, 0, 0, 0]));
    // The payload follows the end of the properties and the flag of the GUID.
    let after = |data: &[u8]| data[12..].to_vec();
    for class in ["ShadowMapTexture2D", "Texture2D"] {
        assert_eq!(read(class, &plain).unwrap(), (pixels.clone(), None, after(&plain)), "{class}");
        assert!(read(class, &with_flags).is_err(), "{class}");
    }
    let found = read("LightMapTexture2D", &with_flags).unwrap();
    assert_eq!(found, (pixels, Some(7), after(&with_flags)));
    assert!(read("LightMapTexture2D", &plain).is_err());
}
