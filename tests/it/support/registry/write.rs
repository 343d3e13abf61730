//! One record after the other.

use super::{Asset, Class, Name, Node, Package, Quirks, Value};

/// A file in the making.
#[derive(Debug, Default)]
pub(super) struct File {
    version: u32,
    quirks: Quirks,
    names: Vec<String>,
    /// Parts of the store, and how many entries each has: plain names, names, plain paths, paths, texts, strings, wide
    /// strings.
    parts: [(Vec<u8>, u32); 7],
    ansi: Vec<u8>,
    wide: Vec<u8>,
    plain_pairs: (Vec<u8>, u32),
    pairs: (Vec<u8>, u32),
}

/// A number of things.
pub(super) fn count(out: &mut Vec<u8>, number: usize) {
    out.extend(i32::try_from(number).expect("a small number").to_le_bytes());
}

/// Text with a terminator: bytes, or UTF-16 if it is not ASCII.
fn string(out: &mut Vec<u8>, text: &str) {
    if text.is_empty() {
        out.extend([0; 4]);
    } else if text.is_ascii() {
        count(out, text.len() + 1);
        out.extend(text.bytes().chain([0]));
    } else {
        let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
        out.extend((-i32::try_from(units.len()).expect("a short text")).to_le_bytes());
        out.extend(units.into_iter().flat_map(u16::to_le_bytes));
    }
}

impl File {
    pub(super) fn new(version: u32, quirks: Quirks) -> Self {
        Self { version, quirks, ..Self::default() }
    }

    fn index(&mut self, text: &str) -> u32 {
        let known = self.names.iter().position(|name| name == text);
        let index = known.unwrap_or_else(|| {
            self.names.push(text.to_owned());
            self.names.len() - 1
        });
        u32::try_from(index).expect("few names")
    }

    fn name(&mut self, out: &mut Vec<u8>, (text, number): &Name) {
        let index = self.index(text);
        if self.version < 8 {
            out.extend([index, *number].map(u32::to_le_bytes).concat());
        } else if *number == 0 {
            out.extend(index.to_le_bytes());
        } else {
            out.extend([index | 0x8000_0000, *number].map(u32::to_le_bytes).concat());
        }
    }

    fn class(&mut self, out: &mut Vec<u8>, (package, name): &Class) {
        if self.version >= 14 {
            self.name(out, package.as_ref().expect("a package"));
        }
        self.name(out, name);
    }

    fn text(&self, out: &mut Vec<u8>, text: &str, is_stored: bool) {
        if self.version < 19 || (self.quirks.terminated_texts && !is_stored) {
            return string(out, text);
        }
        count(out, text.len());
        out.extend(text.bytes());
    }

    pub(super) fn asset(&mut self, out: &mut Vec<u8>, asset: &Asset, handle: u64, is_filtered: bool) {
        if self.version < 15 {
            self.name(out, asset.object_path.as_ref().expect("a path"));
        }
        self.name(out, &asset.folder);
        self.class(out, &asset.class);
        if self.version < 4 {
            self.name(out, asset.group.as_ref().expect("a group"));
        }
        self.name(out, &asset.package);
        self.name(out, &asset.name);
        if self.version >= 15 && !is_filtered {
            self.name(out, asset.outer.as_ref().expect("an outer"));
        }
        if self.version < 8 {
            count(out, asset.tags.len());
            for (key, value) in &asset.tags {
                self.name(out, key);
                let (Value::Ansi(text) | Value::Wide(text)) = value else { panic!("old tags are text") };
                string(out, text);
            }
        } else {
            out.extend(handle.to_le_bytes());
            count(out, asset.bundles.len());
            for (name, assets) in &asset.bundles {
                self.name(out, name);
                count(out, assets.len());
                for (path, below) in assets {
                    self.class(out, path);
                    self.text(out, below, false);
                }
            }
        }
        count(out, asset.chunks.len());
        out.extend(asset.chunks.iter().flat_map(|chunk| chunk.to_le_bytes()));
        out.extend(asset.package_flags.to_le_bytes());
    }

