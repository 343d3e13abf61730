//! Property data of the shapes that are worst for it, read and written as JSON.

use super::{Allowance, Meter, Scale, in_process};
use crate::fuzz::draw::{self, Zen};
use crate::types::{Property, Struct, Type, Types};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use uncask::codec::Scratch;
use uncask::id::{PackageId, PackageObjectIndex};
use uncask::mappings::Mappings;
use uncask::package::ObjectPath;
use uncask::package::convert::{Converted, Evidence, Input, Target, convert};
use uncask::package::legacy::{Package, PackageIndex};
use uncask::package::zen::{Header, Neighbours};
use uncask::property::json::{FModel, Tree};
use uncask::property::{Object, Schemas, Scope};
use uncask::version::Release;
use uncask::wire::Writer;

/// The release that the packages are of.
pub(super) const RELEASE: &str = "5.4";

/// A package with one object, or several, of class `Thing`.
pub(super) struct Tagged {
    names: Vec<String>,
    places: HashMap<String, u32>,
    /// Data of the exports, back to back.
    data: Writer,
    /// For each export its start and length in that.
    exports: Vec<(usize, usize)>,
    /// True if they are in unversioned lists.
    unversioned: bool,
}

/// The script object that the exports are of.
const CLASS: u64 = 1 << 62 | 0x1234;

/// Knows the name of the one class.
struct Scripts;

impl Neighbours for Scripts {
    fn script_path(&self, _index: PackageObjectIndex) -> Option<ObjectPath> {
        Some(ObjectPath::from_text("/Script/Demo.Thing"))
    }

    fn package(&self, _id: PackageId) -> Option<Arc<Header>> {
        None
    }
}

impl Tagged {
    fn new() -> Self {
        let mut this = Self {
            names: Vec::new(),
            places: HashMap::new(),
            data: Writer::new(),
            exports: Vec::new(),
            unversioned: false,
        };
        // The first two are those of the package and of its objects.
        for name in ["/Game/A", "A", "None"] {
            this.place(name);
        }
        this
    }

    fn unversioned() -> Self {
        Self { unversioned: true, ..Self::new() }
    }

    fn place(&mut self, name: &str) -> u32 {
        *self.places.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            u32::try_from(self.names.len() - 1).unwrap()
        })
    }

    fn name(&mut self, name: &str) -> &mut Self {
        let place = self.place(name);
        self.data.u32(place).u32(0);
        self
    }

    /// A property of a type, which is spelled out as names and numbers of parameters.
    fn property(&mut self, name: &str, kind: &[(&str, i32)], value: &[u8]) -> &mut Self {
        self.name(name);
        for (kind, parameters) in kind {
            self.name(kind);
            self.data.i32(*parameters);
        }
        self.data.i32(i32::try_from(value.len()).unwrap()).u8(0).bytes(value);
        self
    }

    /// Ends the list of an object, and the object.
    fn end(&mut self) {
        let start = self.exports.last().map_or(0, |(start, len)| start + len);
        if !self.unversioned {
            self.name("None");
        }
        // No GUID.
        self.data.u32(0);
        self.exports.push((start, self.data.len() - start));
    }

    /// Starts the list of an object.
    fn begin(&mut self) -> &mut Self {
        // Nothing is overridden, or what every object without tags starts with.
        if self.unversioned {
            self.data.u32(0);
        } else {
            self.data.u8(0);
        }
        self
    }

    /// The zen package.
    pub(super) fn chunk(&self) -> Vec<u8> {
        self.chunk_of(CLASS)
    }

    /// The zen package with objects of a native class.
    fn chunk_of(&self, class: u64) -> Vec<u8> {
        let export = |(at, (start, len)): (u64, &(usize, usize))| {
            let mut bytes = draw::export(1, None, at + 1);
            // All have one name, and numbers that tell them apart.
            for (place, number) in [(0, *start as u64), (8, *len as u64), (32, class)] {
                bytes[place..place + 8].copy_from_slice(&number.to_le_bytes());
            }
            bytes[20..24].copy_from_slice(&u32::try_from(at).unwrap().to_le_bytes());
            bytes
        };
        let names = self.names.clone();
        let exports = (0..).zip(&self.exports).map(export).collect();
        let mut bytes = Zen { names, imports: vec![class], exports, ..Zen::default() }.bytes();
        let tag = bytes.split_off(bytes.len() - 4);
        let flags: u32 = if self.unversioned { 0x8000_2200 } else { 0x8000_0200 };
        bytes[16..20].copy_from_slice(&flags.to_le_bytes());
        [bytes, self.data.clone().into_bytes(), tag].concat()
    }

    /// The package as one file of the cooker.
    fn file(&self) -> Vec<u8> {
        let chunk = self.chunk();
        let header = Header::parse(&chunk).unwrap();
        let input = Input { header: &header, chunk: &chunk, file_stem: None, evidence: Evidence::default() };
        let converted = convert(&input, &Scripts, &Target { release: Some(release()) });
        let asset = converted.and_then(Converted::write).unwrap();
        [asset.header, asset.converted.body.into_owned()].concat()
    }

    /// Functions that call another so often each, as a zen package with a class of this index.
    pub(super) fn functions(count: usize, calls: usize, class: u64) -> Vec<u8> {
        let mut this = Self::new();
        let called = this.place("Called");
        let call = [vec![0x1B], [called, 0].map(u32::to_le_bytes).concat(), vec![0x16]].concat();
        // In memory a name has 12 bytes, and in the file 8.
        let [memory, stored] = [14, 10].map(|call| i32::try_from(call * calls + 3).unwrap());
        for _ in 0..count {
            this.begin().end();
            // No parent, children and fields; both sizes; the script and its end; flags, and no event.
            this.data.i32(0).i32(0).i32(0).i32(memory).i32(stored);
            this.data.bytes(&call.repeat(calls)).bytes(&[0x04, 0x0B, 0x53]).u32(0).i32(0).i32(0);
            let end = this.data.len();
            if let Some((start, len)) = this.exports.last_mut() {
                *len = end - *start;
            }
        }
        this.chunk_of(class)
    }

    /// Numbers of one long name.
    pub(super) fn of_one_name(n: usize) -> Self {
        let mut this = Self::new();
        this.begin();
        for at in 0..n {
            this.property(&"x".repeat(900), &[("IntProperty", 0)], &u32::try_from(at).unwrap().to_le_bytes());
        }
        this.end();
        this
    }
}

