//! The native side: `uncask-web-bench RAW_LEN SKIP ROUNDS FILE` prints the sum, and the seconds of the fastest round.

use std::io::Write as _;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [raw_len, skip, rounds, file] = arguments.as_slice() else {
        return Err("expected RAW_LEN SKIP ROUNDS FILE".into());
    };
    let bytes = std::fs::read(file)?;
    let (raw_len, skip, rounds): (usize, usize, u32) = (raw_len.parse()?, skip.parse()?, rounds.parse()?);
    let stream = bytes.get(skip..).ok_or("the file is shorter than what is skipped")?;
    let sum = uncask_web_bench::decode(stream, raw_len, 1)?;
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        uncask_web_bench::decode(stream, raw_len, 1)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    writeln!(std::io::stdout(), "{sum} {best}")?;
    Ok(())
}