    /// Puts tags into the store; returns where they are.
    pub(super) fn store(&mut self, tags: &[(Name, Value)]) -> u64 {
        if self.version < 8 {
            return 0;
        }
        let is_plain = tags.iter().all(|((_, number), _)| *number == 0);
        let first = if is_plain { self.plain_pairs.1 } else { self.pairs.1 };
        for (key, value) in tags {
            let value = self.value(value);
            let mut pair = Vec::new();
            self.name(&mut pair, key);
            pair.extend(value.to_le_bytes());
            let pairs = if is_plain { &mut self.plain_pairs } else { &mut self.pairs };
            pairs.0.extend(pair);
            pairs.1 += 1;
        }
        u64::from(first) | (tags.len() as u64) << 32 | u64::from(is_plain) << 63
    }

    fn value(&mut self, value: &Value) -> u32 {
        let mut record = Vec::new();
        let kind = match value {
            Value::Ansi(text) => {
                count(&mut record, self.ansi.len());
                self.ansi.extend(text.bytes().chain([0]));
                0
            }
            Value::Wide(text) => {
                count(&mut record, self.wide.len() / 2);
                self.wide.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
                1
            }
            Value::Name(name) => {
                self.name(&mut record, name);
                if name.1 == 0 { 2 } else { 3 }
            }
            Value::Path(class, object, package) => {
                self.class(&mut record, class);
                self.name(&mut record, object);
                self.name(&mut record, package);
                let numbers = [class.1.1, object.1, package.1, class.0.as_ref().map_or(0, |name| name.1)];
                if numbers == [0; 4] { 4 } else { 5 }
            }
            Value::Text(text) => {
                self.text(&mut record, text, true);
                6
            }
        };
        let part = match kind {
            0 => 5,
            1 => 6,
            2 => 0,
            3 => 1,
            4 => 2,
            5 => 3,
            _ => 4,
        };
        let (bytes, count) = &mut self.parts[part];
        bytes.extend(record);
        *count += 1;
        (*count - 1) << 3 | kind
    }

    /// Appends the store. Since version 24 it and its parts start at multiples of 16 bytes.
    pub(super) fn finish_store(&mut self, out: &mut Vec<u8>) {
        let [names, numbered, paths, numbered_paths, texts, strings, wides] = std::mem::take(&mut self.parts);
        let align = |out: &mut Vec<u8>| {
            if self.version >= 24 {
                out.resize(out.len().next_multiple_of(16), 0xAA);
            }
        };
        align(out);
        out.extend(if self.quirks.texts_last { b"\x78\x56\x34\x12" } else { b"\x79\x56\x34\x12" });
        for (_, count) in [&names, &numbered, &paths, &numbered_paths, &texts, &strings, &wides] {
            out.extend(count.to_le_bytes());
        }
        count(out, self.ansi.len());
        count(out, self.wide.len() / 2);
        out.extend([self.plain_pairs.1, self.pairs.1].map(u32::to_le_bytes).concat());
        if !self.quirks.texts_last {
            count(out, texts.0.len());
            align(out);
            out.extend(&texts.0);
        }
        for part in [names, numbered, paths, numbered_paths] {
            align(out);
            out.extend(part.0);
        }
        if self.quirks.texts_last {
            out.extend(texts.0);
        }
        for part in [&strings.0, &wides.0, &self.ansi, &self.wide, &self.plain_pairs.0, &self.pairs.0] {
            align(out);
            out.extend(part);
        }
        out.extend(b"\x21\x43\x65\x87");
    }

