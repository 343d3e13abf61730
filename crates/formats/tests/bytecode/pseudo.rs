//! Pseudo-code of every function of the corpus.

use crate::set::{File, files, say};
use uncask_formats::bytecode::{Decompiler, Expression, Function, Script, ScriptJson, Symbols};

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
    assert!(plain * 1000 >= all * 995, "{plain} of {all}");
    assert!(loops >= 180 && awaits >= 230, "{loops} loops, {awaits} awaits");
}

/// A function of a file, by the end of the file's path and its name.
fn code(files: &[File], path: &str, name: &str) -> String {
    let file = files.iter().find(|file| file.path.ends_with(path)).unwrap();
    let scope = file.scope();
    let is_it = |function: &Function| scope.package.text(function.name).to_string() == name;
    Function::all(&scope).into_iter().find(is_it).unwrap().decompile(&scope).text
}

#[test]
fn branches_latent_calls_and_casts_read_as_in_the_sheet() {
    let Some(files) = files() else { return };
    assert_eq!(
        code(&files, "games/BlankGame55/BP_Test.uasset", "ReceiveBeginPlay"),
        "event ReceiveBeginPlay() {  // ExecuteUbergraph_BP_Test @0069, protected\n  \
         Create(this, WBP_Hello_C, null).AddToViewport(0)\n}\n"
    );
    let reload = code(&files, "Zombie/Zombie.uasset", "SC_Reload");
    let body: Vec<&str> = reload.lines().skip(1).collect();
    assert_eq!(
        body,
        [
            "  UpdateUsingRifle()",
            "  if (UsingRifle.CurrMag < UsingRifle.MaxMag) {",
            "    Reloading = true",
            "    PlayAnimMontage(@RifleMontage, 1.0, 'Reload')",
            "    await Delay(this, 2.5)",
            "    UsingRifle.FlushNetDormancy()",
            "    UsingRifle.CurrMag = UsingRifle.MaxMag",
            "    NetPushModelHelpers::MarkPropertyDirtyFromRepIndex(UsingRifle, 10, 'CurrMag')",
            "    await Delay(this, 0.5)",
            "    Reloading = false",
            "  }",
            "}",
        ],
        "{reload}"
    );
    let another = code(&files, "NPC_BP_2020-03-29-20-57-19.uasset", "AnotherBoxDisplayed");
    assert!(another.contains("  foreach (Array_Get_Item, int_Array_Index_Variable in "), "{another}");
    assert!(
        another.contains("    if (IsValid(Array_Get_Item)) {\n      AnyValid += 1\n    }\n"),
        "{another}"
    );
}

#[test]
fn json_has_every_statement_under_the_keys_of_fmodel() {
    let Some(files) = files() else { return };
    let mut count = 0;
    for file in &files {
        let scope = file.scope();
        for function in Function::all(&scope) {
            let json = serde_json::to_value(ScriptJson::new(&scope, &function)).unwrap();
            let list = json.as_array().unwrap();
            assert_eq!(list.len(), function.script.statements.len());
            for (json, statement) in list.iter().zip(&function.script.statements) {
                assert_eq!(json["Inst"], format!("EX_{}", statement.token.name()));
                assert_eq!(json["StatementIndex"], statement.at);
            }
            count += list.len();
        }
    }
    assert!(count > 30_000, "{count} statements");
    let file = files.iter().find(|file| file.path.ends_with("BlankGame55/BP_Test.uasset")).unwrap();
    let scope = file.scope();
    let stub = Function::all(&scope).into_iter().find(|function| function.script.memory_len == 18).unwrap();
    let json = serde_json::to_value(ScriptJson::new(&scope, &stub)).unwrap();
    let call = &json[0];
    assert_eq!(call["Function"]["ObjectName"], "Function'BP_Test_C:ExecuteUbergraph_BP_Test'");
    assert_eq!(call["Parameters"], serde_json::json!([{ "Inst": "EX_IntConst", "Value": 105 }]));
    assert_eq!(json[1]["Expression"], serde_json::json!({ "Inst": "EX_Nothing" }));
}

#[test]
fn damaged_scripts_are_written_as_far_as_they_go() {
    let Some(files) = files() else { return };
    let mut cases = 0_u32;
    for (number, file) in files.iter().enumerate().filter(|(number, _)| number % 8 == 0) {
        let scope = file.scope();
        let symbols = Symbols::new(scope.package);
        let (dialect, sizes) = (
            uncask_formats::bytecode::Dialect::of(&scope),
            uncask_formats::bytecode::TableSizes::of(scope.package),
        );
        let mut functions = Function::all(&scope);
        for round in 0..4_usize {
            for function in &mut functions {
                let mut bytes = function.script.to_bytes();
                let place = (round * 7919 + number * 31 + bytes.len() / 2) % bytes.len().max(1);
                if let Some(byte) = bytes.get_mut(place) {
                    *byte = byte.wrapping_add(u8::try_from(round + 1).unwrap());
                }
                let whole = Script::parse(&bytes, 0, &dialect, &sizes);
                let len = whole.statements.iter().map(Expression::memory_len).sum();
                function.script = Script::parse(&bytes, len, &dialect, &sizes);
                assert_eq!(function.script.to_bytes(), bytes);
                cases += 1;
            }
            let decompiler = Decompiler::new(&scope, &symbols, &functions);
            assert!(functions.iter().all(|function| !decompiler.decompile(function).text.is_empty()));
        }
    }
    assert!(cases > 500, "{cases}");
}
