//! Writes `.usmap` files, byte by byte as the page about them says, without help from the reader.

use std::collections::HashMap;

/// The type of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Plain(u8),
    Struct(String),
    Enum(String, Box<Self>),
    /// Array 8, set 25, optional 28.
    Of(u8, Box<Self>),
    Map(Box<Self>, Box<Self>),
}

#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) index: u16,
    pub(crate) array_len: u8,
    pub(crate) name: String,
    pub(crate) kind: Type,
    pub(crate) flags: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) base: Option<String>,
    pub(crate) properties: Vec<Property>,
}

/// A file to be written.
#[derive(Debug, Clone)]
pub(crate) struct Types {
    pub(crate) version: u8,
    /// True if the versions of packages are recorded.
    pub(crate) has_versions: bool,
    /// Bytes of the source in the metadata.
    pub(crate) source_len: usize,
    pub(crate) enums: Vec<(String, Vec<(i64, String)>)>,
    pub(crate) structs: Vec<Struct>,
    pub(crate) extensions: Vec<([u8; 4], Vec<u8>)>,
}

/// The package that everything is from.
pub(crate) const PACKAGE: &str = "/Script/Demo";

/// The data of [`Types::demo`] in version 4, compressed by Google's encoder (the one of Node.js), quality 11.
pub(crate) const BROTLI: &[u8] = b"\
    \x1B\x5C\x01\x60\x1E\x07\x76\x8C\xF8\xC0\x8E\x65\xF8\x31\x1B\x41\x4D\xDB\x1E\x01\x0E\xF2\xF8\x36\
    \x9A\xD1\xAA\x2A\x1D\x89\xFF\xCD\xDD\xE3\x2F\xBA\x8E\x0A\xE2\x58\x14\x44\xF5\xB6\x21\xA9\x04\xD5\
    \x3C\xBE\x27\xE9\xAD\xA8\x20\xDA\xBF\x97\x4E\x4E\x2C\xB1\x2C\x00\xCA\x93\x2F\x0A\x03\x0D\x02\x80\
    \x02\x4C\x10\x83\x38\xDB\x24\x0D\x09\x13\xCC\xC7\xDB\xD7\x27\xBA\x85\x11\x59\xB2\x26\x72\xB9\x95\
    \xAC\xED\xF9\x5F\xCB\xAA\xE8\xD5\x85\x3D\x5E\x77\x9F\xE0\x05\x1F\xF8\xD9\xDB\x08\x32\x1A\xCE\x3E\
    \x2A\x1A\xD8\x3D\xF4\xB4\x45\xA6\x81\x70\xAE\x44\xA7\x3A\xE6\x3D\x33\x22\xDA\x4C\xB7\xA8\xC1\x61\
    \x46\xB0\x2B\x07\x41\x0B\x11\x08\x5C\xF0\x5F\x0B\x0B\x2A\x0A\x2F\x14\xA2\x21\x43\x3A\xB2\x48\x22\
    \x07\x26\x56\x0D\xB1\xA2\x84\xDA\x30\x2B\xAA\xEC\x38\x41\x93\x03\xEF\xD6\xE5\x82\x31\x2B\x52\xAE\
    \x78\xB5\x71\x82\x21\x37\x7C\xBE\x5D\xEE\xF8\x3D\x30\x08";

impl Types {
    /// An enum, a struct and a class with every form of type.
    pub(crate) fn demo(version: u8) -> Self {
        let plain = |kind| Box::new(Type::Plain(kind));
        let vector = || Type::Struct("Vector".to_owned());
        let color = || Type::Enum("EColor".to_owned(), plain(0));
        let kinds = [
            ("Health", 1, Type::Plain(2)),
            ("Spawns", 3, vector()),
            ("Color", 1, color()),
            ("Tags", 1, Type::Of(25, plain(5))),
            ("Path", 1, Type::Of(8, Box::new(vector()))),
            ("ByName", 1, Type::Map(plain(5), Box::new(Type::Of(8, Box::new(color()))))),
            ("Nickname", 1, Type::Of(28, plain(29))),
            ("Odd", 1, Type::Plain(0xFD)),
        ];
        let mut index = 0;
        let properties = kinds.map(|(name, array_len, kind)| {
            let property =
                Property { index, array_len, name: name.to_owned(), kind, flags: 1 << (index % 3) };
            index += u16::from(array_len);
            property
        });
        let coordinate = |(index, name): (u16, &str)| Property {
            index,
            array_len: 1,
            name: name.to_owned(),
            kind: Type::Plain(7),
            flags: 5,
        };
        // Values are recorded since version 4; before that, they are the positions.
        let last = if version >= 4 { -1 } else { 2 };
        let values = [(0, "EColor::Red"), (1, "EColor::Grün"), (last, "EColor::None")];
        Self {
            version,
            has_versions: false,
            source_len: 1,
            enums: vec![("EColor".to_owned(), values.map(|(value, name)| (value, name.to_owned())).into())],
            structs: vec![
                Struct {
                    name: "Vector".to_owned(),
                    base: None,
                    properties: (0..).zip(["X", "Y", "Z"]).map(coordinate).collect(),
                },
                Struct {
                    name: "Player".to_owned(),
                    base: Some("Actor".to_owned()),
                    properties: properties.into(),
                },
                Struct { name: "Empty".to_owned(), base: Some("Player".to_owned()), properties: Vec::new() },
            ],
            extensions: Vec::new(),
        }
    }

    /// A file that is not compressed.
    pub(crate) fn file(&self) -> Vec<u8> {
        let data = self.data();
        self.wrap(0, &data, data.len())
    }

