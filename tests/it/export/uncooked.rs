//! Uncooked assets: meshes and a texture of real projects. For other sources, which are not in the corpus, a texture's package
//! becomes one of the editor, with a payload and a trailer as the sheet has them.

use super::fonts::exported;
use super::{corpus, files, payloads_with, uncask};
use serde_json::Value;
use std::path::{Path, PathBuf};
use uncask::package::legacy::{FILTER_EDITOR_ONLY, NameEntry, Package};

const TRAILER_HASH: [u8; 20] = [9; 20];

/// An object of a class in a package of the editor: properties after the control byte, a payload, and what the trailer holds.
struct Uncooked {
    package: Package,
    properties: Vec<u8>,
}

impl Uncooked {
    fn new(payloads: &Path, class: &str) -> Self {
        let from = payloads.parent().unwrap().join("properties/ue5.8/tagged/Fixtures/Textures/T_G8.uasset");
        let mut package = Package::parse(&std::fs::read(from).unwrap()).unwrap();
        for entry in package.names.iter_mut().filter(|entry| entry.text.as_str() == "Texture2D") {
            *entry = NameEntry::new(class);
        }
        package.summary.package_flags &= !FILTER_EDITOR_ONLY;
        package.data_resources = None;
        Self { package, properties: Vec::new() }
    }

    fn name(&mut self, text: &str) -> Vec<u8> {
        let names = &mut self.package.names;
        let known = names.iter().position(|entry| entry.text.as_str() == text);
        let at = known.unwrap_or_else(|| {
            names.push(NameEntry::new(text));
            names.len() - 1
        });
        [u32::try_from(at).unwrap(), 0].map(u32::to_le_bytes).concat()
    }

    /// A tag: name, the names of the type with how many follow each, size, flags; then the value.
    fn tag(&mut self, name: &str, kind: &[(&str, u32)], value: &[u8]) -> Vec<u8> {
        let mut bytes = self.name(name);
        for (name, count) in kind {
            bytes.extend(self.name(name));
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(u32::try_from(value.len()).unwrap().to_le_bytes());
        bytes.push(0);
        bytes.extend(value);
        bytes
    }

    /// Adds the size and format of the source, in pixels.
    fn source(&mut self, sides: [u32; 2], slices: u32, format: &str) {
        let mut fields = Vec::new();
        for (name, value) in [("SizeX", sides[0]), ("SizeY", sides[1]), ("NumSlices", slices), ("NumMips", 1)]
        {
            fields.extend(self.tag(name, &[("IntProperty", 0)], &value.to_le_bytes()));
        }
        let of_enum = [("ByteProperty", 1), ("ETextureSourceFormat", 1), ("/Script/Engine", 0)];
        let format = self.name(format);
        fields.extend(self.tag("Format", &of_enum, &format));
        fields.extend(self.name("None"));
        let of_struct = [("StructProperty", 1), ("TextureSource", 1), ("/Script/Engine", 0)];
        self.properties = self.tag("Source", &of_struct, &fields);
    }

    /// Writes it, with the content of its source in its trailer.
    fn write(mut self, folder: &Path, payload: &[u8], content: &[u8]) -> PathBuf {
        let none = self.name("None");
        let list = [&[0][..], &self.properties, &none].concat();
        let data = [&list[..], &[0; 4], payload].concat();
        let export = &mut self.package.exports[0];
        export.serial_len = i64::try_from(data.len()).unwrap();
        export.script = Some([0, i64::try_from(list.len()).unwrap()]);
        self.package.summary.payload_toc_offset = Some(1);
        self.package.lay_out_cooked(0).unwrap();
        let header_len = self.package.clone().write_header().unwrap().len();
        self.package.exports[0].serial_offset = i64::try_from(header_len).unwrap();
        let trailer_at = header_len + data.len() + 4;
        self.package.summary.payload_toc_offset = Some(i64::try_from(trailer_at).unwrap());
        let header = self.package.clone().write_header().unwrap();
        assert_eq!(header.len(), header_len);
        let file = folder.join("T_G8.uasset");
        std::fs::write(
            &file,
            [&header, &data, &0x9E2A_83C1_u32.to_le_bytes()[..], &trailer(content)].concat(),
        )
        .unwrap();
        file
    }
}

/// A trailer with one payload, which is not compressed.
fn trailer(content: &[u8]) -> Vec<u8> {
    let mut buffer = b"\xB7\x75\x63\x62\0\0\0\0\0\0\0\0\0\0\0\x01".to_vec();
    buffer.extend((content.len() as u64).to_be_bytes());
    buffer.extend((64 + content.len() as u64).to_be_bytes());
    buffer.extend(blake3::hash(content).as_bytes());
    buffer.extend(content);
    let mut file = 0xD1C4_3B2E_80A5_F697_u64.to_le_bytes().to_vec();
    file.extend([2, 28 + 49].map(u32::to_le_bytes).concat());
    file.extend((buffer.len() as u64).to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend(TRAILER_HASH);
    file.extend([0, buffer.len() as u64, content.len() as u64].map(u64::to_le_bytes).concat());
    file.extend([0; 5]);
    file.extend(&buffer);
    file.extend(0x29BF_CA04_5138_DE76_u64.to_le_bytes());
    file.extend((28 + 49 + buffer.len() as u64 + 20).to_le_bytes());
    file.extend(0x9E2A_83C1_u32.to_le_bytes());
    file
}

/// Editor bulk data in the trailer.
fn editor_bulk(len: usize) -> Vec<u8> {
    [&0x200_u32.to_le_bytes()[..], &[1; 16], &TRAILER_HASH, &(len as u64).to_le_bytes()].concat()
}

/// The payload of an uncooked texture.
fn texture(len: usize) -> Vec<u8> {
    [&[0, 0][..], &editor_bulk(len), &[0, 0, 0, 0, 0, 0]].concat()
}

#[test]
fn an_imported_picture_is_the_file_that_it_was() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let png = std::fs::read(payloads.join("ue5.8/SourceTextures/rgb.png")).unwrap();
    for (content, name) in [(&png[..], "T_G8.png"), (b"\xFF\xD8\xFF and so on", "T_G8.jpg")] {
        let package = Uncooked::new(&payloads, "Texture2D");
        let file = package.write(folder.path(), &texture(content.len()), content);
        let (files, said) = exported(&file);
        assert_eq!(files, [(name.to_owned(), content.to_vec())], "{said}");
    }
}

#[test]
fn pixels_become_pictures() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut package = Uncooked::new(&payloads, "Texture2DArray");
    package.source([2, 1], 2, "TSF_BGRA8");
    let pixels = [1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255];
    let file = package.write(folder.path(), &texture(pixels.len()), &pixels);
    let (files, said) = exported(&file);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["T_G8_0000.png", "T_G8_0001.png"], "{said}");
    let mut reader = png::Decoder::new(std::io::Cursor::new(&files[1].1)).read_info().unwrap();
    let mut found = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut found).unwrap();
    assert_eq!(found, [9, 8, 7, 255, 12, 11, 10, 255]);
    // A format that textures do not have is named; fewer pixels than there should be are a failure.
    let mut package = Uncooked::new(&payloads, "Texture2D");
    package.source([2, 2], 1, "TSF_BGRE8");
    let (files, said) = exported(&package.write(folder.path(), &texture(16), &pixels));
    assert!(files.is_empty() && said.contains("TSF_BGRE8"), "{said}");
    let mut package = Uncooked::new(&payloads, "Texture2D");
    package.source([2, 3], 1, "TSF_BGRA8");
    let file = package.write(folder.path(), &texture(16), &pixels);
    let run = uncask(["export", file.to_str().unwrap(), "-o", folder.path().to_str().unwrap()]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("has 16 bytes, expected 24"), "{}", run.stderr);
}