fn release() -> &'static Release {
    Release::from_name(RELEASE).unwrap()
}

/// A number of names or elements, in front of them.
fn counted(n: usize, bytes: impl IntoIterator<Item = u8>) -> Vec<u8> {
    u32::try_from(n).unwrap().to_le_bytes().into_iter().chain(bytes).collect()
}

/// Maps, sets and arrays, each of as many elements, which are all one long name.
fn containers(n: usize) -> Tagged {
    let mut this = Tagged::new();
    let long = this.place(&"x".repeat(900));
    let names = || std::iter::repeat_n([long, 0].map(u32::to_le_bytes), n).flatten().flatten();
    let (set, array) = (counted(0, counted(n, names())), counted(n, names()));
    let pairs = (0..n).flat_map(|_| [long, 0, long, 0]).flat_map(u32::to_le_bytes);
    let map = counted(0, counted(n, pairs));
    this.begin();
    this.property("M", &[("MapProperty", 2), ("NameProperty", 0), ("NameProperty", 0)], &map);
    this.property("S", &[("SetProperty", 1), ("NameProperty", 0)], &set);
    this.property("A", &[("ArrayProperty", 1), ("NameProperty", 0)], &array);
    this.end();
    this
}

/// Many short containers.
fn small_containers(n: usize) -> Tagged {
    let mut this = Tagged::new();
    this.begin();
    for _ in 0..n {
        this.property("M", &[("MapProperty", 2), ("IntProperty", 0), ("IntProperty", 0)], &[0; 8]);
        this.property("S", &[("SetProperty", 1), ("IntProperty", 0)], &[0; 8]);
        this.property("A", &[("ArrayProperty", 1), ("StructProperty", 1), ("T", 0)], &[0; 4]);
    }
    this.end();
    this
}

/// Structs in one another, as deep as may be and deeper, again and again.
fn deep_structs(n: usize) -> Tagged {
    let mut this = Tagged::new();
    let [name, kind, of, none] = ["P", "StructProperty", "T", "None"].map(|name| this.place(name));
    let mut value: Vec<u8> = [none, 0].map(u32::to_le_bytes).concat();
    for _ in 0..80 {
        let len = u32::try_from(value.len()).unwrap();
        let head = [name, 0, kind, 0, 1, of, 0, 0, len].map(u32::to_le_bytes).concat();
        let end = [none, 0].map(u32::to_le_bytes).concat();
        value = [&head[..], &[0], &value, &end].concat();
    }
    this.begin();
    for _ in 0..n {
        this.property("P", &[("StructProperty", 1), ("T", 0)], &value);
    }
    this.end();
    this
}

