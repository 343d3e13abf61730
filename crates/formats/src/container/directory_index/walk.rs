//! The walk along the links of a directory index.

use super::{Directory, DirectoryIndex, File, MAX_DEPTH, NONE, overlay};
use crate::wire::{Fault, FaultKind, MAX_PATH_LEN};

impl DirectoryIndex {
    /// Visits every directory once, from the root down, and notes where its files are.
    pub(super) fn walk(&mut self) {
        if self.parents.is_empty() {
            return;
        }
        let bytes = self.bytes.clone();
        let directories: &[Directory] = overlay(&bytes, &self.directories);
        let mut seen = vec![false; directories.len()];
        if let Some(root) = seen.first_mut() {
            *root = true;
        }
        let mut walked = Vec::with_capacity(directories.len());
        let mut stack = vec![(0_u32, 0_usize)];
        while let Some((at, depth)) = stack.pop() {
            let Some(directory) = directories.get(at as usize) else { continue };
            walked.push((at, directory.first_file.get()));
            let mut child = directory.first_child.get();
            while child != NONE {
                let Some(entry) = directories.get(child as usize) else {
                    self.problem("directory_link", FaultKind::out_of_range(child, directories.len()));
                    break;
                };
                match seen.get_mut(child as usize) {
                    Some(seen) if !*seen => *seen = true,
                    _ => {
                        self.problem("directory_link", FaultKind::Cycle { index: child.into() });
                        break;
                    }
                }
                self.check_name("directory_name", entry.name.get());
                if let Some(parent) = self.parents.get_mut(child as usize) {
                    *parent = at;
                }
                if depth + 1 < MAX_DEPTH {
                    stack.push((child, depth + 1));
                } else {
                    let (found, limit) = (depth as u64 + 1, MAX_DEPTH as u64 - 1);
                    self.problem("directory_depth", FaultKind::TooLarge { found, limit });
                }
                child = entry.next_sibling.get();
            }
        }
        let files = overlay(&bytes, &self.files);
        self.walk_files(&walked, files);
        self.name_chunks(files);
    }

    /// Notes the directory of every file that a chain of links leads to, given the first file of each directory.
    ///
    /// Writers add each file to one end of its directory's chain, so that its links all lead down the table, or all up.
    /// Going along the table both ways passes the directories on in the order of memory; following the chains one by
    /// one instead would wait for memory at each link, which takes ten times as long in a large table.
    fn walk_files(&mut self, first_files: &[(u32, u32)], files: &[File]) {
        for (directory, file) in first_files {
            self.link_file(*file, *directory, files.len());
        }
        let link = |file: u32| files.get(file as usize).map_or(NONE, |entry| entry.next_file.get());
        let count = u32::try_from(files.len()).unwrap_or(NONE);
        for file in (0..count).rev().filter(|file| link(*file) <= *file) {
            self.follow(file, link(file), files.len());
        }
        // Those that were reached upwards, and whose link leads down.
        let mut turned = Vec::new();
        for file in (0..count).filter(|file| link(*file) > *file) {
            let next = link(file);
            if self.follow(file, next, files.len()) && link(next) <= next {
                turned.push(next);
            }
        }
        for mut file in turned {
            while self.follow(file, link(file), files.len()) {
                file = link(file);
            }
        }
    }

    /// Gives the next file of a chain the directory of the one before; `false` if the chain ends here.
    fn follow(&mut self, file: u32, next: u32, count: usize) -> bool {
        let directory = self.file_directories.get(file as usize).copied().unwrap_or(NONE);
        directory != NONE && self.link_file(next, directory, count)
    }

    fn link_file(&mut self, file: u32, directory: u32, count: usize) -> bool {
        if file == NONE {
            return false;
        }
        match self.file_directories.get_mut(file as usize) {
            Some(place) if *place == NONE => {
                *place = directory;
                return true;
            }
            Some(_) => self.problem("file_link", FaultKind::Cycle { index: file.into() }),
            None => self.problem("file_link", FaultKind::out_of_range(file, count)),
        }
        false
    }

    /// Notes which file each chunk is.
    fn name_chunks(&mut self, files: &[File]) {
        for (at, file) in (0_u32..).zip(files) {
            if self.file_directories.get(at as usize).is_none_or(|directory| *directory == NONE) {
                continue;
            }
            self.check_name("file_name", file.name.get());
            let chunk = file.chunk.get();
            match self.chunk_files.get_mut(chunk as usize) {
                Some(place) if *place == NONE => *place = at,
                Some(_) => {}
                None => self.problem("file_chunk", FaultKind::out_of_range(chunk, self.chunk_files.len())),
            }
        }
    }

    fn check_name(&mut self, field: &'static str, name: u32) {
        match self.strings.get(name as usize) {
            None => self.problem(field, FaultKind::out_of_range(name, self.strings.len())),
            Some(&NONE) => self.problem(field, FaultKind::TooLong { limit: MAX_PATH_LEN as u64 }),
            Some(_) => {}
        }
    }

    /// Keeps the first few problems; a hostile file could have millions.
    fn problem(&mut self, field: &'static str, kind: FaultKind) {
        if self.problems.len() < 16 {
            self.problems.push(Fault { offset: self.directories.start as u64, field, kind });
        }
    }
}