    /// A file whose data is compressed.
    pub(crate) fn wrap(&self, method: u8, stored: &[u8], raw_len: usize) -> Vec<u8> {
        let mut file = vec![0xC4, 0x30, self.version];
        if self.version >= 6 {
            for text in ["uncask's tests", ""] {
                word(&mut file, text.len());
                file.extend(text.bytes());
            }
            file.extend(1_700_000_000_i64.to_le_bytes());
            file.extend(&4_u32.to_le_bytes()[..self.source_len]);
        }
        if self.version >= 1 {
            word(&mut file, self.has_versions.into());
        }
        if self.version >= 1 && self.has_versions {
            self.versions(&mut file);
        }
        file.push(method);
        word(&mut file, stored.len());
        word(&mut file, raw_len);
        file.extend(stored);
        file
    }

    fn versions(&self, file: &mut Vec<u8>) {
        if self.version >= 5 {
            file.extend([5_u16, 4, 1].map(u16::to_le_bytes).as_flattened());
            file.extend(0x8000_0007_u32.to_le_bytes());
            word(file, 10);
            file.extend(b"++UE5+5.4\0");
        }
        file.extend([522_i32, 1012, 1].map(i32::to_le_bytes).as_flattened());
        file.extend([0x11; 16]);
        file.extend([77_i32, 4_321].map(i32::to_le_bytes).as_flattened());
    }

    /// The data, before it is compressed.
    pub(crate) fn data(&self) -> Vec<u8> {
        let mut writer = Writer {
            version: self.version,
            names: Vec::new(),
            places: HashMap::new(),
            flags: Vec::new(),
            out: Vec::new(),
        };
        word(&mut writer.out, self.enums.len());
        self.enums.iter().for_each(|row| writer.enumeration(row));
        word(&mut writer.out, self.structs.len());
        self.structs.iter().for_each(|row| writer.structure(row));
        if !self.extensions.is_empty() {
            writer.out.extend(b"CEXT\0");
            word(&mut writer.out, self.extensions.len());
            for (id, bytes) in &self.extensions {
                writer.out.extend(id);
                word(&mut writer.out, bytes.len());
                writer.out.extend(bytes);
            }
        }
        writer.finish()
    }
}

/// Collects names and flags while the rest is written.
struct Writer {
    version: u8,
    names: Vec<String>,
    /// The index of each name.
    places: HashMap<String, usize>,
    flags: Vec<u64>,
    out: Vec<u8>,
}

impl Writer {
    fn name(&mut self, name: &str) {
        let index = *self.places.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        word(&mut self.out, index);
    }

    fn package(&mut self) {
        if self.version >= 6 {
            self.name(PACKAGE);
        }
    }

    /// A number that is wider since some version.
    fn number(&mut self, value: usize, widths: [usize; 2], since: u8) {
        let width = widths[usize::from(self.version >= since)];
        self.out.extend(&value.to_le_bytes()[..width]);
    }

    fn enumeration(&mut self, (name, values): &(String, Vec<(i64, String)>)) {
        self.package();
        self.name(name);
        self.number(values.len(), [1, 2], 3);
        for (value, name) in values {
            if self.version >= 4 {
                self.out.extend(value.to_le_bytes());
            }
            self.name(name);
        }
    }

    fn structure(&mut self, row: &Struct) {
        self.package();
        self.name(&row.name);
        match &row.base {
            Some(base) => self.name(base),
            None => self.out.extend([0xFF; 4]),
        }
        let is_struct = usize::from(row.base.is_none());
        if self.version >= 6 {
            self.out.extend(0x2000_0010_u32.to_le_bytes());
        }
        let elements: usize = row.properties.iter().map(|property| usize::from(property.array_len)).sum();
        let top = if self.version >= 6 { is_struct << 24 } else { 0 };
        self.number(elements | top, [2, 4], 6);
        self.number(row.properties.len(), [2, 4], 6);
        for property in &row.properties {
            self.out.extend(property.index.to_le_bytes());
            self.number(property.array_len.into(), [1, 2], 6);
            self.name(&property.name);
            self.kind(&property.kind);
            if self.version >= 6 {
                let known = self.flags.iter().position(|flags| *flags == property.flags);
                let index = known.unwrap_or_else(|| {
                    self.flags.push(property.flags);
                    self.flags.len() - 1
                });
                self.number(index, [0, 2], 6);
            }
        }
    }

    fn kind(&mut self, kind: &Type) {
        match kind {
            Type::Plain(kind) => self.out.push(*kind),
            Type::Struct(name) => {
                self.out.push(9);
                self.name(name);
            }
            Type::Enum(name, stored_as) => {
                self.out.push(26);
                self.kind(stored_as);
                self.name(name);
            }
            Type::Of(kind, inner) => {
                self.out.push(*kind);
                self.kind(inner);
            }
            Type::Map(key, value) => {
                self.out.push(24);
                self.kind(key);
                self.kind(value);
            }
        }
    }

    /// Names and flags come in front of what refers to them.
    fn finish(self) -> Vec<u8> {
        let mut data = Vec::new();
        word(&mut data, self.names.len());
        for name in &self.names {
            let width = if self.version >= 2 { 2 } else { 1 };
            data.extend(&name.len().to_le_bytes()[..width]);
            data.extend(name.bytes());
        }
        if self.version >= 6 {
            word(&mut data, self.flags.len());
            data.extend(self.flags.iter().flat_map(|flags| flags.to_le_bytes()));
        }
        data.extend(self.out);
        data
    }
}

fn word(file: &mut Vec<u8>, value: usize) {
    file.extend(u32::try_from(value).expect("small").to_le_bytes());
}
