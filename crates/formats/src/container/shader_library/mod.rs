//! Shader libraries: the compiled shaders of a game, in the two forms read by the engine.
//!
//! ```text
//! chunk (ShaderCodeLibrary)                      file (.ushaderbytecode)
//! u32 1                                          u32 2
//! n × hash       shader maps                     n × hash        shader maps
//! n × hash       shaders                         n × hash        shaders
//! n × 12 B       chunk ids of the groups         n × 16 B        shader maps: shaders, preload
//! n × 8 B        shader maps: shaders            n × 17 B        shaders: offset, sizes, frequency
//! n × 8 B        shaders: group, offset in it    n × 16 B        preload: ranges of code
//! n × 16 B       groups: shaders, sizes          n × u32         shader numbers
//! n × u32        shader numbers                  code
//! ```
//!
//! Each `n` is a `u32` before its table. A hash has 20 bytes, or 8 since UE 5.8; nothing in the file records
//! the length, so both are tried and the fitting one is taken. Shader maps and groups refer to the one table
//! of *shader numbers* by first index and count.
//!
//! A container stores the code apart: shaders used together form a group, which is compressed as a whole and
//! has its own chunk (ShaderCode), so that shaders are decompressed twice: as blocks, and by
//! [`decompress_group`]. A file stores each shader separately. [`LooseShaderLibrary::lay_out`] converts the
//! first form to the second.
//!
//! Containers have such chunks since UE 5.0; files in this form exist since 4.26. Verified on two libraries
//! of 5.4, one of them in both forms. Sources: the container sheet, section 10; retoc `shader_library.rs`;
//! CUE4Parse `UE4/Shaders`.

mod check;
mod hashes;
mod iostore;
mod layout;
mod loose;
mod range;

pub use hashes::Hashes;
pub use iostore::{Shader, ShaderGroup, ShaderLibrary, decompress_group};
pub use loose::{LooseShader, LooseShaderLibrary, LooseShaderMap, PreloadEntry};
pub use range::IndexRange;

/// Returns the stage of a shader (`EShaderFrequency`). Stages 1 and 2 were hull and domain shaders in UE4.
#[doc(alias = "EShaderFrequency")]
#[must_use]
pub const fn frequency_name(frequency: u8) -> Option<&'static str> {
    Some(match frequency {
        0 => "vertex",
        1 => "mesh",
        2 => "amplification",
        3 => "pixel",
        4 => "geometry",
        5 => "compute",
        6 => "ray generation",
        7 => "ray miss",
        8 => "ray hit group",
        9 => "ray callable",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
