//! Transforms as matrices: skins need their inverses.

use super::super::transform::Transform;

/// The images of the three axes as columns, then the translation. The last row is always 0 0 0 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [[f64; 3]; 4]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]]);

    pub(super) fn new(of: &Transform) -> Self {
        // Rotation matrix of a unit quaternion, with each column scaled.
        let [x, y, z, w] = of.rotation;
        let [scale_x, scale_y, scale_z] = of.scale;
        let axes = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)]
                .map(|part| part * scale_x),
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)]
                .map(|part| part * scale_y),
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)]
                .map(|part| part * scale_z),
        ];
        let [a, b, c] = axes;
        Self([a, b, c, of.translation])
    }

    /// Applies this matrix to another one: `self` after `inner`.
    pub(super) fn then(&self, inner: &Self) -> Self {
        let [a, b, c, origin] = inner.0;
        let [x, y, z] = self.translation();
        let [moved_x, moved_y, moved_z] = self.turned(origin);
        Self([self.turned(a), self.turned(b), self.turned(c), [moved_x + x, moved_y + y, moved_z + z]])
    }

    /// Returns the inverse; `None` if the matrix has none.
    pub(super) fn inverse(&self) -> Option<Self> {
        let [a, b, c, origin] = self.0;
        // The rows of the inverse are cross products of the columns, divided by the determinant.
        let rows = [cross(b, c), cross(c, a), cross(a, b)];
        let [first, ..] = rows;
        let determinant = dot(a, first);
        // A bone scaled to zero flattens space: no inverse exists.
        if !determinant.is_normal() {
            return None;
        }
        let [p, q, r] = rows.map(|row| row.map(|part| part / determinant));
        let column = |axis: usize| [p, q, r].map(|row| row.get(axis).copied().unwrap_or_default());
        let translation = [p, q, r].map(|row| -dot(row, origin));
        Some(Self([column(0), column(1), column(2), translation]))
    }

    /// True if another matrix is the same, but for what floats cannot tell.
    pub(super) fn is_near(&self, other: &Self) -> bool {
        let parts = || self.0.iter().flatten();
        let largest = parts().fold(1.0, |most: f64, part| most.max(part.abs()));
        parts().zip(other.0.iter().flatten()).all(|(a, b)| (a - b).abs() <= largest * 1e-6)
    }

    /// True if all components fit into finite floats.
    pub(super) fn is_finite(&self) -> bool {
        self.columns().iter().all(|part| part.is_finite())
    }

    /// Returns all sixteen components, column by column.
    pub(super) fn columns(&self) -> [f32; 16] {
        let mut columns = [0.0; 16];
        for ((column, values), last) in columns.chunks_exact_mut(4).zip(self.0).zip([0.0, 0.0, 0.0, 1.0]) {
            for (part, value) in column.iter_mut().zip(values.map(single).into_iter().chain([last])) {
                *part = value;
            }
        }
        columns
    }

    fn translation(&self) -> [f64; 3] {
        let [.., translation] = self.0;
        translation
    }

    fn turned(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c, _] = self.0;
        let sum = |((a, b), c): ((f64, f64), f64)| a * x + b * y + c * z;
        let mut parts = a.into_iter().zip(b).zip(c).map(sum);
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }
}

/// Converts a number to the precision of files.
#[expect(clippy::cast_possible_truncation, reason = "files have floats")]
pub(super) fn single(number: f64) -> f32 {
    number as f32
}

fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_changes_nothing() {
        // A quarter turn about (1, 2, 2) / 3, then scaled and moved.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let rotation = [half / 3.0, 2.0 * half / 3.0, 2.0 * half / 3.0, half];
        let outer =
            Matrix::new(&Transform { rotation, translation: [1.0, -2.0, 3.0], scale: [2.0, 3.0, 0.5] });
        let same = outer.then(&outer.inverse().unwrap());
        for (found, expected) in same.0.iter().flatten().zip(Matrix::IDENTITY.0.iter().flatten()) {
            assert!((found - expected).abs() < 1e-12, "{same:?}");
        }
        let flat = Transform { scale: [1.0, 0.0, 1.0], ..Transform::IDENTITY };
        assert_eq!(Matrix::new(&flat).inverse(), None);
    }

    #[test]
    fn columns_come_one_after_the_other() {
        // A quarter turn about z: x becomes y.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turn =
            Transform { rotation: [0.0, 0.0, half, half], translation: [5.0, 6.0, 7.0], scale: [1.0; 3] };
        let rounded = Matrix::new(&turn).columns().map(|part| part.round() + 0.0);
        let expected = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1].map(|part: i8| f32::from(part));
        assert!(rounded.iter().zip(expected).all(|(found, expected)| found.total_cmp(&expected).is_eq()));
    }
}
