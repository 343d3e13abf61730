//! Changes of functions of cooked packages.

use crate::set::{File, files, say};
use uncask_formats::bytecode::{
    ChangedFunction, CodeEditor, CodeError, Dialect, Function, Listing, Script, Symbols, TableSizes, Token,
};
use uncask_formats::package::legacy::PackageIndex;
use uncask_formats::property::Scope;

/// The script of a changed function, read as a game does.
fn read(changed: &ChangedFunction, scope: &Scope<'_>) -> Script {
    let (dialect, sizes) = (Dialect::of(scope), TableSizes::of(scope.package));
    Script::parse(&changed.bytes, changed.memory_len, &dialect, &sizes)
}

/// A listing with a statement without effect after its first statement.
fn longer(listing: &str) -> String {
    let mut lines: Vec<&str> = listing.lines().collect();
    let is_statement = |line: &&str| line.split_once(' ').is_some_and(|(_, rest)| !rest.starts_with(' '));
    let second = lines.iter().skip(1).position(is_statement).unwrap() + 1;
    lines.insert(second, "FFFFFF00 Nothing");
    lines.join("\n")
}

/// The sheet's own proof of relocation: one statement more in each function.
#[test]
fn every_cooked_function_takes_one_more_statement_and_all_that_leads_into_it_follows() {
    let Some(files) = files() else { return };
    let (mut all, mut stubs) = (0, 0);
    for file in &files {
        let scope = file.scope();
        let (symbols, functions) = (Symbols::new(scope.package), Function::all(&scope));
        for function in &functions {
            let mut editor = match CodeEditor::new(&scope, &symbols, &functions) {
                Ok(editor) => editor,
                Err(CodeError::Uncooked) => break,
                Err(error) => panic!("{}: {error}", file.path),
            };
            let name = symbols.path(PackageIndex::export(function.export).unwrap()).unwrap();
            let listing = Listing { script: &function.script, symbols: &symbols }.to_string();
            editor.assemble(&name, &longer(&listing)).unwrap();
            let changed = editor.finish().unwrap_or_else(|error| panic!("{} {name}: {error}", file.path));
            let own = changed.iter().find(|changed| changed.export == function.export).unwrap();
            assert_eq!(own.memory_len, function.script.memory_len + 1, "{} {name}", file.path);
            let own = read(own, &scope);
            assert!(own.is_complete());
            assert_eq!(own.token_count(), function.script.token_count() + 1);
            // Only stubs of events change with a function, and only with an event graph: 5 in `Open(5)` is no place in `Open`.
            let is_graph = symbols.text(function.name).starts_with("ExecuteUbergraph_");
            assert!(is_graph || changed.len() == 1, "{} {name}: {} functions", file.path, changed.len());
            for stub in changed.iter().filter(|changed| changed.export != function.export) {
                let entry = read(stub, &scope);
                assert!(entry.is_complete());
                stubs += 1;
            }
            all += 1;
        }
    }
    say(&format!("{all} cooked functions are longer, {stubs} stubs of events followed"));
    assert_eq!((all, stubs), (656, 449));
}

fn cooked<'f>(files: &'f [File], end: &str) -> &'f File {
    files.iter().find(|file| file.path.ends_with(end)).unwrap()
}

