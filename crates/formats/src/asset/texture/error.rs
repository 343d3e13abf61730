use super::shape::Shape;
use crate::image::{EncodeError, PixelFormat};
use crate::wire::Fault;

/// Error while replacing the image of a texture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what they are")]
pub enum ReplaceError {
    #[error("it is a virtual texture, whose tiles cannot be replaced")]
    Virtual,
    #[error("the mips are of another size or number than its own")]
    OtherMips,
    #[error("its mips are in another object, and cannot be replaced")]
    NoMips,
    #[error("it consists of {slices} slices, and a picture is only one; a DDS file has all of them")]
    Slices { slices: u32 },
    #[error(
        "it is a normal map in PF_DXT5, whose channels are not those of a picture; a DDS file goes in as it is"
    )]
    OldNormalMap,
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error("the picture has {width} by {height} pixels, expected 1 to {limit} by 1 to {limit}")]
    Size { width: u32, height: u32, limit: u32 },
    #[error(
        "the picture has {width} by {height} pixels, expected multiples of {across} by {down}, of which {format} \
         consists"
    )]
    Blocks { width: u32, height: u32, format: PixelFormat, across: u32, down: u32 },
    #[error(
        "the picture has {width} by {height} pixels, expected powers of two, as the mips of the texture are streamed"
    )]
    Streamed { width: u32, height: u32 },
    #[error(
        "the DDS file has DXGI format {found}, expected {}, which is {format}; a PNG or EXR file is encoded",
        expected.map_or_else(|| "none".to_owned(), |number| number.to_string())
    )]
    DdsFormat { found: u32, expected: Option<u32>, format: PixelFormat },
    #[error("the DDS file is not of the same kind as the texture ({shape:?}, {slices} slices)")]
    DdsShape { shape: Shape, slices: u32 },
    #[error("the DDS file has {found} of {expected} mips; save it with all of them, or give a PNG file")]
    DdsMips { found: usize, expected: usize },
    #[error("the DDS file is damaged: {0}")]
    Dds(#[from] Fault),
    #[error("its pixels are laid out for a console: mip {mip} has {found} bytes, expected {expected}")]
    Console { mip: usize, found: u64, expected: u64 },
    #[error("it holds a copy of its pixels for the processor, which would not be the same any more")]
    Copy,
    #[error("its mips lie {0}, where they cannot be replaced")]
    Place(&'static str),
    #[error("its mips are in {0}, which is not there")]
    NoFile(String),
}
