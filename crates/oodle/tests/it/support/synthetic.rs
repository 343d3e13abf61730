//! Streams of random commands, with the bytes they stand for: for features that no available encoder uses.

use super::Random;

/// The features of a synthetic stream.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub(crate) struct Features {
    pub(crate) leviathan: bool,
    /// The literal mode.
    pub(crate) mode: u8,
    /// Leviathan: eight command lists.
    pub(crate) multi_commands: bool,
    /// 0: legacy offsets, else the scale.
    pub(crate) scale: usize,
    /// Kraken: a bit area of their own for the long lengths.
    pub(crate) excess: bool,
    /// A checksum in the quantum header.
    pub(crate) checksum: bool,
}

/// All combinations that mean something.
pub(crate) fn all_features() -> Vec<Features> {
    let plain = Features {
        leviathan: false,
        mode: 1,
        multi_commands: false,
        scale: 0,
        excess: false,
        checksum: false,
    };
    let mut all = Vec::new();
    for scale in [0, 1, 2, 12, 128] {
        for mode in 0..6 {
            all.extend([false, true].map(|multi_commands| Features {
                leviathan: true,
                mode,
                multi_commands,
                scale,
                ..plain
            }));
        }
        for mode in 0..2 {
            all.extend([false, true].map(|excess| Features { mode, scale, excess, ..plain }));
        }
        all.push(Features { scale, checksum: true, ..plain });
    }
    all
}

/// Makes a stream of one chunk of about `len` bytes; returns it and what it decodes to.
pub(crate) fn stream(features: Features, random: &mut Random, len: usize) -> (Vec<u8>, Vec<u8>) {
    let mut maker = Maker::new(features, random);
    // A chunk has to be smaller than its bytes, whatever its headers cost.
    let mut chunk = Vec::new();
    while maker.raw.len() + 700 < len || chunk.len() + 3 >= maker.raw.len() {
        maker.command(random);
        if maker.raw.len() + 700 >= len {
            chunk = maker.chunk();
        }
    }
    maker.literals(random, 20);
    let chunk = maker.chunk();
    let mut out = vec![0x8C, if features.leviathan { 12 } else { 6 } | u8::from(features.checksum) << 7];
    out.extend(be24(chunk.len() + 3 - 1));
    if features.checksum {
        out.extend([1, 2, 3]);
    }
    out.extend(be24(0x80_0000 | usize::from(features.mode) << 19 | chunk.len()));
    out.extend(chunk);
    (out, maker.raw)
}

struct Maker {
    features: Features,
    raw: Vec<u8>,
    recent: Vec<usize>,
    literal_lists: Vec<Vec<u8>>,
    command_lists: Vec<Vec<u8>>,
    offsets: Vec<usize>,
    /// Lengths in list order for Kraken; of literal runs for Leviathan.
    lengths: Vec<usize>,
    /// Leviathan: lengths of matches.
    match_lengths: Vec<usize>,
}

impl Maker {
    fn new(features: Features, random: &mut Random) -> Self {
        let literal_lists = match (features.leviathan, features.mode) {
            (true, 2) => 2,
            (true, 3) => 4,
            (true, 4 | 5) => 16,
            _ => 1,
        };
        Self {
            features,
            raw: (0..8).map(|_| byte(random.below(256))).collect(),
            recent: vec![8; if features.leviathan { 7 } else { 3 }],
            literal_lists: vec![Vec::new(); literal_lists],
            command_lists: vec![Vec::new(); if features.multi_commands { 8 } else { 1 }],
            offsets: Vec::new(),
            lengths: Vec::new(),
            match_lengths: Vec::new(),
        }
    }

    fn command(&mut self, random: &mut Random) {
        let at = self.raw.len();
        let list = at % self.command_lists.len();
        let run = if random.below(4) == 0 { random.below(40) } else { random.below(3) };
        let mut len = 2 + if random.below(4) == 0 { random.below(300) } else { random.below(10) };
        self.literals(random, run);
        let mut index = random.below(self.recent.len() + 1);
        let least = if self.features.leviathan && matches!(self.features.mode, 1 | 4) { 2 } else { 8 };
        let distance = match self.recent.get(index) {
            Some(distance) => *distance,
            None => least + random.below(self.raw.len() - least + 1),
        };
        // Legacy offsets are never below 8.
        let distance = if self.features.scale == 0 { distance.max(8) } else { distance };
        if let Some(known) = self.recent.iter().position(|known| *known == distance) {
            index = known;
        } else {
            self.offsets.push(distance);
        }
        if distance < 8 {
            len = len.min(distance);
        }
        let (short_run, short_len) =
            (run.min(3), (len - 2).min(if self.features.leviathan { 7 } else { 15 }));
        let code = if self.features.leviathan {
            if short_len == 7 {
                self.match_lengths.push(len - 6 - 3);
            }
            if short_run == 3 {
                self.lengths.push(run - 3);
            }
            short_len | short_run << 3 | index << 5
        } else {
            if short_run == 3 {
                self.lengths.push(run - 3);
            }
            if short_len == 15 {
                self.lengths.push(len - 17);
            }
            short_run | short_len << 2 | index << 6
        };
        self.command_lists[list].push(byte(code));
        let end = index.min(self.recent.len() - 1);
        self.recent.copy_within(..end, 1);
        self.recent[0] = distance;
        for _ in 0..len {
            self.raw.push(self.raw[self.raw.len() - distance]);
        }
    }