#[test]
fn an_imported_sound_is_the_file_that_it_was() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let wav = std::fs::read(payloads.join("ue5.8/SourceAudio/inline.wav")).unwrap();
    let payload = [&[0; 4][..], &editor_bulk(wav.len()), &[3; 16]].concat();
    let file = Uncooked::new(&payloads, "SoundWave").write(folder.path(), &payload, &wav);
    let (files, said) = exported(&file);
    assert!(files == [("T_G8.wav".to_owned(), wav)], "{said}");
}

#[test]
fn what_else_is_not_cooked_is_left_out_with_its_class() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = Uncooked::new(&payloads, "SkeletalMesh").write(folder.path(), &[0; 60], b"x");
    let (files, said) = exported(&file);
    assert!(files.is_empty() && said.contains("it is not cooked") && said.contains("SkeletalMesh"), "{said}");
    // A GUID, nothing stripped, no tracks.
    let file = Uncooked::new(&payloads, "AnimSequence").write(folder.path(), &[0; 26], b"x");
    let (files, said) = exported(&file);
    assert!(
        files.is_empty() && said.contains("no tracks were found") && said.contains("AnimSequence"),
        "{said}"
    );
}

#[test]
fn imported_meshes_of_projects_have_the_materials_of_their_sections() {
    let Some(corpus) = corpus::with("uncooked-projects/serdaraltin") else { return };
    let folder = tempfile::tempdir().unwrap();
    let [project, out] = [corpus.join("uncooked-projects/serdaraltin"), folder.path().to_owned()];
    let run = uncask(["export", project.to_str().unwrap(), "--as", "gltf", "-o", out.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("17 StaticMesh"), "{}", run.stderr);
    let found = files(&out);
    let (_, path) = found.iter().find(|(name, _)| name.contains("color_box")).unwrap();
    let glb = std::fs::read(path).unwrap();
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&glb[20..20 + len]).unwrap();
    let primitives = json["meshes"][0]["primitives"].as_array().unwrap();
    let materials = primitives.iter().map(|primitive| primitive["material"].as_u64().unwrap());
    // The order of the imported groups is another one than that of the slots.
    assert_eq!(materials.collect::<Vec<_>>(), [1, 2, 3, 5, 0, 4]);
    assert_eq!(json["materials"].as_array().unwrap().len(), 6);
}

#[test]
fn a_texture_of_a_project_is_the_picture_that_was_imported() {
    let Some(corpus) = corpus::with("mods/drg/editor") else { return };
    let folder = tempfile::tempdir().unwrap();
    let [project, out] = [corpus.join("mods/drg/editor"), folder.path().to_owned()];
    let run = uncask(["export", project.to_str().unwrap(), "--as", "png", "-o", out.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found = files(&out);
    let picture = std::fs::File::open(&found["SU_Border.png"]).unwrap();
    let info = png::Decoder::new(std::io::BufReader::new(picture)).read_info().unwrap().info().size();
    assert_eq!((found.len(), info), (1, (32, 32)));
}