/// Many objects, all of which claim the same data. No zen package may, so this is done to the cooker's file.
fn shared_data(n: usize) -> Vec<u8> {
    let mut this = Tagged::of_one_name(n);
    let (start, len) = this.exports[0];
    this.exports.extend(std::iter::repeat_n((start + len, 0), n));
    let file = this.file();
    let mut package = Package::parse_partial(&file, Some(release())).unwrap().complete().unwrap();
    let (start, len) = (package.exports[0].serial_offset, package.exports[0].serial_len);
    for export in &mut package.exports {
        (export.serial_offset, export.serial_len) = (start, len);
    }
    let header = package.write_header().unwrap();
    let data = file[header.len()..].to_vec();
    [header, data].concat()
}

/// Many small objects.
fn objects(n: usize) -> Tagged {
    let mut this = Tagged::new();
    for _ in 0..n {
        this.begin().end();
    }
    this
}

/// Many objects with a number each.
pub(super) fn numbers(n: usize) -> Tagged {
    let mut this = Tagged::new();
    for _ in 0..n {
        this.begin().property("Number", &[("IntProperty", 0)], &7_i32.to_le_bytes()).end();
    }
    this
}

/// A type without tags, and a package with an object of it.
struct Untagged {
    types: Types,
    package: Tagged,
}

fn property(index: usize, name: String, kind: Type) -> Property {
    Property { index: u16::try_from(index).unwrap(), array_len: 1, name, kind, flags: 0 }
}

fn types(properties: Vec<Property>, more: Vec<Struct>) -> Types {
    let thing = Struct { name: "Thing".to_owned(), base: None, properties };
    Types { structs: [vec![thing], more].concat(), ..Types::demo(4) }
}

/// A header that says that the first `n` members follow.
fn first_members(w: &mut Writer, n: usize) {
    let mut left = n;
    while left > 127 {
        w.u16(127 << 9);
        left -= 127;
    }
    w.u16(u16::try_from(left).unwrap() << 9 | 0x100);
}

/// An enum with as many values as an array has elements, all of them the last one.
fn enumerators(n: usize) -> Untagged {
    let of_enum = Type::Enum("E".to_owned(), Box::new(Type::Plain(19)));
    let mut types =
        types((0..100).map(|at| property(at, format!("P{at}"), of_enum.clone())).collect(), vec![]);
    types.enums =
        vec![("E".to_owned(), (0..).take(n).map(|value| (value, format!("E::V{value}"))).collect())];
    let mut package = Tagged::unversioned();
    for _ in 0..n / 100 {
        package.begin();
        first_members(&mut package.data, 100);
        package.data.bytes(&u32::try_from(n - 1).unwrap().to_le_bytes().repeat(100));
        package.end();
    }
    Untagged { types, package }
}

/// As many types as there are objects, each the type of one property.
fn many_types(n: usize) -> Untagged {
    let kind = |at: usize| Type::Struct(format!("T{at}"));
    let used = n.min(2000);
    let properties = (0..used).map(|at| property(at, format!("P{at}"), kind(at))).collect();
    let more = (0..n).map(|at| Struct { name: format!("T{at}"), base: None, properties: Vec::new() });
    let types = types(properties, more.collect());
    let mut package = Tagged::unversioned();
    package.begin();
    first_members(&mut package.data, used);
    for _ in 0..used {
        first_members(&mut package.data, 0);
    }
    package.end();
    for _ in 0..n {
        package.begin();
        first_members(&mut package.data, 0);
        package.end();
    }
    Untagged { types, package }
}

/// Structs without a value, all of whose members are zero: a few bytes each for many of them.
fn zeros(n: usize) -> Untagged {
    let members = (0..127).map(|at| property(at, format!("{at}{}", "x".repeat(200)), Type::Plain(2)));
    let zeros = Struct { name: "Z".to_owned(), base: None, properties: members.collect() };
    let array = Type::Of(8, Box::new(Type::Struct("Z".to_owned())));
    let types = types(vec![property(0, "A".to_owned(), array)], vec![zeros]);
    let mut package = Tagged::unversioned();
    package.begin();
    first_members(&mut package.data, 1);
    package.data.u32(u32::try_from(n).unwrap());
    for _ in 0..n {
        package.data.u16(127 << 9 | 0x180).bytes(&[0xFF; 15]).u8(0x7F);
    }
    package.end();
    Untagged { types, package }
}

/// Memory allowed for reading and writing.
const ALLOWED: Allowance = Allowance { floor: 1 << 20, per_byte: 48 };

