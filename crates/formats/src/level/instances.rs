//! Instances of a mesh: matrices relative to their component.
//!
//! ```text
//! matrix   X axis, 0 │ Y axis, 0 │ Z axis, 0 │ translation, 1      the axes with their scale, as rows
//! ```

use crate::asset::Transform;
use crate::property::{FromValue, Record, Value};

/// `FInstancedStaticMeshInstanceData`: instances of a mesh, with the custom data of each.
#[doc(alias = "FInstancedStaticMeshInstanceData")]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instances {
    /// Matrices, row by row.
    pub matrices: Vec<[f64; 16]>,
    /// Numbers for materials: as many for each instance as its component says.
    pub custom: Vec<f32>,
}

const ROWS: [&str; 4] = ["XPlane", "YPlane", "ZPlane", "WPlane"];
const COLUMNS: [&str; 4] = ["X", "Y", "Z", "W"];

impl Instances {
    /// Instances in the tail of a component; `None` if it has none.
    pub(super) fn read(tail: &Record) -> Option<Self> {
        let matrices: Vec<[f64; 16]> = tail.records("PerInstanceSMData").map(matrix).collect();
        if matrices.is_empty() {
            return None;
        }
        let custom = tail.get("PerInstanceSMCustomData").and_then(Value::items).unwrap_or_default();
        let custom = custom.iter().map(|number| f32::from_value(number).unwrap_or_default()).collect();
        Some(Self { matrices, custom })
    }

    /// Transforms relative to the component.
    pub fn transforms(&self) -> impl Iterator<Item = Transform> {
        self.matrices.iter().map(|matrix| Transform::of_matrix(*matrix))
    }
}

fn matrix(record: &Record) -> [f64; 16] {
    let mut matrix = [0.0; 16];
    for (row, name) in matrix.chunks_exact_mut(4).zip(ROWS) {
        let Some(plane) = record.get(name).and_then(Value::record) else { continue };
        for (number, name) in row.iter_mut().zip(COLUMNS) {
            *number = plane.get(name).and_then(f64::from_value).unwrap_or_default();
        }
    }
    matrix
}
