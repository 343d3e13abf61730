//! Objects: the data of an export, in layers.
//!
//! ```text
//! head         data that a few classes write first; u32 0 (5.4, unversioned, no default object)
//! properties   a list
//! tail         has a GUID, GUID │ sparse class data │ what each class writes, base class first
//! rest         bytes that are not understood
//! ```
//!
//! Nothing is lost: the understood and the raw parts add up to the bytes of the export.

use super::cause::ReadCause;
use super::class::Class;
use super::decode::Decoder;
use super::from_value::FromValue;
use super::kind::StructName;
use super::list::Member;
use super::scope::Scope;
use super::tails;
use super::value::{List, Record, Value};
use crate::package::legacy::{Export, PackageIndex, PackageRef};
use crate::wire::{Fault, FaultKind, Reader, Writer};
use std::sync::Arc;

/// `UObject`: the contents of an export.
#[doc(alias = "UObject")]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    /// Data before the properties; almost always empty.
    pub head: Record,
    /// The properties; `None` if the class writes none, or in an unknown form.
    pub properties: Option<List>,
    /// The understood data after the properties.
    pub tail: Record,
    /// Unparsed trailing bytes.
    pub rest: Box<[u8]>,
    /// The reason why the rest, or a part of the properties, is not understood.
    pub problem: Option<Problem>,
}

/// The fault that stopped the reading of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The fault; its offset counts from the start of the export.
    pub fault: Fault,
    /// The struct, type or property it concerns, if known.
    pub subject: Option<Arc<str>>,
    /// The cause, if known.
    pub cause: ReadCause,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let said = match &self.cause {
            ReadCause::NoSchema(of) => {
                write!(f, "no schema for {}", of.name)?;
                match of.package.as_deref() {
                    Some(package) if !package.starts_with("/Script/") => write!(f, " of {package}: ")?,
                    _ => f.write_str(": ")?,
                }
                Some(&*of.name)
            }
            ReadCause::WrongSchema(of) => {
                write!(f, "the schema of {} does not fit: ", of.name)?;
                None
            }
            ReadCause::OwnForm(of) => {
                write!(f, "{} has a form of its own: ", of.name)?;
                None
            }
            ReadCause::NoData | ReadCause::Other => None,
        };
        // The subject is left out if the cause has just named it.
        match self.subject.as_deref().filter(|subject| Some(*subject) != said) {
            Some(subject) => write!(f, "{subject}: {}", self.fault),
            None => self.fault.fmt(f),
        }
    }
}

impl<'a> Scope<'a> {
    /// Reads a struct with properties from the data after an object's properties.
    pub(crate) fn read_struct(&self, r: &mut Reader<'a>, name: &str) -> Result<Value, Fault> {
        let mut d = Decoder::new(self, r.rest());
        std::mem::swap(&mut d.r, r);
        let value = d.plain_struct(&StructName::new(name));
        std::mem::swap(&mut d.r, r);
        value
    }
}

