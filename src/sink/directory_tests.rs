use super::*;

fn put(sink: &DirectorySink, path: &str, bytes: &[u8]) -> Result<()> {
    let staged = sink.create(&OutputPath::sanitize(path), bytes.len() as u64)?;
    staged.write_at(0, bytes)?;
    staged.commit()
}

/// Opens a sink whose files all have temporary names first.
fn named(folder: &Path) -> DirectorySink {
    let sink = DirectorySink::open(folder).unwrap();
    sink.run.name_all();
    sink
}

/// Opens both kinds of sinks, each with its own folder. On systems without unnamed files, they are alike.
fn both() -> [(tempfile::TempDir, DirectorySink); 2] {
    let opens: [fn(&Path) -> DirectorySink; 2] = [|path| DirectorySink::open(path).unwrap(), named];
    opens.map(|open| {
        let folder = tempfile::tempdir().unwrap();
        let sink = open(folder.path());
        (folder, sink)
    })
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
    for (folder, sink) in both() {
        let staged = sink.create(&OutputPath::sanitize("a/b.bin"), 4).unwrap();
        staged.write_at(2, b"yz").unwrap();
        staged.write_at(0, b"wx").unwrap();
        assert!(!folder.path().join("a/b.bin").exists());
        staged.commit().unwrap();
        assert_eq!(std::fs::read(folder.path().join("a/b.bin")).unwrap(), b"wxyz");

        drop(sink.create(&OutputPath::sanitize("a/dropped.bin"), 4).unwrap());
        assert_eq!(names(&folder.path().join("a")), ["b.bin"], "a dropped file leaves no trace");
    }
}

#[test]
fn an_existing_file_is_replaced() {
    for (folder, sink) in both() {
        put(&sink, "x", b"old and long").unwrap();
        put(&sink, "x", b"new").unwrap();
        assert_eq!(std::fs::read(folder.path().join("x")).unwrap(), b"new");
        drop(sink);
        assert_eq!(names(folder.path()), ["x"]);
    }
}

/// Neither during writing nor after a kill does anything need cleaning up.
#[cfg(target_os = "linux")]
#[test]
fn a_file_without_a_name_leaves_no_trace_on_its_way() {
    let folder = tempfile::tempdir().unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    if !sink.run.goes_unnamed() {
        return;
    }
    let staged = sink.create(&OutputPath::sanitize("x"), 1).unwrap();
    assert_eq!(names(folder.path()), [""; 0]);
    staged.commit().unwrap();
    assert_eq!(names(folder.path()), ["x"]);
}

#[test]
fn paths_longer_than_the_system_takes_at_once_work() {
    let folder = tempfile::tempdir().unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    let deep = format!("{}/x", vec!["d".repeat(200); 30].join("/"));
    put(&sink, &deep, b"deep").unwrap();
    let mut found = String::new();
    io::Read::read_to_string(&mut sink.find(&OutputPath::sanitize(&deep)).unwrap().0, &mut found).unwrap();
    assert_eq!(found, "deep");
}

#[cfg(unix)]
#[test]
fn a_symlink_that_leads_out_is_not_followed() {
    for (folder, sink) in both() {
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        let error = put(&sink, "link/x", b"escaped").unwrap_err();
        assert!(error.to_string().starts_with("cannot create folder of"), "{error}");
        assert_eq!(names(outside.path()), Vec::<String>::new());

        let victim = outside.path().join("victim");
        std::fs::write(&victim, "safe").unwrap();
        std::os::unix::fs::symlink(&victim, folder.path().join("file")).unwrap();
        put(&sink, "file", b"replaced").unwrap();
        assert_eq!(std::fs::read(&victim).unwrap(), b"safe", "the link is replaced, not followed");
    }
}

const ID: &str = "0123456789abcdef0123456789abcdef";

/// Creates the remains of a killed run: unfinished files, and an unlocked lock.
fn leave(root: &Path, id: &str, unfinished: &[&str]) {
    std::fs::write(root.join(format!(".uncask-{id}.lock")), "").unwrap();
    for (number, folder) in unfinished.iter().enumerate() {
        std::fs::write(root.join(folder).join(format!(".uncask-{id}-{number}.part")), "half").unwrap();
    }
}

#[test]
fn a_lock_lasts_from_the_first_file_to_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let ends = |end: &str| names(folder.path()).iter().filter(|name| name.ends_with(end)).count();
    let sink = named(folder.path());
    assert!(sink.existing(&OutputPath::sanitize("x")).is_err());
    assert_eq!(names(folder.path()), [""; 0], "reading alone leaves no trace");
    let staged = sink.create(&OutputPath::sanitize("x"), 1).unwrap();
    assert_eq!((ends(".lock"), ends(".part"), names(folder.path()).len()), (1, 1, 2));
    drop(sink);
    assert_eq!(ends(".lock"), 1, "a file may outlive its sink");
    staged.commit().unwrap();
    drop(staged);
    assert_eq!(names(folder.path()), ["x"]);
}

