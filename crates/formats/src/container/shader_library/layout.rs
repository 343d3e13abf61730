//! Converts a library from its container form to its file form.
//!
//! ```text
//! code   shaders shared by several shader maps, by number │ those of only the first map │ only the second │
//! …
//! ```
//!
//! So the shaders of a single map are adjacent and read at once: a map preloads that range, then the shared
//! shaders one by one. Unused shaders come last. Tables that exist in both forms are copied unchanged, shader
//! numbers of groups included.
//!
//! Verified on the library of 5.4 that is available in both forms: with the same shader lengths, every byte
//! of the header is equal.

use super::{IndexRange, LooseShader, LooseShaderLibrary, LooseShaderMap, PreloadEntry, ShaderLibrary};

/// Use of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Nobody,
    /// One shader map, by index.
    One(usize),
    Several,
}

impl LooseShaderLibrary {
    /// Lays a library out as a file, given the stored length of each shader there. For uncompressed code that
    /// is [`Shader::len`](super::Shader::len).
    #[must_use]
    pub fn lay_out(library: &ShaderLibrary, stored_len: impl Fn(usize) -> u32) -> Self {
        let users = users(library);
        let mut shaders: Vec<LooseShader> = (0..)
            .zip(&library.shaders)
            .map(|(number, shader)| LooseShader {
                offset: 0,
                stored_len: stored_len(number),
                raw_len: shader.len,
                frequency: shader.frequency,
            })
            .collect();
        // Shared shaders first: no map can have them in its own range.
        let mut end = 0;
        place(&mut shaders, &users, User::Several, &mut end);
        let mut shader_maps = Vec::new();
        let mut preload = Vec::new();
        for (map, range) in library.shader_maps.iter().enumerate() {
            // Each map owns a contiguous part of the preload table.
            let first = preload.len();
            let numbers = library.numbers(*range);
            preload_map(numbers, User::One(map), &users, &mut shaders, &mut end, &mut preload);
            let preload = IndexRange { first: number(first), count: number(preload.len() - first) };
            shader_maps.push(LooseShaderMap { shaders: *range, preload });
        }
        place(&mut shaders, &users, User::Nobody, &mut end);
        Self {
            shader_map_hashes: library.shader_map_hashes.clone(),
            shader_hashes: library.shader_hashes.clone(),
            shader_maps,
            shaders,
            preload,
            indices: library.indices.clone(),
        }
    }
}

fn users(library: &ShaderLibrary) -> Vec<User> {
    let mut users = vec![User::Nobody; library.shaders.len()];
    for (map, range) in library.shader_maps.iter().enumerate() {
        for shader in library.numbers(*range) {
            let Some(user) = users.get_mut(*shader as usize) else { continue };
            *user = match *user {
                User::Nobody => User::One(map),
                // Repeated use by one map is still exclusive.
                User::One(other) if other == map => User::One(map),
                _ => User::Several,
            };
        }
    }
    users
}

/// Places all shaders with this use, by number.
fn place(shaders: &mut [LooseShader], users: &[User], user: User, end: &mut u64) {
    for (shader, _) in shaders.iter_mut().zip(users).filter(|(_, found)| **found == user) {
        append(shader, end);
    }
}

fn append(shader: &mut LooseShader, end: &mut u64) {
    shader.offset = *end;
    // 2³² shaders of 2³² bytes do not overflow.
    *end += u64::from(shader.stored_len);
}

/// Places the shaders used only by one map, and lists the ranges to read for it.
fn preload_map(
    numbers: &[u32],
    map: User,
    users: &[User],
    shaders: &mut [LooseShader],
    end: &mut u64,
    preload: &mut Vec<PreloadEntry>,
) {
    let is = |number: &u32, user| users.get(*number as usize) == Some(&user);
    let start = *end;
    let mut own: Vec<u32> = numbers.iter().copied().filter(|number| is(number, map)).collect();
    // A map may list a shader twice, which still has one place.
    let mut seen = std::collections::HashSet::new();
    own.retain(|number| seen.insert(*number));
    for number in own {
        if let Some(shader) = shaders.get_mut(number as usize) {
            append(shader, end);
        }
    }
    // A map without exclusive shaders has no range of its own.
    if *end > start {
        preload.push(PreloadEntry { offset: start, len: *end - start });
    }
    // Shared shaders were placed before, each with its own entry.
    for number in numbers.iter().filter(|number| is(number, User::Several)) {
        if let Some(shader) = shaders.get(*number as usize) {
            preload.push(PreloadEntry { offset: shader.offset, len: shader.stored_len.into() });
        }
    }
}

/// Converts a count from a table whose counts had 32 bits.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
