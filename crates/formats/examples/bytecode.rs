//! Functions of blueprints as pseudo-code: `bytecode FILE.uasset…`. With `--time`, what reading and writing them takes.

use std::io::Write as _;
use std::time::{Duration, Instant};
use uncask_formats::bytecode::{Decompiler, Dialect, Function, Script, Symbols, TableSizes};
use uncask_formats::package::legacy::Package;
use uncask_formats::property::Scope;

/// Rounds over each file for `--time`.
const ROUNDS: u32 = 20;

/// Time and bytes of reading and writing.
#[derive(Default)]
struct Times {
    functions: u32,
    bytes: usize,
    decode: Duration,
    decompile: Duration,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut out, mut times) = (std::io::stdout().lock(), Times::default());
    let is_timed = std::env::args().any(|argument| argument == "--time");
    for path in std::env::args().skip(1).filter(|argument| argument != "--time") {
        let header = std::fs::read(&path)?;
        let package = Package::parse_partial(&header, None)?.value;
        let (data, data_at) = match std::fs::read(std::path::Path::new(&path).with_extension("uexp")) {
            Ok(data) => (data, header.len() as u64),
            Err(_) => (header.clone(), 0),
        };
        let scope = Scope::new(&package, &data, data_at, None);
        let (symbols, functions) = (Symbols::new(&package), Function::all(&scope));
        if is_timed {
            times.add(&scope, &functions);
            continue;
        }
        let decompiler = Decompiler::new(&scope, &symbols, &functions);
        for function in &functions {
            writeln!(out, "{}", decompiler.decompile(function).text)?;
        }
    }
    if is_timed {
        let per_second = |time: Duration| f64::from(times.functions) / time.as_secs_f64();
        let kilobytes = f64::from(u32::try_from(times.bytes / 1000)?);
        let megabytes = kilobytes / 1e3 / times.decode.as_secs_f64();
        writeln!(
            out,
            "{} functions: {:.0} a second decoded ({megabytes:.1} MB/s), {:.0} a second decompiled",
            times.functions / ROUNDS,
            per_second(times.decode),
            per_second(times.decompile)
        )?;
    }
    Ok(())
}

impl Times {
    fn add(&mut self, scope: &Scope<'_>, functions: &[Function]) {
        let (dialect, sizes) = (Dialect::of(scope), TableSizes::of(scope.package));
        let scripts: Vec<Vec<u8>> = functions.iter().map(|function| function.script.to_bytes()).collect();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for (bytes, function) in scripts.iter().zip(functions) {
                let script = Script::parse(bytes, function.script.memory_len, &dialect, &sizes);
                assert!(script.is_complete());
                self.bytes += bytes.len();
                self.functions += 1;
            }
            self.decode += start.elapsed();
            let start = Instant::now();
            let symbols = Symbols::new(scope.package);
            let decompiler = Decompiler::new(scope, &symbols, functions);
            for function in functions {
                assert!(!decompiler.decompile(function).text.is_empty());
            }
            self.decompile += start.elapsed();
        }
    }
}
