//! Numbers of accessors, read back from the binary data.

use super::super::document::{Document, F32, U8, U16, U32};
use std::fmt;

/// Binary data that were taken out of a scene.
pub trait SceneBytes {
    /// Reads bytes from an offset. Who reads keeps the reason of a failure.
    fn read(&mut self, offset: u64, bytes: &mut [u8]) -> fmt::Result;
}

/// An accessor with its bytes.
pub(super) struct Numbers {
    component: u16,
    bytes: Vec<u8>,
}

impl Numbers {
    /// Reads the bytes of an accessor.
    pub(super) fn read(
        document: &Document,
        accessor: usize,
        binary: &mut dyn SceneBytes,
    ) -> Result<Self, fmt::Error> {
        let found = document.accessors.get(accessor).ok_or(fmt::Error)?;
        let view = found.buffer_view.and_then(|view| document.buffer_views.get(view)).ok_or(fmt::Error)?;
        let mut bytes = vec![0; view.byte_length];
        binary.read(view.byte_offset as u64, &mut bytes)?;
        Ok(Self { component: found.component_type, bytes })
    }

    /// Vectors of floats; bytes become numbers from 0 to 1.
    pub(super) fn vectors<const N: usize>(&self) -> Box<dyn Iterator<Item = [f32; N]> + '_> {
        match self.component {
            F32 => Box::new(
                self.bytes.as_chunks::<4>().0.as_chunks::<N>().0.iter().map(|of| of.map(f32::from_le_bytes)),
            ),
            U8 => Box::new(
                self.bytes.as_chunks::<N>().0.iter().map(|of| of.map(|part| f32::from(part) / 255.0)),
            ),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Whole numbers.
    pub(super) fn indices(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self.component {
            U16 => Box::new(self.bytes.as_chunks().0.iter().map(|of| u16::from_le_bytes(*of).into())),
            U32 => Box::new(self.bytes.as_chunks().0.iter().map(|of| u32::from_le_bytes(*of))),
            _ => Box::new(std::iter::empty()),
        }
    }
}
