//! Lists of properties, spelled out as they are before 5.4.

/// A list of tagged properties.
pub(super) struct Tags {
    bytes: Vec<u8>,
    /// Names that its package has after those that are always there.
    names: &'static [&'static str],
}

/// Number of names that are always there.
const FIRST: usize = 8;

impl Tags {
    pub(super) const fn new(names: &'static [&'static str]) -> Self {
        Self { bytes: Vec::new(), names }
    }

    /// A name, without a number.
    pub(super) fn name(&self, text: &str) -> Vec<u8> {
        let at = self.names.iter().position(|name| *name == text).unwrap();
        [u32::try_from(FIRST + at).unwrap(), 0].map(u32::to_le_bytes).concat()
    }

    /// Name, type, size, index, what the type adds, no GUID; then the value.
    fn tag(&mut self, (name, index): (&str, u32), kind: &str, more: &[u8], value: &[u8]) -> &mut Self {
        let len = u32::try_from(value.len()).unwrap();
        let numbers = [len, index].map(u32::to_le_bytes).concat();
        self.bytes.extend([self.name(name), self.name(kind), numbers].concat());
        self.bytes.extend([more, &[0], value].concat());
        self
    }

    pub(super) fn int(&mut self, name: &str, value: u32) -> &mut Self {
        self.tag((name, 0), "IntProperty", &[], &value.to_le_bytes())
    }

    pub(super) fn float(&mut self, name: &str, value: f32) -> &mut Self {
        self.tag((name, 0), "FloatProperty", &[], &value.to_le_bytes())
    }

    pub(super) fn named(&mut self, name: &str, value: &str) -> &mut Self {
        let value = self.name(value);
        self.tag((name, 0), "NameProperty", &[], &value)
    }

    /// A value of an enum that is as long as a byte.
    pub(super) fn byte_enum(&mut self, name: &str, of: &str, value: &str) -> &mut Self {
        let (of, value) = (self.name(of), self.name(value));
        self.tag((name, 0), "ByteProperty", &of, &value)
    }

    pub(super) fn names(&mut self, name: &str, values: &[&str]) -> &mut Self {
        let count = u32::try_from(values.len()).unwrap().to_le_bytes().to_vec();
        let values = values.iter().map(|value| self.name(value));
        let value: Vec<Vec<u8>> = std::iter::once(count).chain(values).collect();
        let of = self.name("NameProperty");
        self.tag((name, 0), "ArrayProperty", &of, &value.concat())
    }

    /// A struct, which is an element of a static array.
    pub(super) fn structure(&mut self, place: (&str, u32), of: &str, value: &[u8]) -> &mut Self {
        let of = [self.name(of), vec![0; 16]].concat();
        self.tag(place, "StructProperty", &of, value)
    }

    /// An array of structs: their number, a tag for all of them, and each.
    pub(super) fn structs(&mut self, name: &str, of: &str, items: &[Vec<u8>]) -> &mut Self {
        let mut inner = Self::new(self.names);
        inner.structure((name, 0), of, &items.concat());
        let count = u32::try_from(items.len()).unwrap().to_le_bytes().to_vec();
        let of = self.name("StructProperty");
        self.tag((name, 0), "ArrayProperty", &of, &[count, inner.bytes].concat())
    }

    /// The list, with its end.
    pub(super) fn list(&self) -> Vec<u8> {
        [&self.bytes[..], &[0; 8]].concat()
    }
}