impl Object {
    /// Reads an export. Parts that are not understood stay as bytes.
    ///
    /// ```no_run
    /// use uncask_formats::package::legacy::Package;
    /// use uncask_formats::property::{Object, Scope};
    ///
    /// let (header, data) = (std::fs::read("Sword.uasset")?, std::fs::read("Sword.uexp")?);
    /// let package = Package::parse(&header)?;
    /// let scope = Scope::new(&package, &data, package.header_len(), None);
    /// for export in &package.exports {
    ///     let object = Object::read(&scope, export);
    ///     println!("{:?}", object.get::<f32>(&scope, "Damage"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn read(scope: &Scope<'_>, export: &Export) -> Self {
        let Some(bytes) = scope.bytes(export) else {
            // Negative lengths are damage, too; zero serves for the message.
            let needed = u64::try_from(export.serial_len).unwrap_or_default();
            let (field, kind, cause) = match scope.too_much_claimed() {
                Some(kind) => ("data of all exports", kind, ReadCause::Other),
                None => ("data of an export", FaultKind::Truncated { needed, left: 0 }, ReadCause::NoData),
            };
            let fault = Fault { offset: 0, field, kind };
            return Self { problem: Some(Problem { fault, subject: None, cause }), ..Self::default() };
        };
        let mut d = Decoder::new(scope, bytes);
        let mut this = Self::default();
        let fault = this.fill(&mut d, export).err();
        this.rest = d.r.rest().into();
        this.problem =
            fault.map(|fault| Problem { fault, subject: d.subject.take(), cause: d.cause_of(&fault) });
        this
    }

    fn fill(&mut self, d: &mut Decoder<'_, '_>, export: &Export) -> Result<(), Fault> {
        let is_default = export.is_default_object();
        let class = d.scope.class(export.class);
        // An export without a class is a class itself.
        let name = d.scope.struct_name(export.class).unwrap_or_else(|| StructName::new("Class"));
        section(d, &mut self.head, |d, head| self::head(d, head, &class, is_default))?;
        let start = d.r.clone();
        let (list, fault) = d.of_object(&name, !tails::of(&class).is_empty());
        self.properties = list;
        if let Some(fault) = fault {
            if self.properties.is_none() {
                // All bytes of the export go to the rest.
                d.r = start;
            }
            return Err(fault);
        }
        d.subject = None;
        // Default objects have sparse class data in the place of the GUID.
        section(
            d,
            &mut self.tail,
            |d, tail| {
                if is_default { sparse_data(d, tail, export) } else { guid(d, tail) }
            },
        )
        .inspect_err(|fault| {
            // An unversioned list with the wrong schema ends at a random place, and what follows makes no
            // sense.
            if !d.tagged {
                d.blame(*fault, || ReadCause::WrongSchema(name.clone()));
            }
        })?;
        // Base class first, in the order of the file.
        for of in tails::of(&class) {
            let context = tails::Context { list: self.properties.as_ref(), is_default };
            section(d, &mut self.tail, |d, tail| tails::read(d, tail, (&class, *of), &context))?;
        }
        if tails::is_node(d.scope, export) {
            section(d, &mut self.tail, |d, tail| tails::read_node(d, tail, &name.name))?;
        }
        Ok(())
    }

    /// Appends the bytes of the export, in the order of the file.
    pub fn write(&self, w: &mut Writer) -> Result<(), Fault> {
        self.head.write(w)?;
        self.properties.iter().try_for_each(|list| list.write(w))?;
        self.tail.write(w)?;
        w.bytes(&self.rest);
        Ok(())
    }

    /// A property by its name, in any letter case, as a Rust type; `None` if it is missing or of another
    /// type. A property recorded as zero gives the zero of its type.
    #[must_use]
    pub fn get<'a, T: FromValue<'a>>(&'a self, scope: &'a Scope<'_>, name: &str) -> Option<T> {
        self.find(scope, name)?.get()
    }

    /// A property by its name, in any letter case.
    #[must_use]
    pub fn find<'a>(&'a self, scope: &'a Scope<'_>, name: &str) -> Option<Member<'a>> {
        self.properties.as_ref()?.find(scope.package, name)
    }

    /// True if the properties were read to their end, even if later data was not.
    #[must_use]
    pub fn has_all_properties(&self) -> bool {
        self.problem.is_none() || !self.tail.fields.is_empty()
    }

    /// True if every byte is understood, except for values kept raw in their place.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.rest.is_empty() && self.problem.is_none()
    }
}

/// Reads a part of an object. A part that fails leaves no fields, and the reader at its start.
fn section(
    d: &mut Decoder<'_, '_>,
    record: &mut Record,
    read: impl FnOnce(&mut Decoder<'_, '_>, &mut Record) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let (start, len) = (d.r.clone(), record.fields.len());
    read(d, record).inspect_err(|_| {
        d.r = start;
        record.fields.truncate(len);
    })
}

fn head(d: &mut Decoder<'_, '_>, head: &mut Record, class: &Class, is_default: bool) -> Result<(), Fault> {
    let form = &d.scope.package.form;
    // The JSON of `AssetImportData` stands before everything else, in uncooked packages only.
    if !form.cooked && class.names.iter().any(|class| is_import_data(class)) && !is_default {
        head.push("AssetImportData", d.string()?);
    }
    // Four zero bytes, only in unversioned 5.4 packages (object version 1012), and not in default objects.
    if form.unversioned_properties && form.versions.has_leading_zero() && !is_default {
        head.push("Zero", d.uint32()?);
    }
    Ok(())
}

/// True for the base class of import data, and for those of the engine that derive from it, whose parents only mappings name.
fn is_import_data(class: &str) -> bool {
    class.ends_with("AssetImportData") || class.starts_with("Fbx") && class.ends_with("ImportData")
}

fn guid(d: &mut Decoder<'_, '_>, tail: &mut Record) -> Result<(), Fault> {
    tail.push("ObjectGuid", d.optional("flag of an object GUID", Decoder::guid)?);
    Ok(())
}

/// Reads the sparse class data of default objects of blueprint classes, which stands in the place of a
/// GUID.
fn sparse_data(d: &mut Decoder<'_, '_>, tail: &mut Record, export: &Export) -> Result<(), Fault> {
    let class_of_class = match export.class.decode() {
        PackageRef::Export(at) => {
            d.scope.package.exports.get(at as usize).and_then(|class| d.scope.class_name(class))
        }
        // Sparse data follows only default objects of classes that are exports of this package.
        _ => None,
    };
    let is_blueprint = class_of_class.is_some_and(|class| class.ends_with("BlueprintGeneratedClass"));
    if !is_blueprint || !d.scope.versions.has_sparse_class_data() {
        return Ok(());
    }
    let of = d.scope.read_object(&mut d.r, "struct of sparse class data")?;
    tail.push("SerializedSparseClassDataStruct", Value::Object(of));
    if of != PackageIndex::NONE
        && let Some(name) = d.scope.struct_name(of)
    {
        tail.push("SerializedSparseClassData", d.plain_struct(&name)?);
    }
    Ok(())
}