#[test]
fn nobody_has_the_names_of_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let sinks = [0; 2].map(|_| named(folder.path()));
    let staged = sinks.each_ref().map(|sink| sink.create(&OutputPath::sanitize("x"), 4).unwrap());
    assert_eq!(names(folder.path()).len(), 4, "two locks, two files");
    staged[0].write_at(0, b"one ").unwrap();
    staged[1].write_at(0, b"two ").unwrap();
    staged[0].commit().unwrap();
    assert_eq!(std::fs::read(folder.path().join("x")).unwrap(), b"one ");
    staged[1].commit().unwrap();
    assert_eq!(std::fs::read(folder.path().join("x")).unwrap(), b"two ");
}

/// A run on another machine, which does not see the lock, might do this.
#[test]
fn a_file_that_was_removed_does_not_get_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let sink = named(folder.path());
    let staged = sink.create(&OutputPath::sanitize("x"), 1).unwrap();
    let mut names = names(folder.path()).into_iter();
    let unfinished = names.find(|name| !name.contains("lock")).unwrap();
    std::fs::remove_file(folder.path().join(&unfinished)).unwrap();
    let error = staged.commit().unwrap_err().to_string();
    assert!(error.contains(&format!("{unfinished}, its temporary file, was removed")), "{error}");
    assert!(!folder.path().join("x").exists());
}

#[test]
fn leftovers_of_ended_runs_are_removed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    let [ended, inner, alone] = ["0", "1", "2"].map(|digit| digit.repeat(32));
    leave(root, &ended, &["", "a/b", "a/b"]);
    // A run that wrote into `a`; and one whose lock is further up, out of sight, or was removed.
    leave(&root.join("a"), &inner, &["b"]);
    leave(root, &alone, &["a"]);
    std::fs::remove_file(root.join(format!(".uncask-{alone}.lock"))).unwrap();
    // A run that is still active.
    let busy = named(root);
    let staged = busy.create(&OutputPath::sanitize("a/b/x"), 1).unwrap();
    std::fs::write(root.join("a/b/.uncask-notes"), "mine").unwrap();
    // A run that was killed before it had its lock.
    std::fs::write(root.join(format!(".uncask-{ID}.new")), "").unwrap();

    let sink = DirectorySink::open(root).unwrap();
    assert_eq!(sink.remove_leftovers(), 4);
    assert_eq!(names(&root.join("a")), [format!(".uncask-{alone}-0.part"), "b".to_owned()]);
    assert_eq!(names(&root.join("a/b")).len(), 2, "the notes, and the file on its way");
    assert_eq!(names(root).len(), 2, "the lock of the run that goes on, and a");
    assert_eq!(sink.remove_leftovers(), 0);
    staged.commit().unwrap();
    drop((staged, busy));
    assert_eq!(names(root), ["a"]);
    assert!(root.join("a/b/x").exists());
}

#[cfg(unix)]
#[test]
fn leftovers_behind_links_and_locks_that_are_no_files_stay() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    leave(outside.path(), ID, &["", ""]);
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    let lock = format!(".uncask-{ID}.lock");
    let unfinished = folder.path().join(format!(".uncask-{ID}-9.part"));
    std::fs::write(&unfinished, "half").unwrap();
    let sink = DirectorySink::open(folder.path()).unwrap();
    std::os::unix::fs::symlink(outside.path().join(&lock), folder.path().join(&lock)).unwrap();
    assert_eq!(sink.remove_leftovers(), 0, "a link is no lock");
    std::fs::remove_file(folder.path().join(&lock)).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join(&lock)).status().unwrap().success());
    assert_eq!(sink.remove_leftovers(), 0, "nor is a FIFO, and nobody waits for it");
    assert!(unfinished.exists());
    assert_eq!(names(outside.path()).len(), 3, "links are not followed");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_told_at_once_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (fifo, path) = (folder.path().join("fifo"), OutputPath::sanitize("fifo"));
    let sink = DirectorySink::open(folder.path()).unwrap();
    put(&sink, "other", b"x").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    assert!(sink.exists(&path));
    let error = sink.existing(&path).err().unwrap();
    assert_eq!(error.to_string(), "is a FIFO, not a regular file");
    put(&sink, "fifo", b"whole").unwrap();
    assert_eq!(std::fs::read(&fifo).unwrap(), b"whole");

    std::fs::create_dir(folder.path().join("folder")).unwrap();
    assert!(!sink.exists(&OutputPath::sanitize("folder")));
    let error = put(&sink, "folder", b"x").unwrap_err().to_string();
    assert!(error.starts_with("cannot rename to: Is a directory"), "{error}");
    assert_eq!(names(folder.path()).len(), 4, "and no trace but the lock");
}
