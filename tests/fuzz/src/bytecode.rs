//! Functions of blueprints: read, listed, assembled, moved, and written as pseudo-code.

use super::bounds::bounded;
use uncask::bytecode::{
    Decompiler, Dialect, Expression, Function, Listing, Script, Symbols, TableSizes, Token, assemble,
};
use uncask::package::legacy::{Export, Import, Name, NameEntry, Package, PackageIndex, VersionEvidence};
use uncask::property::Scope;
use uncask::version::Release;

/// Releases whose scripts differ.
const RELEASES: [&str; 8] = ["4.8", "4.10", "4.14", "4.24", "4.27", "5.0", "5.4", "5.8"];

/// Names with a meaning for pseudo-code, and one that is there twice.
const NAMES: [&str; 16] = [
    "None",
    "EntryPoint",
    "ExecuteUbergraph_A",
    "Opened",
    "KismetMathLibrary",
    "Less_IntInt",
    "KismetArrayLibrary",
    "Array_Get",
    "CallFunc_Array_Get_Item",
    "Temp_int_Loop_Counter_Variable",
    "LatentActionInfo",
    "Default__KismetArrayLibrary",
    "A_C",
    "Max Health_12_0123456789ABCDEF0123456789ABCDEF",
    "Function",
    "Opened",
];

fn name(index: u32) -> Name {
    Name { index, number: 0 }
}

/// A package with an event graph and an event, as far as their scripts need it.
fn package(release: &'static Release) -> Package {
    let import = |own, outer| Import { name: name(own), outer: PackageIndex(outer), ..Import::default() };
    let export = |own, outer| Export { name: name(own), outer: PackageIndex(outer), ..Export::default() };
    let mut package = Package {
        evidence: VersionEvidence::Given(release.name),
        names: NAMES.map(NameEntry::new).to_vec(),
        imports: vec![import(4, 0), import(5, -1), import(6, 0), import(7, -3), import(10, 0), import(11, 0)],
        exports: vec![export(12, 0), export(2, 1), export(3, 1)],
        ..Package::default()
    };
    package.form.versions = release.objects;
    package
}

/// Input: the release, the start of the event, and the script of an event graph.
pub(super) fn functions(data: &[u8]) {
    let Some(([release, entry, high], script)) = data.split_first_chunk::<3>() else { return };
    let release = RELEASES.get(usize::from(*release) % RELEASES.len());
    let Some(release) = release.and_then(|release| Release::from_name(release)) else { return };
    let entry = u16::from_le_bytes([*entry, *high]);
    // A token of a byte is an expression, a node, a line.
    bounded(script.len(), 2 << 10, || look(release, entry, script));
}

fn look(release: &'static Release, entry: u16, bytes: &[u8]) {
    let package = package(release);
    let scope = Scope::new(&package, &[], 0, Some(release));
    let (dialect, sizes) = (Dialect::of(&scope), TableSizes::of(&package));
    let symbols = Symbols::new(&package);
    // The size in memory is what a script of these bytes has, so that whole ones are common.
    let len = Script::parse(bytes, 0, &dialect, &sizes);
    let len = len.statements.iter().map(Expression::memory_len).fold(0, u32::saturating_add);
    let script = Script::parse(bytes, len, &dialect, &sizes);
    assert_eq!(script.to_bytes(), bytes, "nothing is lost");
    if script.is_complete() {
        let listing = Listing { script: &script, symbols: &symbols }.to_string();
        let assembled = assemble(&listing, &symbols, &dialect).expect("a listing can be assembled");
        assert_eq!(assembled, script, "a listing has everything");
        moved(&script, dialect, &sizes);
    }
    let call =
        [&[0x46, 2, 0, 0, 0, 0x1D][..], &u32::from(entry).to_le_bytes(), &[0x16, 4, 0x0B, 0x53]].concat();
    let event = Script::parse(&call, 18, &dialect, &sizes);
    let functions = [function(1, 2, script), function(2, 3, event)];
    let decompiler = Decompiler::new(&scope, &symbols, &functions);
    for function in &functions {
        assert!(!decompiler.decompile(function).text.is_empty());
    }
}

/// A moved script reads back as written, unless its jumps lead nowhere.
fn moved(script: &Script, dialect: Dialect, sizes: &TableSizes) {
    // Functions of autosaves have no script, not even its end.
    if script.statements.is_empty() {
        return;
    }
    let mut moved = script.clone();
    moved.statements.insert(0, Expression { at: u32::MAX, ..Expression::bare(Token::Nothing) });
    if moved.relocate().is_ok() {
        let again = Script::parse(&moved.to_bytes(), moved.memory_len, &dialect, sizes);
        assert_eq!(again, moved);
    }
}

fn function(export: u32, own: u32, script: Script) -> Function {
    Function {
        export,
        name: name(own),
        class: PackageIndex(1),
        overrides: PackageIndex::NONE,
        flags: Some(0),
        variables: Vec::new(),
        event: None,
        script,
        problem: None,
    }
}
