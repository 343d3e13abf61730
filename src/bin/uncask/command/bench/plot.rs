//! Draws the figures as a picture: a bar per stage, and a curve per job. SVG is written as text, which needs no drawing
//! library.

use crate::bench::{BenchJob, BenchReport, JobLine, StageLine};
use std::fmt::Write as _;

const WIDTH: f64 = 900.0;
const BAR: f64 = 22.0;
const LABELS: f64 = 190.0;
const PLOT: f64 = WIDTH - LABELS - 110.0;
const CURVES: f64 = 260.0;
const COLOURS: [&str; 3] = ["#4e79a7", "#59a14f", "#e15759"];

/// Draws the report as an SVG file.
pub(super) fn svg(report: &BenchReport) -> String {
    let bars = BAR * as_f64(report.stages.len());
    let height = bars + CURVES + 150.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    text(&mut out, 10.0, 24.0, "start", "Stages on one thread, uncompressed GB/s (references in grey)");
    stages(&mut out, &report.stages, 40.0);
    let top = bars + 70.0;
    text(&mut out, 10.0, top, "start", "Whole jobs, uncompressed GB/s by number of threads");
    jobs(&mut out, &report.jobs, top + 20.0);
    out.push_str("</svg>\n");
    out
}

fn stages(out: &mut String, lines: &[StageLine], top: f64) {
    let rate = |line: &StageLine| line.measure.rate(line.raw_bytes) / 1e9;
    // A stage that takes no time would make all other bars invisible.
    let shown = |line: &&StageLine| line.name != "write to null";
    // At least 0.1, to avoid dividing by zero.
    let most = lines.iter().filter(shown).map(rate).fold(0.1, f64::max);
    for (at, line) in lines.iter().enumerate() {
        let (y, rate) = (top + BAR * as_f64(at), rate(line));
        let width = (rate / most).min(1.0) * PLOT;
        let colour = if line.reference { "#bab0ac" } else { COLOURS[0] };
        let name =
            line.method.map_or_else(|| line.name.to_owned(), |method| format!("{} {method}", line.name));
        text(out, LABELS - 8.0, y + 14.0, "end", &name);
        let bar = BAR - 5.0;
        let _ = writeln!(
            out,
            "<rect x=\"{LABELS}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{bar}\" fill=\"{colour}\"/>"
        );
        text(out, LABELS + width + 6.0, y + 14.0, "start", &format!("{rate:.2}"));
    }
}

fn jobs(out: &mut String, lines: &[JobLine], top: f64) {
    let bottom = top + CURVES;
    let threads = lines.iter().map(|line| line.threads).max().unwrap_or(1);
    let most = lines.iter().map(|line| line.raw_rate / 1e9).fold(0.1, f64::max);
    // A linear axis of threads: a job that scales is a straight line.
    let x = |threads_here: usize| LABELS + PLOT * as_f64(threads_here) / as_f64(threads);
    let y = |rate: f64| bottom - CURVES * rate / most;
    let _ = writeln!(
        out,
        "<path d=\"M{LABELS} {top} V{bottom} H{}\" fill=\"none\" stroke=\"black\"/>",
        LABELS + PLOT
    );
    for line in lines.iter().filter(|line| line.job == BenchJob::Decode) {
        text(out, x(line.threads), bottom + 18.0, "middle", &line.threads.to_string());
    }
    for (job, colour) in BenchJob::ALL.into_iter().zip(COLOURS) {
        let points: Vec<(f64, f64)> = lines
            .iter()
            .filter(|line| line.job == job)
            .map(|line| (x(line.threads), y(line.raw_rate / 1e9)))
            .collect();
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let path = path.join(" ");
        let _ = writeln!(
            out,
            "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        for (x, y) in &points {
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>");
        }
        let last = lines.iter().rfind(|line| line.job == job).map_or(0.0, |line| line.raw_rate / 1e9);
        if let Some((x, y)) = points.last() {
            text(out, x + 8.0, y + 4.0, "start", &format!("{} {last:.2}", job.name()));
        }
    }
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

fn as_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
