//! Payloads that are made here, as the sheet has them, for releases of which the corpus has no file.

use uncask_formats::asset::{self, AssetError, FoundAsset};
use uncask_formats::package::legacy::{
    DataResource, DataResources, Export, Form, Import, Name, NameEntry, Package, PackageIndex,
    VersionEvidence,
};
use uncask_formats::property::{Object, Scope};
use uncask_formats::version::Release;

/// Bytes of a release: `(5, 4)` for 5.4.
#[derive(Clone)]
pub(crate) struct Payload {
    pub(crate) release: (u32, u32),
    pub(crate) bytes: Vec<u8>,
    /// Bulk data that the table of the package has, since 5.2.
    resources: Vec<DataResource>,
    /// Its properties; an empty list as a rule.
    properties: Vec<u8>,
    /// Names that these need, after those that are always there.
    names: Vec<&'static str>,
    cooked: bool,
    /// Class and bytes of the exports inside of it.
    inside: Vec<(&'static str, Vec<u8>)>,
}

impl Payload {
    pub(crate) fn new(release: (u32, u32)) -> Self {
        Self {
            release,
            bytes: Vec::new(),
            resources: Vec::new(),
            properties: vec![0; 8],
            names: Vec::new(),
            cooked: true,
            inside: Vec::new(),
        }
    }

    /// In a package of the editor, with some properties.
    pub(crate) fn uncooked(release: (u32, u32), names: &[&'static str], properties: Vec<u8>) -> Self {
        Self { properties, names: names.to_vec(), cooked: false, ..Self::new(release) }
    }

    /// Puts an object of a class inside of it, with some properties and a payload.
    pub(crate) fn put_inside(&mut self, class: &'static str, properties: &[u8], payload: &[u8]) {
        let bytes = self.object(properties, payload);
        self.inside.push((class, bytes));
    }

    /// Bytes of an object.
    fn object(&self, properties: &[u8], payload: &[u8]) -> Vec<u8> {
        // The first name ends the list of properties; a control byte is in front of it since 5.4.
        let control: &[u8] = if self.since(5, 4) { &[0] } else { &[] };
        [control, properties, &[0; 4], payload].concat()
    }

    pub(crate) fn since(&self, major: u32, minor: u32) -> bool {
        self.release >= (major, minor)
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u32s(&mut self, values: &[u32]) {
        for value in values {
            self.u32(*value);
        }
    }

    pub(crate) fn f32(&mut self, value: f32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    /// `float` up to 4.27, `double` since 5.0.
    pub(crate) fn reals(&mut self, values: &[f32]) {
        for value in values {
            if self.since(5, 0) {
                self.bytes.extend(f64::from(*value).to_le_bytes());
            } else {
                self.f32(*value);
            }
        }
    }

    /// The name at a place of the table, without a number.
    pub(crate) fn name(&mut self, at: u32) {
        self.u32s(&[at, 0]);
    }

    pub(crate) fn strip(&mut self, class: u8) {
        self.bytes.extend([1, class]);
    }

    /// The size of an element, how many there are, and their bytes.
    pub(crate) fn bulk_array(&mut self, unit: usize, bytes: &[u8]) {
        assert!(bytes.len().is_multiple_of(unit));
        self.u32s(&[u32::try_from(unit).unwrap(), u32::try_from(bytes.len() / unit).unwrap()]);
        self.bytes.extend(bytes);
    }

    /// Bytes that follow at once.
    pub(crate) fn bulk(&mut self, bytes: &[u8]) {
        self.bulk_header(bytes.len(), 0x48);
        self.bytes.extend(bytes);
    }

    /// Bytes that are in a file beside the package.
    pub(crate) fn streamed(&mut self, len: usize) {
        self.bulk_header(len, 0x10501);
    }

    fn bulk_header(&mut self, len: usize, flags: u32) {
        let len = u32::try_from(len).unwrap();
        if self.since(5, 2) {
            self.u32(u32::try_from(self.resources.len()).unwrap());
            self.resources.push(DataResource {
                serial_len: len.into(),
                raw_len: len.into(),
                duplicate_offset: -1,
                bulk_flags: flags,
                ..DataResource::default()
            });
        } else {
            // Flags, elements, size, offset of 64 bits.
            self.u32s(&[flags, len, len, 0, 0]);
        }
    }

    /// Reads it as the payload of a class, whose properties are an empty list.
    pub(crate) fn read<T>(
        &self,
        class: &str,
        check: impl FnOnce(Result<FoundAsset<'_>, AssetError>) -> T,
    ) -> T {
        self.read_with(class, |_, _, _, found| check(found))
    }

    /// Reads it, and hands over what is needed to read its bulk data, too.
    pub(crate) fn read_with<T>(
        &self,
        class: &str,
        check: impl for<'a> FnOnce(&Scope<'a>, &Export, &Object, Result<FoundAsset<'a>, AssetError>) -> T,
    ) -> T {
        let release = Release::from_name(&format!("{}.{}", self.release.0, self.release.1)).unwrap();
        let mut data = self.object(&self.properties, &self.bytes);
        let package = self.package(release, class, data.len());
        self.inside.iter().for_each(|(_, bytes)| data.extend(bytes));
        let scope = Scope::new(&package, &data, 0, Some(release));
        let export = &package.exports[0];
        let object = Object::read(&scope, export);
        check(&scope, export, &object, asset::read(&scope, export, &object).unwrap())
    }

    fn package(&self, release: &Release, class: &str, len: usize) -> Package {
        let names =
            ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", class, "Slot", "Bone"];
        let name = |index| Name { index, number: 0 };
        let engine =
            Import { class_package: name(1), class_name: name(2), name: name(4), ..Import::default() };
        let of_class = Import {
            class_package: name(1),
            class_name: name(3),
            outer: PackageIndex(-1),
            name: name(5),
            ..Import::default()
        };
        let export = Export {
            class: PackageIndex(-2),
            name: name(6),
            serial_len: i64::try_from(len).unwrap(),
            ..Export::default()
        };
        let (mut imports, mut exports) = (vec![engine, of_class], vec![export]);
        let mut names: Vec<&str> = names.iter().chain(&self.names).copied().collect();
        let mut offset = len;
        for (number, (class, bytes)) in (0..).zip(&self.inside) {
            let class_name = Name { index: u32::try_from(names.len()).unwrap(), number: 0 };
            names.push(class);
            imports.push(Import { name: class_name, ..imports[1].clone() });
            exports.push(Export {
                class: PackageIndex(-i32::try_from(imports.len()).unwrap()),
                outer: PackageIndex(1),
                name: Name { index: 7, number },
                serial_offset: i64::try_from(offset).unwrap(),
                serial_len: i64::try_from(bytes.len()).unwrap(),
                ..Export::default()
            });
            offset += bytes.len();
        }
        let table = DataResources { entries: self.resources.clone(), ..DataResources::default() };
        Package {
            form: Form { versions: release.objects, cooked: self.cooked, ..Form::default() },
            evidence: VersionEvidence::Given(release.name),
            names: names.iter().map(|text| NameEntry::new(text)).collect(),
            imports,
            exports,
            data_resources: (self.cooked && self.since(5, 2)).then_some(table),
            ..Package::default()
        }
    }
}
