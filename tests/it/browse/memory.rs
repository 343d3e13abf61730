//! Memory of the server, however many ask at once.

use super::Page;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Edge of the picture, in pixels: 4 MiB.
const EDGE: u32 = 1024;
const BUDGET: &str = "64M";
/// Requests at once, more than a browser has connections.
const AT_ONCE: usize = 40;
/// Most memory in MiB: the budget, and what threads and their allocators have beside it.
const MOST: u64 = 64 + 80;

/// A mod of the demo whose texture is large.
fn large_texture(folder: &Path) {
    let picture = folder.join("rock.png");
    let mut encoder = png::Encoder::new(std::fs::File::create(&picture).unwrap(), EDGE, EDGE);
    encoder.set_color(png::ColorType::Rgba);
    let mut rng = crate::support::hostile::Rng::new(3);
    let pixels: Vec<u8> = (0..4 * EDGE * EDGE).map(|_| u8::try_from(rng.below(256)).unwrap()).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    let mut replace = Command::new(env!("CARGO_BIN_EXE_uncask"));
    let target = format!("{}:/Game/Textures/T_Rock", super::demo().display());
    replace.args(["-q", "replace", &target]).arg(&picture).arg("-o").arg(folder.join("Rock_P.utoc"));
    assert!(replace.status().unwrap().success());
}

/// A field of `/proc/PID/status`, in MiB.
fn status(process: u32, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[test]
fn forty_pictures_at_once_stay_within_the_budget() {
    let folder = tempfile::tempdir().unwrap();
    large_texture(folder.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_uncask"));
    command.args(["browse", "--no-open", "--no-recent", "--memory", BUDGET]).arg(folder.path());
    let mut served = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(served.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let page = Page::at(url.trim());
    assert_eq!(page.open(folder.path(), &[]).status, 200);
    let found = page.post("api/rows", &serde_json::json!({ "text": "T_Rock.uasset", "from": 0, "count": 1 }));
    let row = found.json()["rows"][0]["row"].as_u64().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let answer = page.get(&format!("api/download?row={row}&form=export"));
                assert!(answer.status == 200 && !answer.body.is_empty(), "{}", answer.status);
            });
        }
    });
    let (most, now) = (status(served.id(), "VmHWM"), status(served.id(), "VmRSS"));
    served.kill().unwrap();
    served.wait().unwrap();
    crate::support::say(&format!(
        "{AT_ONCE} pictures of {EDGE}² at once, --memory {BUDGET}: {most} MiB at most, {now} MiB after them"
    ));
    assert!(most < MOST, "{most} MiB");
}
