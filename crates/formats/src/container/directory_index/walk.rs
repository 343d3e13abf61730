//! Walk along the links of a directory index.

use super::{Directory, DirectoryIndex, File, MAX_DEPTH, NONE, overlay};
use crate::wire::{Fault, FaultKind, MAX_PATH_LEN};

impl DirectoryIndex {
    /// Visits every directory once, from the root down, and records the directories of files.
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
        // An explicit stack: the depth of a hostile tree must not exhaust the call stack.
        let mut stack = vec![(0_u32, 0_usize)];
        while let Some((at, depth)) = stack.pop() {
            let Some(directory) = directories.get(at as usize) else { continue };
            // Files follow in a second pass, when all directories are known.
            walked.push((at, directory.first_file.get()));
            let mut child = directory.first_child.get();
            while child != NONE {
                let Some(entry) = directories.get(child as usize) else {
                    self.problem("directory_link", FaultKind::out_of_range(child, directories.len()));
                    break;
                };
                // Every directory has one parent; a second link to it would close a cycle or share a subtree.
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
                // Deeper directories are not entered; their files stay without a path.
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

    /// Records the directory of every file reached by a chain of links, given the first file of each
    /// directory.
    ///
    /// Writers add each file to one end of its directory's chain, so that its links all lead down the table,
    /// or all up. Passing over the table in both directions processes the links in memory order; following
    /// the chains one by one would wait for memory at each link, which takes ten times as long in a large
    /// table.
    fn walk_files(&mut self, first_files: &[(u32, u32)], files: &[File]) {
        for (directory, file) in first_files {
            self.link_file(*file, *directory, files.len());
        }
        // The first pass takes the links that lead up the table, the second those that lead down.
        let link = |file: u32| files.get(file as usize).map_or(NONE, |entry| entry.next_file.get());
        let count = u32::try_from(files.len()).unwrap_or(NONE);
        for file in (0..count).rev().filter(|file| link(*file) <= *file) {
            self.follow(file, link(file), files.len());
        }
        // Files reached by an upward link whose own link leads down again.
        let mut turned = Vec::new();
        for file in (0..count).filter(|file| link(*file) > *file) {
            let next = link(file);
            if self.follow(file, next, files.len()) && link(next) <= next {
                turned.push(next);
            }
        }
        // Mixed chains, which no known writer makes, are followed link by link.
        for mut file in turned {
            while self.follow(file, link(file), files.len()) {
                file = link(file);
            }
        }
    }

    /// Assigns the directory of a file to the next one of its chain; returns false at the end of the chain.
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

    /// Records the file of each chunk.
    fn name_chunks(&mut self, files: &[File]) {
        for (at, file) in (0_u32..).zip(files) {
            if self.file_directories.get(at as usize).is_none_or(|directory| *directory == NONE) {
                continue;
            }
            self.check_name("file_name", file.name.get());
            let chunk = file.chunk.get();
            match self.chunk_files.get_mut(chunk as usize) {
                // If several files name one chunk, the first is its path.
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

    /// Records the first few problems; a hostile file could have millions.
    fn problem(&mut self, field: &'static str, kind: FaultKind) {
        if self.problems.len() < 16 {
            self.problems.push(Fault { offset: self.directories.start as u64, field, kind });
        }
    }
}
