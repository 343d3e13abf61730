//! Pseudo-code of every function of the corpus.

use crate::set::{files, say};
use uncask_formats::bytecode::{Decompiler, Function, Symbols};

#[test]
fn nearly_all_functions_need_no_goto() {
    let Some(files) = files() else { return };
    let dump = std::env::var_os("UNCASK_PSEUDO");
    let (mut all, mut plain, mut listings, mut gotos, mut loops, mut awaits) = (0, 0, 0, 0, 0, 0);
    for file in &files {
        let scope = file.scope();
        let symbols = Symbols::new(scope.package);
        let functions = Function::all(&scope);
        let decompiler = Decompiler::new(&scope, &symbols, &functions);
        for function in &functions {
            let code = decompiler.decompile(function);
            all += 1;
            plain += usize::from(code.is_structured && code.gotos == 0);
            listings += usize::from(!code.is_structured);
            gotos += code.gotos;
            loops += code.loops;
            awaits += code.awaits;
            if dump.is_some() {
                say(&format!("==== {} goto {}\n{}", file.path, code.gotos, code.text));
            }
        }
    }
    say(&format!(
        "{plain} of {all} without goto, {gotos} gotos, {loops} loops, {awaits} awaits, {listings} listings"
    ));
    assert_eq!(listings, 0);
    assert!(plain * 100 >= all * 97, "{plain} of {all}");
}
