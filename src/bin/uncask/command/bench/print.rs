//! Prints the figures as tables for people.

use crate::bench::{BenchReport, JobLine, StageLine};
use crate::printer::{self, Out, counted, size};

pub(super) fn report(report: &BenchReport, out: &mut Out) -> anyhow::Result<()> {
    let totals = &report.totals;
    writeln!(
        out,
        "{}, {}, {} raw, {} stored; {}, medians of {}",
        counted(totals.containers as u64, "container", "containers"),
        printer::chunks(totals.chunks),
        size(totals.raw_bytes),
        size(totals.stored_bytes),
        counted(report.cores as u64, "core", "cores"),
        counted(report.rounds.into(), "round", "rounds"),
    )?;
    writeln!(out)?;
    writeln!(
        out,
        "{:<24} {:>9} {:>7} {:>9} {:>9} {:>6} {:>8} {:>8}",
        "ONE THREAD", "TIME", "SPREAD", "GB/S RAW", "STORED", "SHARE", "/MEMCPY", "/READ"
    )?;
    for line in &report.stages {
        stage(line, out)?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "{:<8} {:>7} {:>9} {:>7} {:>9} {:>9} {:>8} {:>10} {:>11} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "JOB",
        "THREADS",
        "TIME",
        "SPREAD",
        "GB/S RAW",
        "STORED",
        "SPEED-UP",
        "EFFICIENCY",
        "FAULTS/GIB",
        "PEAK",
        "/MEMCPY",
        "/READ",
        "OF CP -R",
        "OF FLOOR"
    )?;
    for line in &report.jobs {
        job(line, out)?;
    }
    Ok(out.flush()?)
}

fn stage(line: &StageLine, out: &mut Out) -> anyhow::Result<()> {
    let name = line.method.map_or_else(|| line.name.to_owned(), |method| format!("{} {method}", line.name));
    // Parentheses mark references, which are no part of a job.
    let name = if line.reference { format!("({name})") } else { name };
    let measure = &line.measure;
    writeln!(
        out,
        "{name:<24} {:>8.3}s {:>6.0}% {:>9.2} {:>9.2} {:>6} {:>8.3} {:>8.3}",
        measure.seconds,
        measure.spread() * 100.0,
        measure.rate(line.raw_bytes) / GB,
        measure.rate(line.stored_bytes) / GB,
        line.share.map_or_else(|| "-".to_owned(), |share| format!("{:.0}%", share * 100.0)),
        line.of_memcpy,
        line.of_read,
    )?;
    Ok(())
}

fn job(line: &JobLine, out: &mut Out) -> anyhow::Result<()> {
    let dash = || "-".to_owned();
    let measure = &line.measure;
    writeln!(
        out,
        "{:<8} {:>7} {:>8.3}s {:>6.0}% {:>9.2} {:>9.2} {:>8} {:>9.0}% {:>11} {:>9} {:>8.3} {:>8.3} {:>8} {:>8}",
        line.job.name(),
        line.threads,
        measure.seconds,
        measure.spread() * 100.0,
        line.raw_rate / GB,
        line.stored_rate / GB,
        line.speedup.map_or_else(dash, |speedup| format!("{speedup:.2}")),
        line.efficiency * 100.0,
        line.faults_per_gib.map_or_else(dash, |faults| format!("{faults:.0}")),
        measure.peak.map_or_else(dash, size),
        line.of_memcpy,
        line.of_read,
        line.of_cp.map_or_else(dash, |ratio| format!("{ratio:.2}")),
        line.of_floor.map_or_else(dash, |ratio| format!("{ratio:.2}")),
    )?;
    Ok(())
}

const GB: f64 = 1e9;
