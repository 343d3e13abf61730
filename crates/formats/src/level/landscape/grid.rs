//! Squares of vertices, and the texels that they have.

use super::super::values::LandscapeValues;
use crate::wire::{Fault, FaultKind};

/// The vertices of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Quads along each side of a subsection.
    pub subsection_quads: u32,
    /// Subsections along each side: 1 or 2.
    pub subsections: u32,
}

/// The most quads along a side: the engine has at most 255 in each of two subsections.
const MAX_QUADS: u32 = 1024;

impl Grid {
    /// The grid of a component.
    pub fn new(of: &LandscapeValues) -> Result<Self, Fault> {
        let number = |value: Option<f64>, field, usual: f64, most: u32| {
            let found = value.unwrap_or(usual);
            // Whole numbers, as they were integers.
            let whole = (1..=most).find(|whole| (f64::from(*whole) - found).abs() < 0.5);
            whole.ok_or(Fault { offset: 0, field, kind: FaultKind::Unknown })
        };
        let subsections = number(of.subsections, "subsections of a landscape", 1.0, 2)?;
        let quads =
            of.subsection_quads.unwrap_or_else(|| of.quads.unwrap_or_default() / f64::from(subsections));
        let subsection_quads = number(Some(quads), "quads of a landscape", 0.0, MAX_QUADS)?;
        Ok(Self { subsection_quads, subsections })
    }

    /// Quads along each side.
    #[must_use]
    pub const fn quads(&self) -> u32 {
        self.subsection_quads * self.subsections
    }

    /// Vertices along each side.
    #[must_use]
    pub const fn side(&self) -> u32 {
        self.quads() + 1
    }

    /// The texel of a vertex along one side, from the start of the component in the texture.
    #[must_use]
    pub const fn texel(&self, vertex: u32) -> u32 {
        // Subsections have the vertices between them twice: that of the left one is taken.
        if vertex == 0 {
            return 0;
        }
        let subsection = (vertex - 1) / self.subsection_quads;
        subsection * (self.subsection_quads + 1) + (vertex - 1) % self.subsection_quads + 1
    }

    /// Texels along each side.
    #[must_use]
    pub const fn texels(&self) -> u32 {
        self.subsections * (self.subsection_quads + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_between_subsections_are_counted_once() {
        let grid = Grid { subsection_quads: 3, subsections: 2 };
        assert_eq!((grid.quads(), grid.side(), grid.texels()), (6, 7, 8));
        let texels: Vec<u32> = (0..grid.side()).map(|vertex| grid.texel(vertex)).collect();
        // Texels 3 and 4 are the same vertex.
        assert_eq!(texels, [0, 1, 2, 3, 5, 6, 7]);
    }

    #[test]
    fn sizes_that_no_landscape_has_are_refused() {
        let of = |quads, subsections| LandscapeValues {
            quads: Some(quads),
            subsection_quads: Some(quads / subsections),
            subsections: Some(subsections),
            ..LandscapeValues::default()
        };
        assert_eq!(Grid::new(&of(126.0, 2.0)).map(|grid| grid.quads()), Ok(126));
        for (quads, subsections) in [(0.0, 1.0), (1e9, 1.0), (126.0, 3.0), (f64::NAN, 1.0), (-63.0, 1.0)] {
            assert!(Grid::new(&of(quads, subsections)).is_err(), "{quads} {subsections}");
        }
    }
}
