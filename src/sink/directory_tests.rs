use super::*;

fn put(sink: &DirectorySink, path: &str, bytes: &[u8]) -> Result<()> {
    let staged = sink.create(&OutputPath::sanitize(path), bytes.len() as u64)?;
    staged.write_at(0, bytes)?;
    staged.commit()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    let staged = sink.create(&OutputPath::sanitize("a/b.bin"), 4).unwrap();
    staged.write_at(2, b"yz").unwrap();
    staged.write_at(0, b"wx").unwrap();
    assert!(!folder.path().join("a/b.bin").exists());
    staged.commit().unwrap();
    assert_eq!(std::fs::read(folder.path().join("a/b.bin")).unwrap(), b"wxyz");

    drop(sink.create(&OutputPath::sanitize("a/dropped.bin"), 4).unwrap());
    assert_eq!(names(&folder.path().join("a")), ["b.bin"], "a dropped file leaves no trace");
}

#[test]
fn an_existing_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    put(&sink, "x", b"old and long").unwrap();
    put(&sink, "x", b"new").unwrap();
    assert_eq!(std::fs::read(folder.path().join("x")).unwrap(), b"new");
}

#[test]
fn paths_longer_than_the_system_takes_at_once_work() {
    let folder = tempfile::tempdir().unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    let deep = format!("{}/x", vec!["d".repeat(200); 30].join("/"));
    put(&sink, &deep, b"deep").unwrap();
    let mut found = String::new();
    io::Read::read_to_string(&mut sink.open_existing(&OutputPath::sanitize(&deep)).unwrap(), &mut found)
        .unwrap();
    assert_eq!(found, "deep");
}

#[cfg(unix)]
#[test]
fn a_symlink_that_leads_out_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    let error = put(&sink, "link/x", b"escaped").unwrap_err();
    assert!(error.to_string().starts_with("cannot create folder of"), "{error}");
    assert_eq!(names(outside.path()), Vec::<String>::new());

    let victim = outside.path().join("victim");
    std::fs::write(&victim, "safe").unwrap();
    std::os::unix::fs::symlink(&victim, folder.path().join("file")).unwrap();
    put(&sink, "file", b"replaced").unwrap();
    assert_eq!(std::fs::read(&victim).unwrap(), b"safe", "the link is replaced, not followed");
}

/// In a box of its own, such as a container of Docker, every process has the same number.
#[test]
fn what_a_process_of_the_same_number_left_is_in_nobodys_way() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join(format!(".uncask-{}-0.part", std::process::id()));
    std::fs::write(&left, "half").unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    put(&sink, "x", b"whole").unwrap();
    assert_eq!(std::fs::read(folder.path().join("x")).unwrap(), b"whole");
    assert_eq!(std::fs::read(left).unwrap(), b"half");
}

#[cfg(unix)]
#[test]
fn leftovers_of_ended_processes_are_removed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b");
    std::fs::create_dir_all(&deep).unwrap();
    let mut ended = std::process::Command::new("true").spawn().unwrap();
    ended.wait().unwrap();
    let parent = std::os::unix::process::parent_id();
    for (place, process) in [(&deep, ended.id()), (&deep, parent), (&outside.path().to_owned(), ended.id())] {
        std::fs::write(place.join(format!(".uncask-{process}-7.part")), "half").unwrap();
    }
    std::fs::write(folder.path().join(format!(".uncask-{}-1.part", std::process::id())), "half").unwrap();
    std::fs::write(deep.join(".uncask-notes"), "mine").unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    assert_eq!(sink.remove_leftovers(), 2);
    assert_eq!(names(&deep), [format!(".uncask-{parent}-7.part"), ".uncask-notes".to_owned()]);
    assert_eq!(names(folder.path()), ["a", "link"]);
    assert_eq!(names(outside.path()).len(), 1, "links are not followed");
}
