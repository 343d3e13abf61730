use super::document::{
    Accessor, Asset, Buffer, BufferView, Document, F32, Scene, Sparse, SparseIndices, SparseValues, U32,
};
use std::collections::HashMap;

/// A binary glTF file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glb {
    /// Bytes of the file.
    pub bytes: Vec<u8>,
    /// Losses and changes, because glTF cannot express the original.
    pub notes: Vec<&'static str>,
}

/// Error while writing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// The mesh has no level of detail with triangles in the package.
    #[error("it has no triangles here")]
    Empty,
    /// The requested level of detail does not exist.
    #[error("level of detail {asked} does not exist (it has {count})")]
    NoLod {
        /// Requested level.
        asked: usize,
        /// Number of levels.
        count: usize,
    },
    /// The level of detail is in bulk data that is streamed, and was not loaded.
    #[error("level of detail {0} is streamed, which is not read")]
    Streamed(usize),
    /// A feature that prevents the export.
    #[error("{0}")]
    Obstacle(&'static str),
    /// The file would be larger than its format allows.
    #[error("the file would be larger than 4 GiB, which glTF does not allow")]
    TooLarge,
    /// The keys of a track are damaged.
    #[error(transparent)]
    Fault(#[from] crate::wire::Fault),
}

/// File under construction.
pub(super) struct Builder {
    pub(super) document: Document,
    bytes: Vec<u8>,
    /// Number of bytes that were taken out already.
    taken: usize,
    notes: Vec<&'static str>,
    /// Textures by the URIs of their images.
    pub(super) textures: HashMap<String, usize>,
}

impl Builder {
    pub(super) fn new() -> Self {
        let asset = Asset { version: "2.0", generator: concat!("uncask ", env!("CARGO_PKG_VERSION")) };
        let document = Document {
            asset,
            scene: 0,
            scenes: vec![Scene { nodes: Vec::new() }],
            nodes: Vec::new(),
            cameras: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            textures: Vec::new(),
            images: Vec::new(),
            skins: Vec::new(),
            animations: Vec::new(),
            accessors: Vec::new(),
            buffer_views: Vec::new(),
            buffers: Vec::new(),
            extensions_used: Vec::new(),
            extensions: None,
        };
        Self { document, bytes: Vec::new(), taken: 0, notes: Vec::new(), textures: HashMap::new() }
    }

    /// Records a loss or change, once.
    pub(super) fn note(&mut self, note: &'static str) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Losses and changes so far.
    pub(super) fn notes(&self) -> &[&'static str] {
        &self.notes
    }

    /// Adds a node to the scene.
    pub(super) fn show(&mut self, node: usize) {
        for scene in &mut self.document.scenes {
            scene.nodes.push(node);
        }
    }

    /// Appends bytes, and returns the index of their view.
    pub(super) fn view(&mut self, bytes: impl IntoIterator<Item = u8>, target: Option<u16>) -> usize {
        self.align();
        let start = self.len();
        self.bytes.extend(bytes);
        self.view_from(start, target)
    }

    /// Adds a view of all bytes from `start` on.
    fn view_from(&mut self, start: usize, target: Option<u16>) -> usize {
        let view = BufferView { buffer: 0, byte_offset: start, byte_length: self.len() - start, target };
        push(&mut self.document.buffer_views, view)
    }

    /// Length of the binary data.
    pub(super) const fn len(&self) -> usize {
        self.taken + self.bytes.len()
    }

    /// Fills up the binary data: accessors need aligned starts, and four bytes suit every component type.
    fn align(&mut self) {
        // What was taken out was aligned.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// Takes out the binary data so far, which follows what was taken before.
    pub(super) fn take_bytes(&mut self) -> Vec<u8> {
        self.align();
        self.taken += self.bytes.len();
        std::mem::take(&mut self.bytes)
    }

    /// Adds the accessors and binary data of another file, and returns the number of the first accessor.
    pub(super) fn absorb(&mut self, mut other: Self) -> usize {
        self.align();
        let (start, views) = (self.len(), self.document.buffer_views.len());
        let first = self.document.accessors.len();
        self.bytes.append(&mut other.bytes);
        let moved = other.document.buffer_views.into_iter();
        let moved = moved.map(|view| BufferView { byte_offset: view.byte_offset + start, ..view });
        self.document.buffer_views.extend(moved);
        self.document.accessors.extend(other.document.accessors.into_iter().map(|accessor| {
            let buffer_view = accessor.buffer_view.map(|view| view + views);
            Accessor { buffer_view, ..accessor }
        }));
        other.notes.into_iter().for_each(|note| self.note(note));
        first
    }

    /// Adds an accessor, and returns its index.
    pub(super) fn accessor(&mut self, accessor: Accessor) -> usize {
        push(&mut self.document.accessors, accessor)
    }

    /// Adds vectors of `N` floats, and returns the index of their accessor.
    pub(super) fn floats<const N: usize>(
        &mut self,
        values: impl IntoIterator<Item = [f32; N]>,
        target: Option<u16>,
        has_bounds: bool,
    ) -> usize {
        let values = values.into_iter();
        self.align();
        let start = self.len();
        self.bytes.reserve(values.size_hint().0.saturating_mul(N * size_of::<f32>()));
        // The values are visited once: counted and measured while they are written.
        let (mut count, mut bounds) = (0, Range::<N>::default());
        for value in values {
            count += 1;
            if has_bounds {
                bounds.add(value);
            }
            for part in value {
                self.bytes.extend_from_slice(&part.to_le_bytes());
            }
        }
        let view = self.view_from(start, target);
        let (min, max) = if has_bounds { bounds.into_lists() } else { Default::default() };
        let kind = kind::<N>();
        self.accessor(Accessor {
            buffer_view: Some(view),
            component_type: F32,
            count,
            kind,
            min,
            max,
            ..Default::default()
        })
    }

    /// Bytes of an accessor, unless they were taken out.
    pub(super) fn bytes_of(&self, accessor: usize) -> &[u8] {
        let view = self.document.accessors.get(accessor).and_then(|of| of.buffer_view);
        let view = view.and_then(|view| self.document.buffer_views.get(view));
        let start = view.and_then(|view| view.byte_offset.checked_sub(self.taken));
        let range = start.zip(view).map(|(start, view)| start..start + view.byte_length);
        range.and_then(|range| self.bytes.get(range)).unwrap_or_default()
    }

    /// Puts other vectors into the place of those of an accessor, as many as there were.
    pub(super) fn overwrite<const N: usize>(&mut self, accessor: usize, values: &[[f32; N]]) {
        let Some(of) = self.document.accessors.get_mut(accessor) else { return };
        let view = of.buffer_view.and_then(|view| self.document.buffer_views.get(view));
        let Some(start) = view.and_then(|view| view.byte_offset.checked_sub(self.taken)) else { return };
        let (mut bounds, mut to) = (Range::<N>::default(), self.bytes.get_mut(start..).unwrap_or_default());
        for value in values {
            bounds.add(*value);
            for part in value {
                let Some((place, rest)) = to.split_first_chunk_mut() else { return };
                *place = part.to_le_bytes();
                to = rest;
            }
        }
        if !of.min.is_empty() {
            (of.min, of.max) = bounds.into_lists();
        }
    }

    /// Adds `count` vectors, all zero except those listed in ascending order.
    pub(super) fn sparse(&mut self, count: usize, values: &[(u32, [f32; 3])], has_bounds: bool) -> usize {
        let mut bounds = Range::<3>::default();
        // The vectors that are not listed count for the bounds, too.
        if values.len() < count {
            bounds.add([0.0; 3]);
        }
        for (_, value) in values {
            bounds.add(*value);
        }
        // An accessor without a view is all zero; an empty sparse part would be invalid.
        let sparse = (!values.is_empty()).then(|| {
            let indices = self.view(values.iter().flat_map(|(index, _)| index.to_le_bytes()), None);
            let values_view =
                self.view(values.iter().flat_map(|(_, value)| *value).flat_map(f32::to_le_bytes), None);
            Sparse {
                count: values.len(),
                indices: SparseIndices { buffer_view: indices, component_type: U32 },
                values: SparseValues { buffer_view: values_view },
            }
        });
        let (min, max) = if has_bounds { bounds.into_lists() } else { Default::default() };
        self.accessor(Accessor {
            component_type: F32,
            count,
            kind: "VEC3",
            min,
            max,
            sparse,
            ..Default::default()
        })
    }

    /// Assembles the file.
    pub(super) fn finish(mut self) -> Result<Glb, GltfError> {
        let mut binary = self.take_bytes();
        let mut bytes = self.head()?;
        bytes.append(&mut binary);
        Ok(Glb { bytes, notes: self.notes })
    }

    /// All of the file that stands before its binary data, which were taken out.
    pub(super) fn head(&mut self) -> Result<Vec<u8>, GltfError> {
        const MAGIC: &[u8; 8] = b"glTF\x02\0\0\0";
        let mut json = self.json(None);
        // Chunks have lengths that are multiples of four: JSON is padded with spaces, binary data with zeros.
        json.resize(json.len().next_multiple_of(4), b' ');
        let binary = if self.taken == 0 { 0 } else { 8 + self.taken };
        let size = |len: usize| u32::try_from(len).map(u32::to_le_bytes).map_err(|_| GltfError::TooLarge);
        // 12 bytes of file header and 8 for each chunk's. All lengths are 32-bit, which limits files to 4
        // GiB.
        let total = size(12 + 8 + json.len() + binary)?;
        let mut bytes = [&MAGIC[..], &total, &size(json.len())?, b"JSON", &json].concat();
        if binary > 0 {
            bytes.extend_from_slice(&size(self.taken)?);
            bytes.extend_from_slice(b"BIN\0");
        }
        Ok(bytes)
    }

    /// The JSON part, with the binary data in a file of its own, or in the same file.
    pub(super) fn json(&mut self, uri: Option<&str>) -> Vec<u8> {
        // A buffer of no bytes is invalid, and so is an empty binary chunk.
        let buffer = Buffer { uri: uri.map(str::to_owned), byte_length: self.taken };
        self.document.buffers = if self.taken == 0 { Vec::new() } else { vec![buffer] };
        // Serialising plain structs into memory cannot fail.
        serde_json::to_vec(&self.document).unwrap_or_default()
    }
}

/// Appends to a list, and returns the index.
pub(super) fn push<T>(list: &mut Vec<T>, item: T) -> usize {
    list.push(item);
    list.len() - 1
}

/// Lowest and highest component values of vectors.
struct Range<const N: usize>(Option<([f32; N], [f32; N])>);

impl<const N: usize> Default for Range<N> {
    fn default() -> Self {
        Self(None)
    }
}

impl<const N: usize> Range<N> {
    fn add(&mut self, value: [f32; N]) {
        let (low, high) = self.0.get_or_insert((value, value));
        for ((low, high), part) in low.iter_mut().zip(high).zip(value) {
            (*low, *high) = (low.min(part), high.max(part));
        }
    }

    fn into_lists(self) -> (Vec<f64>, Vec<f64>) {
        let (low, high) = self.0.unwrap_or(([0.0; N], [0.0; N]));
        (low.map(f64::from).into(), high.map(f64::from).into())
    }
}

const fn kind<const N: usize>() -> &'static str {
    match N {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}