#[test]
fn constants_conditions_and_statements_change_and_nothing_unsound_comes_out() {
    let Some(files) = files() else { return };
    let file = cooked(&files, "games/BlankGame55/BP_Test.uasset");
    let scope = file.scope();
    let (symbols, functions) = (Symbols::new(scope.package), Function::all(&scope));
    let editor = || CodeEditor::new(&scope, &symbols, &functions).unwrap();
    let place = |text: &str| text.parse().unwrap();
    // The number is where the event enters its graph: 106 is inside of a statement.
    let mut wrong = editor();
    let change = wrong.set(&place("receivebeginplay@0x9"), "106", Some("105")).unwrap();
    assert_eq!((&*change.from, &*change.to), ("105", "106"));
    let error = wrong.finish().unwrap_err().to_string();
    assert_eq!(error, "ExecuteUbergraph_BP_Test: an event enters it where no statement starts");
    let refused = |error: CodeError| error.to_string();
    let mut e = editor();
    assert_eq!(
        refused(e.set(&place("ReceiveBeginPlay@9"), "1", Some("104")).unwrap_err()),
        "ReceiveBeginPlay@0x0009: found 105, expected 104"
    );
    assert_eq!(
        refused(e.set(&place("ReceiveBeginPlay@0"), "1", None).unwrap_err()),
        "ReceiveBeginPlay@0x0000: found LocalFinalFunction, expected a constant or a conditional jump"
    );
    assert_eq!(
        refused(e.set(&place("ReceiveBeginPlay@9"), "x", None).unwrap_err()),
        "ReceiveBeginPlay@0x0009: found \"x\", expected a whole number of 32 bits"
    );
    assert_eq!(
        refused(e.remove(&place("ReceiveBeginPlay@0xF")).unwrap_err()),
        "ReceiveBeginPlay@0x000F: Return cannot be left out, since the flow depends on it"
    );
    assert_eq!(
        refused(e.remove(&place("ReceiveBeginPlay@0x1")).unwrap_err()),
        "ReceiveBeginPlay@0x0001: no statement starts there"
    );
    assert_eq!(
        refused(e.remove(&place("Open@0")).unwrap_err()),
        "there is no function Open; the package has ExecuteUbergraph_BP_Test, ReceiveBeginPlay"
    );
    // The same length in memory: 15 statements without effect.
    let mut e = editor();
    e.remove(&place("ReceiveBeginPlay@0")).unwrap();
    let changed = e.finish().unwrap();
    assert_eq!(changed.len(), 1);
    assert_eq!((changed[0].memory_len, changed[0].bytes.len()), (18, 18));
    assert!(changed[0].bytes.starts_with(&[0x0B; 15]));
    let script = read(&changed[0], &scope);
    assert_eq!(script.statements[15].token, Token::Return);
    // Nothing was changed, so nothing comes out.
    assert_eq!(editor().finish(), Ok(Vec::new()));
}

#[test]
fn functions_of_uncooked_packages_are_not_changed() {
    let Some(files) = files() else { return };
    let file = cooked(&files, "Zombie/Zombie.uasset");
    let scope = file.scope();
    let (symbols, functions) = (Symbols::new(scope.package), Function::all(&scope));
    let error = CodeEditor::new(&scope, &symbols, &functions).unwrap_err();
    assert_eq!(error, CodeError::Uncooked);
}

/// A call with a number is no entry of an event: only event graphs are entered.
#[test]
fn numbers_that_other_functions_take_stay_when_these_move() {
    let Some(files) = files() else { return };
    let file = cooked(&files, "games/BlankGame55/BP_Test.uasset");
    let scope = file.scope();
    let (symbols, functions) = (Symbols::new(scope.package), Function::all(&scope));
    let mut e = CodeEditor::new(&scope, &symbols, &functions).unwrap();
    let listing = |name: &str| {
        let function = functions.iter().find(|function| symbols.text(function.name) == name).unwrap();
        Listing { script: &function.script, symbols: &symbols }.to_string()
    };
    // The graph calls `ReceiveBeginPlay(15)`, and 15 is a place in that, which moves to 16.
    let call = "FFFFFF00 LocalFinalFunction \"BP_Test_C.ReceiveBeginPlay\"\nFFFFFF01   IntConst 15\n\
                FFFFFF02   EndFunctionParms\n";
    let graph = listing("ExecuteUbergraph_BP_Test");
    let (rest, end) = graph.split_at(graph.rfind("\n0").unwrap() + 1);
    e.assemble("ExecuteUbergraph_BP_Test", &format!("{rest}{call}{end}")).unwrap();
    e.assemble("ReceiveBeginPlay", &longer(&listing("ReceiveBeginPlay"))).unwrap();
    let changed = e.finish().unwrap();
    let [graph, event] = changed.as_slice() else { panic!("{changed:?}") };
    assert_eq!(event.memory_len, 19);
    let called = read(graph, &scope).statements.into_iter().rev().nth(1).unwrap();
    assert_eq!(called.items()[0].operands, [uncask_formats::bytecode::Operand::I32(15)]);
}
