use super::super::texture::Texture;
use super::parts::BulkText;
use serde::Serialize;
use serde::ser::SerializeMap;

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct MipJson<'b, 'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    bulk_data: Option<BulkText<'b, 'a>>,
    size_x: u32,
    size_y: u32,
    size_z: u32,
}

impl Texture<'_> {
    pub(super) fn write_json<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Some(data) = self.payload.platform() else { return Ok(()) };
        let [width, height] = data.size;
        map.serialize_entry("SizeX", &width)?;
        map.serialize_entry("SizeY", &height)?;
        map.serialize_entry("PackedData", &data.packed)?;
        map.serialize_entry("PixelFormat", &self.format.to_string())?;
        map.serialize_entry("FirstMipToSerialize", &data.first_mip)?;
        let mips: Vec<MipJson<'_, '_>> = data
            .mips
            .iter()
            .map(|mip| {
                let [size_x, size_y, size_z] = mip.size;
                MipJson { bulk_data: mip.data.as_ref().map(BulkText), size_x, size_y, size_z }
            })
            .collect();
        if mips.is_empty() { Ok(()) } else { map.serialize_entry("Mips", &mips) }
    }
}
