//! Payloads of assets, and pixels.

use super::bounds::bounded;
use super::{number, part};
use uncask::asset::texture::{Mip, NewMip, Texture};
use uncask::asset::{self, Asset};
use uncask::image::dds_file::Dds;
use uncask::image::{Meaning, Mips, NormalMap, Picture, PixelFormat, complete_normals};
use uncask::package::legacy::Package;
use uncask::property::{Object, Scope};

/// Bytes of a picture for each byte of its file: a block of 16 bytes may be 12 by 12 pixels of four bytes, and tiles may be
/// shared.
const PER_BYTE: usize = 1024;

/// A header and the data of its exports: what can be read is decoded.
pub(super) fn payloads(mut data: &[u8]) {
    let header = part(&mut data);
    let Ok(found) = Package::parse_partial(header, None) else { return };
    let package = found.value;
    let scope = Scope::new(&package, data, header.len() as u64, None);
    for export in package.exports.iter().take(16) {
        let object = Object::read(&scope, export);
        let Some(Ok(found)) = asset::read(&scope, export, &object) else { continue };
        let Asset::Texture(texture) = found.asset else { continue };
        let own = scope.bytes(export).and_then(|bytes| bytes.get(found.payload_at..));
        assert_eq!(texture.payload.to_bytes().ok().as_deref(), own, "what was read is written the same");
        replace(&texture);
        let budget = data.len();
        bounded(budget, PER_BYTE, || {
            for mip in &texture.mips {
                let bytes = mip.data.inline.unwrap_or_default();
                if let Ok(picture) = Picture::new(texture.format, mip.width, mip.height, bytes) {
                    let _ = picture.decode();
                }
            }
            if let Some(tiles) = &texture.virtual_texture {
                let chunks = [Some(data)];
                for mip in 0..tiles.mips.len() {
                    let _ = tiles.assemble(mip, 0, &chunks);
                }
            }
        });
    }
}

/// The mips that a texture has go into it again.
fn replace(texture: &Texture<'_>) {
    let mip = |mip: &Mip<'_>| {
        let bytes = mip.data.inline.unwrap_or_default().to_vec();
        NewMip { width: mip.width, height: mip.height, slices: mip.slices, bytes }
    };
    let mips: Vec<NewMip> = texture.mips.iter().map(mip).collect();
    let files = texture.files().into_iter().map(|key| (key, vec![0; 64])).collect();
    if let Ok(new) = texture.replace(&mips, mips.len(), &files) {
        let is_inline = texture.mips.iter().all(|mip| mip.data.inline.is_some());
        assert!(!is_inline || texture.payload.to_bytes().ok() == Some(new.payload));
    }
}

/// The number of a format, width, height, and blocks.
pub(super) fn image(mut data: &[u8]) {
    let (head, sides) = (number(&mut data), number(&mut data));
    let Some(format) = PixelFormat::from_number(head.to_le_bytes()[0]) else { return };
    if let Ok(dds) = Dds::parse(data) {
        let _ = dds.mips(format);
    }
    let Ok(picture) = Picture::new(format, sides & 0xFFFF, sides >> 16, data) else { return };
    bounded(data.len(), PER_BYTE, || {
        let Ok(mut image) = picture.decode() else { return };
        assert_eq!((image.width, image.height), (picture.width, picture.height));
        // Encoders take their time.
        if data.len() < 1024
            && let Ok(bytes) = image.encode(format)
        {
            assert_eq!(bytes.len() as u64, format.byte_len(image.width, image.height));
        }
        let half = Mips::new(&image, Meaning::Srgb).image();
        assert_eq!(half.width, (image.width / 2).max(1));
        if let Some(map) = NormalMap::of(format.layout(), &image) {
            complete_normals(&mut image, map);
        }
    });
}
