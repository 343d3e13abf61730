//! Every export of the corpus: decoded, written back, and held against what the independent reader found.

use crate::sets::{Others, Row, Set, all, corpus, say};
use std::collections::BTreeMap;
use uncask_formats::property::{Body, Header, HeaderMember, List, Object, Scope, Value};
use uncask_formats::wire::Writer;

/// What became of the exports of a set.
#[derive(Default)]
struct Tally {
    exports: usize,
    /// Their property lists were decoded.
    decoded: usize,
    /// Their bytes came back.
    same: usize,
    /// Their lists end where the independent reader says.
    ends: usize,
    /// Where the package itself says so.
    script_ends: (usize, usize),
    /// Every byte is understood.
    complete: usize,
    /// Values that were kept raw.
    raw: usize,
    /// Headers of lists without tags, and those that a cooker would have written alike.
    headers: (usize, usize),
    why: BTreeMap<String, usize>,
}

/// What at least has to be decoded, and to be understood to the last byte, set by set.
const LEAST: [(&str, usize, usize); 30] = [
    ("5.8 tagged", 639, 568),
    ("5.8 unversioned", 633, 562),
    ("Astroneer", 1912, 1911),
    ("Bellwright54", 50, 50),
    ("Bellwright56", 4, 4),
    ("Billiards", 9, 9),
    ("Biodigital", 8, 0),
    ("BlankGame54", 14, 10),
    ("BlankGame55", 19, 13),
    ("Bloodstained", 1548, 1497),
    ("BpThirdPerson56", 30, 26),
    ("BurningDaylight", 1, 1),
    ("CSSIM", 2, 2),
    ("Clay", 1091, 1091),
    ("CustomProperty", 133, 101),
    ("DupNames", 1, 1),
    ("Editor427", 20, 12),
    ("Editor57", 134, 71),
    ("F1Manager2023", 3, 3),
    ("Improper", 1, 1),
    ("LiesOfP", 3, 3),
    ("MidAir", 306, 306),
    ("NanosWorld57", 320, 316),
    ("SnakePass", 13, 13),
    ("TestJson", 323, 323),
    ("TestMaterials", 111, 109),
    ("TheBeastInside", 8, 8),
    ("ToTheCore", 62, 62),
    ("UnknownProps", 37, 37),
    ("VERSIONED", 2, 2),
];

#[test]
fn every_export_is_decoded_and_comes_back_byte_for_byte() {
    let Some(corpus) = corpus() else { return };
    let mut short = Vec::new();
    let mut sum = Tally::default();
    say("set                 exports  decoded     same complete    raw");
    for set in all(&corpus) {
        let tally = tally(&set);
        let Tally { exports, decoded, same, complete, raw, .. } = tally;
        say(&format!("{:18} {exports:8} {decoded:8} {same:8} {complete:8} {raw:6}", set.name));
        for (why, count) in &tally.why {
            say(&format!("    {count} × {why}"));
        }
        let least = LEAST.iter().find(|(name, ..)| *name == set.name);
        let (_, lists, whole) = *least.unwrap_or_else(|| panic!("{}", set.name));
        if decoded < lists || complete < whole || same < exports || tally.ends < decoded {
            short.push(format!("{}: {decoded} of {lists}, {complete} of {whole}, {same}", set.name));
        }
        sum.exports += exports;
        sum.decoded += decoded;
        sum.same += same;
        sum.complete += complete;
        sum.raw += raw;
        sum.headers = (sum.headers.0 + tally.headers.0, sum.headers.1 + tally.headers.1);
        sum.script_ends = (sum.script_ends.0 + tally.script_ends.0, sum.script_ends.1 + tally.script_ends.1);
    }
    let Tally { exports, decoded, same, complete, raw, headers, script_ends, .. } = sum;
    say(&format!("{:18} {exports:8} {decoded:8} {same:8} {complete:8} {raw:6}", "all"));
    say(&format!("headers of lists without tags: {} of {} as a cooker writes them", headers.1, headers.0));
    say(&format!("ends of lists that packages say: {} of {}", script_ends.1, script_ends.0));
    assert!(short.is_empty(), "{short:#?}");
    // Invented types, a zero-length form of an identifier, structs that nothing names.
    assert!(raw <= 38, "{raw} values were kept raw");
    // One file holds lists that some other cooker wrote.
    assert!(headers.0 > 8_000 && headers.0 - headers.1 <= 300, "{headers:?}");
    assert!(script_ends.0 > 700 && script_ends.0 - script_ends.1 <= 20, "{script_ends:?}");
}

fn tally(set: &Set) -> Tally {
    let others = Others::new(set);
    let mut tally = Tally::default();
    for file in &set.files {
        let loaded = set.load(file);
        let scope = loaded.scope(&others);
        for row in set.rows_of(file) {
            tally.add(&scope, &row);
        }
    }
    tally
}

impl Tally {
    fn add(&mut self, scope: &Scope<'_>, row: &Row) {
        let export = &scope.package.exports[row.export];
        let object = Object::read(scope, export);
        self.exports += 1;
        let mut w = Writer::new();
        object.write(&mut w).unwrap();
        // What is not understood comes back as well.
        self.same += usize::from(scope.bytes(export) == Some(&w.into_bytes()));
        let is_decoded =
            object.properties.is_some() && (object.problem.is_none() || !object.tail.fields.is_empty());
        if !is_decoded {
            let problem = object.problem.as_ref().map(ToString::to_string).unwrap_or_default();
            *self.why.entry(format!("{}: {problem}", row.class)).or_default() += 1;
            return;
        }
        self.decoded += 1;
        self.complete += usize::from(object.is_complete());
        let mut w = Writer::new();
        object.head.write(&mut w).unwrap();
        let list = object.properties.as_ref().unwrap();
        list.write(&mut w).unwrap();
        let end = w.len() as u64;
        if row.end == Some(end) {
            self.ends += 1;
        } else {
            *self.why.entry(format!("{}: ends at {end}, not at {:?}", row.class, row.end)).or_default() += 1;
        }
        if let Some([start, said]) = export.script
            && said > start
        {
            self.script_ends.0 += 1;
            self.script_ends.1 += usize::from(u64::try_from(said) == Ok(end));
        }
        self.list(list);
        object.tail.fields.iter().for_each(|(_, value)| self.value(value));
    }

    fn list(&mut self, list: &List) {
        if let List::Unversioned(list) = list {
            let members: Vec<HeaderMember> = list.header.members().collect();
            let again = Header::new(members.into_iter(), list.layout.len());
            self.headers.0 += 1;
            self.headers.1 += usize::from(again.bytes() == list.header.bytes());
        }
        list.values().for_each(|value| self.value(value));
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Raw(raw) => {
                self.raw += 1;
                let why = raw.reason.to_string();
                let why = why.split(", offset").next().unwrap();
                *self
                    .why
                    .entry(format!("raw: {} {why}", raw.subject.as_deref().unwrap_or_default()))
                    .or_default() += 1;
            }
            Value::Map(map) => {
                for (key, value) in &map.entries {
                    self.value(key);
                    self.value(value);
                }
            }
            Value::Optional(Some(value)) | Value::Sized(value) => self.value(value),
            Value::Struct(found) => match &found.body {
                Body::List(list) => self.list(list),
                Body::Native(record) => record.fields.iter().for_each(|(_, value)| self.value(value)),
                Body::Empty => {}
            },
            value => value.items().unwrap_or_default().iter().for_each(|item| self.value(item)),
        }
    }
}
