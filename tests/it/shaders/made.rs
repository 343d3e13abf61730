//! Shader libraries with known code.

use crate::support::containers::{noise, prose};
use std::collections::BTreeMap;
use uncask::codec::{Method, Scratch, compress};
use uncask::id::RawChunkId;
use uncask::wire::Writer;

/// Type bytes of the two kinds of chunk.
const LIBRARY: u8 = 8;
const CODE: u8 = 9;

/// A library, and what it is made of.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) id: RawChunkId,
    /// The library chunk.
    pub(super) index: Vec<u8>,
    /// Content of the group chunks.
    pub(super) groups: Vec<(RawChunkId, Vec<u8>)>,
    /// Code of each shader.
    pub(super) code: Vec<Vec<u8>>,
    /// The shaders of each map.
    pub(super) maps: Vec<Vec<u32>>,
}

impl Made {
    /// A library of four groups, the last of which is one large shader; the groups are compressed once more by one
    /// method, but for the first, which is too small for that.
    pub(super) fn new(method: Method, name: &str) -> Self {
        let group_of = [0_u32, 1, 1, 2, 1, 2, 3];
        let lens = [40, 3000, 500, 70_000, 1, 90_000, 200_000];
        let code: Vec<Vec<u8>> = lens
            .into_iter()
            .zip(0..)
            .map(|(len, seed)| [noise(len / 4, seed), prose(len - len / 4)].concat())
            .collect();
        let maps = vec![vec![1, 2, 6], vec![2, 3, 4], vec![0, 1, 5]];
        let mut made = Self {
            id: RawChunkId::new(uncask::id::hash::lower_utf16(name), 0, LIBRARY),
            index: Vec::new(),
            groups: Vec::new(),
            code,
            maps,
        };
        made.build(method, &group_of);
        made
    }

    fn build(&mut self, method: Method, group_of: &[u32]) {
        let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut starts = vec![0; self.code.len()];
        // Within a group, the highest number comes first: the order of numbers must not be taken for that of code.
        for shader in (0_u32..7).rev() {
            members.entry(group_of[shader as usize]).or_default().push(shader);
        }
        let mut raw_lens = Vec::new();
        let mut scratch = Scratch::default();
        for (group, shaders) in &members {
            let mut raw = Vec::new();
            for shader in shaders {
                starts[*shader as usize] = raw.len() as u64;
                raw.extend_from_slice(&self.code[*shader as usize]);
            }
            raw_lens.push(u32::try_from(raw.len()).unwrap());
            let mut content = raw.clone();
            if *group != 0 && method != Method::None {
                compress(method, &raw, None, &mut content, &mut scratch).unwrap();
            }
            let mut hash = [u8::try_from(*group).unwrap() + 1; 11];
            hash[..8].copy_from_slice(&self.id.id().to_le_bytes());
            self.groups.push((RawChunkId::from_hash(hash, CODE), content));
        }
        self.index = self.write(group_of, &members, &starts, &raw_lens);
    }

    fn write(
        &self,
        group_of: &[u32],
        members: &BTreeMap<u32, Vec<u32>>,
        starts: &[u64],
        raw_lens: &[u32],
    ) -> Vec<u8> {
        let word = |n: usize| u32::try_from(n).unwrap();
        let mut w = Writer::new();
        w.u32(1);
        for count in [self.maps.len(), self.code.len()] {
            w.u32(word(count));
            for number in 0..count {
                w.bytes(&[u8::try_from(number).unwrap(); 20]);
            }
        }
        w.u32(word(self.groups.len()));
        for (id, _) in &self.groups {
            w.bytes(&id.0);
        }
        let mut indices = Vec::new();
        let mut stretch = |w: &mut Writer, shaders: &[u32]| {
            w.u32(word(indices.len())).u32(word(shaders.len()));
            indices.extend_from_slice(shaders);
        };
        w.u32(word(self.maps.len()));
        for map in &self.maps {
            stretch(&mut w, map);
        }
        w.u32(word(self.code.len()));
        for (shader, start) in starts.iter().enumerate() {
            w.u64([3, 0, 5][shader % 3] | u64::from(group_of[shader]) << 4 | start << 34);
        }
        w.u32(word(self.groups.len()));
        for ((shaders, raw_len), (_, content)) in members.values().zip(raw_lens).zip(&self.groups) {
            stretch(&mut w, shaders);
            w.u32(*raw_len).u32(word(content.len()));
        }
        w.u32(word(indices.len()));
        for index in indices {
            w.u32(index);
        }
        w.into_bytes()
    }

    /// The library as a file for `pack`.
    pub(super) fn index_file(&self) -> (String, Vec<u8>) {
        (format!("chunks/{}.shader_library", self.id), self.index.clone())
    }

    /// The groups as files for `pack`.
    pub(super) fn group_files(&self) -> impl Iterator<Item = (String, Vec<u8>)> {
        self.groups.iter().map(|(id, content)| (format!("chunks/{id}.shader_code"), content.clone()))
    }
}
