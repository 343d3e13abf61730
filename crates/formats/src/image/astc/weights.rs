//! Weights of pixels, from a grid that is often coarser than the block.

use super::mode::Mode;
use super::sequence::MOST;

/// Weights of a block, by place in the grid; two for each place if there are two planes.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) mode: Mode,
    pub(super) weights: [u32; MOST],
    /// Pixels along each side of the block.
    pub(super) footprint: [u32; 2],
}

impl Grid {
    /// The weight of a pixel in a plane.
    pub(super) fn weight(&self, [x, y]: [u32; 2], plane: u32) -> u32 {
        let [width, height] = self.mode.grid;
        let [(column, right), (row, below)] = [(x, 0, width), (y, 1, height)].map(|(at, axis, of)| {
            let whole = self.footprint.get(axis).copied().unwrap_or(2).max(2);
            // In 1,024ths of the block, then in sixteenths of the grid.
            let share = (1024 + whole / 2) / (whole - 1) * at;
            let sixteenths = (share * (of - 1) + 32) >> 6;
            (sixteenths >> 4, sixteenths & 15)
        });
        let both = (right * below + 8) >> 4;
        let shares =
            [(0, 0, 16 + both - right - below), (1, 0, right - both), (0, 1, below - both), (1, 1, both)];
        let sum: u32 =
            shares.iter().map(|(dx, dy, share)| self.at(column + dx, row + dy, plane) * share).sum();
        (sum + 8) >> 4
    }

    /// A weight of the grid. Those past its end have no share.
    fn at(&self, column: u32, row: u32, plane: u32) -> u32 {
        let [width, _] = self.mode.grid;
        let planes = if self.mode.is_dual { 2 } else { 1 };
        let at = usize::try_from((row * width + column) * planes + plane);
        at.ok().and_then(|at| self.weights.get(at)).copied().unwrap_or(0)
    }
}
