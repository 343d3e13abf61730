//! `s3://`, with the server as a bucket's endpoint.

use super::{MAIN, demo, largest, local, snapshot};
use crate::support::cli::{self, Run};
use crate::support::server::{Manner, Server};

const SECRET: &str = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";

fn run(server: &Server, settings: &[(&str, &str)], args: &[&str]) -> Run {
    let mut command = cli::command();
    command.env("AWS_ENDPOINT", &server.url).env("AWS_ALLOW_HTTP", "true").env("AWS_REGION", "eu-north-1");
    cli::run(command.envs(settings.iter().copied()).args(args))
}

#[test]
fn a_bucket_for_everyone() {
    let server = demo("/bucket/Paks");
    let anonymous = [("AWS_SKIP_SIGNATURE", "true")];
    let url = format!("s3://bucket/Paks/{MAIN}.utoc");
    let there = run(&server, &anonymous, &["list", &url]).expect(0);
    assert_eq!(there.stdout, cli::uncask(["list", &local(MAIN)]).expect(0).stdout);
    run(&server, &anonymous, &["verify", &url, &largest(MAIN)]).expect(0);
    snapshot("s3_anonymous", &server.trace());
}

#[test]
fn keys_sign_requests_and_are_never_shown() {
    let server = demo("/bucket");
    let keys = [("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE"), ("AWS_SECRET_ACCESS_KEY", SECRET)];
    let url = format!("s3://bucket/{MAIN}.utoc");
    run(&server, &keys, &["list", &url]).expect(0);
    let asked = server.asked();
    assert!(asked.len() == 1 && asked[0].signed, "{asked:?}");
    let mut reported = String::new();
    for manner in [Manner::Status("403 Forbidden"), Manner::Status("404 Not Found")] {
        server.behave(".utoc", manner);
        reported += &run(&server, &keys, &["list", &url, "-v"]).expect(3).shown();
    }
    assert!(!reported.contains(SECRET) && !reported.contains(keys[0].1), "{reported}");
    snapshot("s3_errors", &reported);
}

#[test]
fn settings_that_make_no_sense_are_errors() {
    let server = demo("/bucket");
    let run = run(&server, &[("AWS_SKIP_SIGNATURE", "perhaps")], &["list", "s3://bucket/a.utoc"]).expect(3);
    assert!(server.asked().is_empty());
    snapshot("s3_settings", &run.shown());
}

#[test]
fn what_only_goes_to_a_disk_makes_no_folder_of_an_address() {
    let folder = tempfile::tempdir().unwrap();
    let demo = std::path::absolute("testdata/demo").unwrap();
    for args in [
        &["get", "@", "/Game/Maps/Start", "-o", "s3://bucket/x.umap"][..],
        &["catalog", "@", "-o", "s3://bucket/x"],
    ] {
        let mut command = cli::command();
        command.args(args.iter().map(|arg| arg.replace('@', demo.to_str().unwrap())));
        let run = cli::run(command.current_dir(folder.path()));
        assert_ne!(run.code, 0);
        assert!(
            cfg!(not(feature = "catalog")) || run.stderr.contains("not to an address"),
            "{}",
            run.shown()
        );
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
