//! `list --tree`: prints folders with their totals.

use crate::printer::{Out, chunks, size};
use std::collections::BTreeMap;
use uncask::game::{Entry, Game};

/// The deepest folders drawn as branches. Anything deeper is drawn in the last one, with the rest of its path: lines
/// indented by thousands of folders help nobody, and there may be gigabytes of them.
const MAX_DEPTH: usize = 64;

#[derive(Default)]
struct Folder {
    folders: BTreeMap<String, Folder>,
    files: BTreeMap<String, u64>,
    bytes: u64,
    chunks: u64,
}

pub(super) fn print(game: &Game, entries: &[Entry], out: &mut Out) -> anyhow::Result<()> {
    let mut root = Folder::default();
    for entry in entries {
        let len = game.at(*entry).container().map_or(0, |container| container.table().chunk_len(entry.chunk));
        root.add(&game.at(*entry).display_path(), len);
    }
    writeln!(out, ".  {}, {}", size(root.bytes), chunks(root.chunks))?;
    print_folder(&root, out)
}

impl Folder {
    fn add(&mut self, path: &str, len: u64) {
        let mut folder = self;
        let mut rest = path;
        for depth in 0.. {
            // Every folder on the way counts the file, so totals need no second pass.
            folder.bytes += len;
            folder.chunks += 1;
            let Some((name, below)) = rest.split_once('/').filter(|_| depth < MAX_DEPTH) else { break };
            folder = folder.folders.entry(name.to_owned()).or_default();
            rest = below;
        }
        // Chunks that share a path are one line.
        *folder.files.entry(rest.to_owned()).or_default() += len;
    }
}

impl Drop for Folder {
    /// Drops the tree iteratively: a container decides how deep it is, and recursion could overflow the stack.
    fn drop(&mut self) {
        let mut rest: Vec<Self> = std::mem::take(&mut self.folders).into_values().collect();
        while let Some(mut folder) = rest.pop() {
            rest.extend(std::mem::take(&mut folder.folders).into_values());
        }
    }
}

/// Prints a folder iteratively, for the same reason: a container decides how deep its folders are.
fn print_folder(root: &Folder, out: &mut Out) -> anyhow::Result<()> {
    let mut stack = vec![(children(root), String::new())];
    while let Some((items, prefix)) = stack.last_mut() {
        let Some(item) = items.next() else {
            stack.pop();
            continue;
        };
        let last = items.peek().is_none();
        let branch = if last { "└── " } else { "├── " };
        let prefix = prefix.clone();
        match item {
            Item::Folder(name, folder) => {
                let (bytes, chunks) = (size(folder.bytes), chunks(folder.chunks));
                writeln!(out, "{prefix}{branch}{name}/  {bytes}, {chunks}")?;
                // The vertical line ends with the last item.
                let below = if last { "    " } else { "│   " };
                stack.push((children(folder), prefix + below));
            }
            Item::File(name, len) => writeln!(out, "{prefix}{branch}{name}  {}", size(len))?,
        }
    }
    Ok(())
}

enum Item<'a> {
    Folder(&'a str, &'a Folder),
    File(&'a str, u64),
}

type Items<'a> = std::iter::Peekable<Box<dyn Iterator<Item = Item<'a>> + 'a>>;

fn children(folder: &Folder) -> Items<'_> {
    let folders = folder.folders.iter().map(|(name, folder)| Item::Folder(name, folder));
    let files = folder.files.iter().map(|(name, len)| Item::File(name, *len));
    let all: Box<dyn Iterator<Item = Item<'_>> + '_> = Box::new(folders.chain(files));
    all.peekable()
}
