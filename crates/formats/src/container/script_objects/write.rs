//! The inverse of the reader: what was read becomes the same bytes again.

use super::ScriptObjects;
use crate::wire::Writer;

impl ScriptObjects {
    /// Writes a ScriptObjects chunk (UE5).
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut w = Writer::new();
        self.names.write_batch(&mut w);
        self.write_entries(&mut w);
        w.into_bytes()
    }

    /// Writes the three chunks of UE4: LoaderInitialLoadMeta, LoaderGlobalNames, LoaderGlobalNameHashes.
    #[must_use]
    pub fn write_ue4(&self) -> [Vec<u8>; 3] {
        let mut w = Writer::new();
        self.write_entries(&mut w);
        let (names, hashes) = self.names.write_parts();
        [w.into_bytes(), names, hashes]
    }

    fn write_entries(&self, w: &mut Writer) {
        w.u32(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
        for object in &self.objects {
            object.name.write(w);
            w.u64(object.index.0).u64(object.outer.0).u64(object.default_of.0);
        }
    }
}