/// A name, how many of what it has to begin with, and what makes a package of so many.
type Shape<T> = (&'static str, usize, fn(usize) -> T);

#[test]
fn properties_cost_as_much_as_their_input_is_long() {
    let _turn = Meter::turn();
    let mut scale = Scale::new(Duration::from_millis(5), Duration::from_millis(20), 1 << 20);
    let tagged: [Shape<Tagged>; 5] = [
        ("tagged, one long name", 500, Tagged::of_one_name),
        ("tagged, containers of one long name", 500, containers),
        ("tagged, many containers", 500, small_containers),
        ("tagged, structs in one another", 4, deep_structs),
        ("tagged, many objects", 200, objects),
    ];
    for (name, size, make) in tagged {
        scale.measure(&format!("properties, {name}"), size, ALLOWED, |n| {
            let file = make(n).file();
            in_process(file.len(), || {
                assert!(show(&file, None) > 0);
            })
        });
    }
    scale.measure("properties, tagged, exports that share their data", 50, ALLOWED, |n| {
        let file = shared_data(n);
        in_process(file.len(), || assert_eq!(show(&file, None), 0))
    });
    let untagged: [Shape<Untagged>; 3] = [
        ("without tags, one enum", 500, enumerators),
        ("without tags, many types", 500, many_types),
        ("without tags, zeros", 500, zeros),
    ];
    for (name, size, make) in untagged {
        scale.measure(&format!("properties, {name}"), size, ALLOWED, |n| {
            let Untagged { types, package } = make(n);
            let (file, types) = (package.file(), types.file());
            in_process(file.len() + types.len(), || {
                let mappings = Mappings::parse(&types, &mut Scratch::default()).unwrap();
                assert!(show(&file, Some(&Schemas::new(&mappings))) > 0);
            })
        });
    }
    scale.finish();
}

/// Reads every object and writes both forms; returns how many objects could be read whole.
fn show(file: &[u8], schemas: Option<&Schemas>) -> usize {
    let package = Package::parse_partial(file, Some(release())).unwrap().complete().unwrap();
    let scope = Scope::new(&package, file, 0, Some(release())).with_mappings(schemas);
    serde_json::to_writer_pretty(std::io::sink(), &FModel::new(&scope)).unwrap();
    serde_json::to_writer_pretty(std::io::sink(), &Tree::new(&scope)).unwrap();
    package.exports.iter().filter(|export| Object::read(&scope, export).properties.is_some()).count()
}

/// The reader understands these shapes; otherwise they would measure nothing.
#[test]
fn the_shapes_are_understood() {
    let _turn = Meter::turn();
    let whole = |file: &[u8], schemas: Option<&Schemas>| {
        let package = Package::parse_partial(file, Some(release())).unwrap().complete().unwrap();
        let scope = Scope::new(&package, file, 0, Some(release())).with_mappings(schemas);
        for export in &package.exports {
            let object = Object::read(&scope, export);
            assert!(object.is_complete(), "{:?}", object.problem);
        }
    };
    for make in [Tagged::of_one_name, containers, small_containers, objects] {
        whole(&make(3).file(), None);
    }
    for make in [enumerators, many_types, zeros] {
        let Untagged { types, package } = make(300);
        let mappings = Mappings::parse(&types.file(), &mut Scratch::default()).unwrap();
        whole(&package.file(), Some(&Schemas::new(&mappings)));
    }
}

/// Classes of classes of classes, and so on, on a stack as workers have it.
#[test]
fn classes_of_classes_do_not_fill_the_stack() {
    const COUNT: u32 = 3000;
    let _turn = Meter::turn();
    for unversioned in [false, true] {
        let mut tagged = Tagged { unversioned, ..Tagged::new() };
        let first = tagged.place("C0Class");
        for at in 0..COUNT {
            tagged.place(&format!("C{at}Class"));
            tagged.begin().end();
        }
        let file = tagged.file();
        let mut package = Package::parse_partial(&file, Some(release())).unwrap().complete().unwrap();
        for (at, export) in (0..COUNT).zip(&mut package.exports) {
            (export.name.index, export.name.number) = (first + at, 0);
            export.class = PackageIndex::export((at + 1) % COUNT).unwrap();
        }
        let read = move || {
            let scope = Scope::new(&package, &file, 0, Some(release()));
            for export in &package.exports {
                assert!(Object::read(&scope, export).properties.is_some() || unversioned);
            }
        };
        std::thread::Builder::new().stack_size(2 << 20).spawn(read).unwrap().join().unwrap();
    }
}