    pub(super) fn nodes(&mut self, out: &mut Vec<u8>, nodes: &[Node]) {
        let mut section = Vec::new();
        count(&mut section, nodes.len());
        for node in nodes {
            section.push((0..4).map(|bit| u8::from(node.identifier[bit].is_some()) << bit).sum());
            for name in node.identifier.iter().flatten() {
                self.name(&mut section, name);
            }
            let [hard, soft, names, soft_manage, hard_manage, referencers] = &node.lists;
            if self.version < 7 {
                let has_list = |at: usize| at != 4 || self.version >= 5;
                let lists: Vec<_> = (0..6).filter(|at| has_list(*at)).map(|at| &node.lists[at]).collect();
                for list in &lists {
                    count(&mut section, list.len());
                }
                section.extend(lists.into_iter().flatten().flat_map(|(node, _)| node.to_le_bytes()));
                continue;
            }
            assert!(soft.is_empty() && hard_manage.is_empty(), "one list for both");
            let manage_width = if (self.version >= 22) ^ self.quirks.other_manage_width { 3 } else { 1 };
            for (list, width) in [(hard, 5), (names, 0), (soft_manage, manage_width), (referencers, 0)] {
                count(&mut section, list.len());
                section.extend(list.iter().flat_map(|(node, _)| node.to_le_bytes()));
                let bits = list.iter().flat_map(|(_, flags)| (0..width).map(move |bit| flags >> bit & 1));
                let bits: Vec<u32> = bits.collect();
                for word in bits.chunks(32) {
                    let word: u32 = word.iter().zip(0..).map(|(bit, at)| bit << at).sum();
                    section.extend(word.to_le_bytes());
                }
            }
        }
        if self.version >= 7 {
            out.extend((section.len() as u64).to_le_bytes());
        }
        out.extend(section);
    }

    pub(super) fn package(&mut self, out: &mut Vec<u8>, package: &Package) {
        self.name(out, &package.name);
        out.extend(package.disk_size.to_le_bytes());
        if self.version >= 20 {
            out.extend(package.saved_hash.expect("a hash"));
        } else {
            out.extend(package.guid.expect("a guid"));
        }
        if self.version >= 6 {
            out.extend(u32::from(package.cooked_hash.is_some()).to_le_bytes());
            out.extend(package.cooked_hash.iter().flatten());
        }
        if self.version >= 13 {
            count(out, package.chunk_hashes.len());
            out.extend(package.chunk_hashes.iter().flat_map(|(id, hash)| id.iter().chain(hash)));
        }
        if self.version >= 9 {
            let (ue4, ue5, licensee, flags) = package.saved_with.expect("versions");
            out.extend(ue4.to_le_bytes());
            if self.version >= 11 {
                out.extend(ue5.to_le_bytes());
            }
            out.extend(licensee.to_le_bytes());
            out.extend(flags.to_le_bytes());
            count(out, package.custom_versions.len());
            for (key, number) in &package.custom_versions {
                out.extend(key);
                out.extend(number.to_le_bytes());
            }
        }
        if self.version >= 10 {
            count(out, package.imported_classes.len());
            for class in &package.imported_classes {
                self.name(out, class);
            }
        }
        if self.version >= 17 {
            self.text(out, package.extension.as_ref().expect("an extension"), false);
        }
        if self.version >= 18 && (self.version < 24) ^ self.quirks.other_location {
            out.push(package.location.unwrap_or(3));
        }
    }

    /// The names of new versions: hashes, lengths, texts. Nobody has to know the hashes.
    pub(super) fn name_batch(&self, out: &mut Vec<u8>) {
        count(out, self.names.len());
        if self.names.is_empty() {
            return;
        }
        let (mut headers, mut texts) = (Vec::new(), Vec::new());
        for name in &self.names {
            let len = u16::try_from(name.encode_utf16().count()).expect("a short name");
            if name.is_ascii() {
                headers.extend(len.to_be_bytes());
                texts.extend(name.bytes());
            } else {
                headers.extend((len | 0x8000).to_be_bytes());
                texts.extend(name.encode_utf16().flat_map(u16::to_le_bytes));
            }
        }
        count(out, texts.len());
        out.extend(0xC164_0000_u64.to_le_bytes());
        out.extend(vec![0; 8 * self.names.len()]);
        out.extend(headers);
        out.extend(texts);
    }

    /// The names of old versions.
    pub(super) fn name_table(&self, out: &mut Vec<u8>) {
        count(out, self.names.len());
        for name in &self.names {
            string(out, name);
            out.extend([0; 4]);
        }
    }
}