    fn literals(&mut self, random: &mut Random, run: usize) {
        for count in 0..run {
            let at = self.raw.len();
            let value = byte(random.below(32) * random.below(9));
            let base = self.raw[at - self.recent[0]];
            let (list, stored) = match (self.features.leviathan, self.features.mode) {
                (_, 0) => (0, value.wrapping_sub(base)),
                (true, 2) => (usize::from(count == 0), value.wrapping_sub(base)),
                (true, 3) => (at % 4, value.wrapping_sub(base)),
                (true, 4) => (usize::from(self.raw[at - 1] >> 4), value),
                (true, 5) => (at % 16, value.wrapping_sub(base)),
                _ => (0, value),
            };
            self.literal_lists[list].push(stored);
            self.raw.push(value);
        }
    }

    fn chunk(&self) -> Vec<u8> {
        let mut lengths = self.lengths.clone();
        lengths.extend(self.match_lengths.iter().rev());
        let packed: Vec<u8> = lengths.iter().map(|length| byte((*length).min(255))).collect();
        let long: Vec<usize> = lengths.iter().filter_map(|length| length.checked_sub(255)).collect();
        let mut areas = [BitPair::default(), BitPair::default()];
        if !self.features.excess {
            areas[0].0[1].gamma(long.len() + 1, 0);
        }
        let (offsets, low) = self.pack_offsets(&mut areas[0]);
        let long_area = &mut areas[usize::from(self.features.excess)];
        for (index, more) in long.iter().enumerate() {
            long_area.0[index % 2].gamma(more + 64, 6);
        }
        let [main_area, excess_area] = areas.map(BitPair::bytes);
        let mut out = self.raw[..8].to_vec();
        if self.features.leviathan {
            self.push_offsets(&mut out, &offsets, &low);
            push_array(&mut out, &packed);
            push_lists(&mut out, &self.literal_lists, None);
            push_lists(&mut out, &self.command_lists, Some(0x83));
        } else {
            if self.features.excess {
                let len = excess_area.len();
                // Either one byte or two, the first at least 32.
                if len < 32 {
                    out.push(0x80 | byte(len));
                } else {
                    out.extend([0x80 | 32 | byte(len % 32), byte(len / 32 - 1)]);
                }
            }
            push_array(&mut out, &self.literal_lists[0]);
            push_array(&mut out, &self.command_lists[0]);
            self.push_offsets(&mut out, &offsets, &low);
            push_array(&mut out, &packed);
        }
        out.extend(main_area);
        out.extend(excess_area);
        out
    }

    fn pack_offsets(&self, area: &mut BitPair) -> (Vec<u8>, Vec<u8>) {
        let (mut packed, mut low) = (Vec::new(), Vec::new());
        for (index, distance) in self.offsets.iter().enumerate() {
            let writer = &mut area.0[index % 2];
            if self.features.scale < 1 {
                let value = distance + 248;
                let bits = value.ilog2() - 4;
                packed.push(byte((bits as usize - 4) << 4 | value & 15));
                writer.put(value >> 4, bits);
            } else {
                let value = distance / self.features.scale + 8;
                low.push(byte(distance % self.features.scale));
                let bits = value.ilog2() - 3;
                packed.push(byte((bits as usize) << 3 | value >> bits & 7));
                writer.put(value, bits);
            }
        }
        (packed, low)
    }

    fn push_offsets(&self, out: &mut Vec<u8>, packed: &[u8], low: &[u8]) {
        if self.features.scale > 0 {
            out.push(byte(self.features.scale + 127));
        }
        push_array(out, packed);
        if self.features.scale > 1 {
            push_array(out, low);
        }
    }
}

/// The two bit streams of an area.
#[derive(Default)]
struct BitPair([BitList; 2]);

impl BitPair {
    fn bytes(self) -> Vec<u8> {
        let [mut forward, backward] = self.0.map(|bits| bits.bytes());
        forward.extend(backward.iter().rev());
        forward
    }
}

/// Bits, the most significant one of each byte first.
#[derive(Default)]
struct BitList(Vec<bool>);

impl BitList {
    fn put(&mut self, value: usize, bits: u32) {
        self.0.extend((0..bits).rev().map(|bit| value >> bit & 1 == 1));
    }

    fn gamma(&mut self, value: usize, extra: u32) {
        self.put(0, value.ilog2() - extra);
        self.put(value, value.ilog2() + 1);
    }

    fn bytes(&self) -> Vec<u8> {
        let pack = |bits: &[bool]| (0..8).map(|at| u8::from(bits.get(at) == Some(&true)) << (7 - at)).sum();
        self.0.chunks(8).map(pack).collect()
    }
}

/// One list as an array, several as a multi-array section without a pool after `marker`.
fn push_lists(out: &mut Vec<u8>, lists: &[Vec<u8>], marker: Option<u8>) {
    if let [list] = lists {
        return push_array(out, list);
    }
    out.extend(marker);
    out.push(0x80);
    for list in lists {
        push_array(out, list);
    }
}

fn push_array(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(be24(bytes.len()));
    out.extend(bytes);
}

fn be24(value: usize) -> [u8; 3] {
    let [low, middle, high, ..] = value.to_le_bytes();
    [high, middle, low]
}

fn byte(value: usize) -> u8 {
    u8::try_from(value).expect("a byte")
}
