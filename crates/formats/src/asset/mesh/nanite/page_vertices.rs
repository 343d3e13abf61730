//! Vertices of the clusters of a page.

/// A vertex as it is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NaniteVertex {
    /// Position, in units that the precision of the mesh tells.
    pub position: [i32; 3],
    /// Normal, as coordinates on an octahedron.
    pub normal: [u16; 2],
    /// Angle of the tangent, with the handedness above it; 0 if there are no tangents.
    pub tangent: u16,
    /// Colour: red, green, blue, alpha.
    pub color: [u8; 4],
}

/// Vertices of the clusters of a page, one cluster after the other.
#[derive(Debug, Default)]
pub(super) struct PageVertices {
    vertices: Vec<NaniteVertex>,
    /// Texture coordinates of a cluster: the first channel of all its vertices, then the next channel.
    uvs: Vec<[f32; 2]>,
    clusters: Vec<Span>,
}

/// Place of a cluster among the vertices and the texture coordinates of its page.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    first: usize,
    count: usize,
    first_uv: usize,
    channels: usize,
}

/// Vertices of a cluster.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slots<'a> {
    pub(super) vertices: &'a [NaniteVertex],
    pub(super) uvs: &'a [[f32; 2]],
}

/// Vertices of a cluster, to be filled.
pub(super) struct SlotsMut<'a> {
    pub(super) vertices: &'a mut [NaniteVertex],
    pub(super) uvs: &'a mut [[f32; 2]],
}

/// A vertex: its cluster, and its place there.
pub(super) type VertexAt = [usize; 2];

impl PageVertices {
    /// Adds a cluster whose vertices are still to be read.
    pub(super) fn add(&mut self, count: usize, channels: usize, color: [u8; 4]) -> SlotsMut<'_> {
        let (first, first_uv) = (self.vertices.len(), self.uvs.len());
        self.vertices.resize(first + count, NaniteVertex { color, ..NaniteVertex::default() });
        self.uvs.resize(first_uv + count * channels, [0.0; 2]);
        self.clusters.push(Span { first, count, first_uv, channels });
        SlotsMut {
            vertices: self.vertices.get_mut(first..).unwrap_or_default(),
            uvs: self.uvs.get_mut(first_uv..).unwrap_or_default(),
        }
    }

    /// Returns the vertices of a cluster: none if it does not exist.
    pub(super) fn cluster(&self, at: usize) -> Slots<'_> {
        let Span { first, count, first_uv, channels } = self.span(at);
        Slots {
            vertices: self.vertices.get(first..first + count).unwrap_or_default(),
            uvs: self.uvs.get(first_uv..first_uv + count * channels).unwrap_or_default(),
        }
    }

    fn span(&self, cluster: usize) -> Span {
        self.clusters.get(cluster).copied().unwrap_or_default()
    }

    /// Copies a vertex from one of an earlier page; `None` if that does not exist.
    pub(super) fn copy(&mut self, to: VertexAt, earlier: &Self, from: VertexAt) -> Option<()> {
        let (to, from) = (self.span(to[0]).at(to[1])?, earlier.span(from[0]).at(from[1])?);
        *self.vertices.get_mut(to.vertex)? = *earlier.vertices.get(from.vertex)?;
        for channel in 0..to.channels.min(from.channels) {
            *self.uvs.get_mut(to.uv(channel))? = *earlier.uvs.get(from.uv(channel))?;
        }
        Some(())
    }

    /// Copies a vertex from another one of the page; `None` if that does not exist.
    pub(super) fn copy_within(&mut self, to: VertexAt, from: VertexAt) -> Option<()> {
        let (to, from) = (self.span(to[0]).at(to[1])?, self.span(from[0]).at(from[1])?);
        *self.vertices.get_mut(to.vertex)? = *self.vertices.get(from.vertex)?;
        for channel in 0..to.channels.min(from.channels) {
            *self.uvs.get_mut(to.uv(channel))? = *self.uvs.get(from.uv(channel))?;
        }
        Some(())
    }
}

/// Place of a vertex in its page.
#[derive(Clone, Copy)]
struct Place {
    vertex: usize,
    first_uv: usize,
    /// Vertices of its cluster: so far it is to the next channel.
    step: usize,
    channels: usize,
}

impl Place {
    const fn uv(&self, channel: usize) -> usize {
        self.first_uv + self.step * channel
    }
}

impl Span {
    fn at(&self, at: usize) -> Option<Place> {
        let is_there = at < self.count;
        is_there.then_some(Place {
            vertex: self.first + at,
            first_uv: self.first_uv + at,
            step: self.count,
            channels: self.channels,
        })
    }
}
