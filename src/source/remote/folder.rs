//! Folders of a bucket: the containers below one, and addresses with wildcards.
//!
//! ```text
//! s3://builds/*/Paks     LIST builds/, by folder ─► s3://builds/1.0/Paks, s3://builds/1.1/Paks, …
//! s3://builds/1.0/Paks   LIST builds/1.0/Paks/   ─► …/pakchunk0.utoc, …/pakchunk0.pak, …
//! ```

use super::client::Client;
use super::{Pace, fault};
use crate::error::{Error, Result};
use crate::source::wildcards::name_matcher;
use crate::source::{Answers, address, answers};
use futures_util::StreamExt as _;
use object_store::ObjectStore;
use object_store::path::Path as ObjectPath;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most names that are listed for one address.
const MAX_NAMES: usize = 4 << 20;

/// Addresses of the `.utoc` and `.pak` files in a folder of a bucket, at any depth, sorted. Blocks until they are
/// known.
pub fn containers_below(url: &Path, answers: &Answers) -> Result<Vec<PathBuf>> {
    let text = url.to_string_lossy();
    if let Some((_, known)) = answers.find(&text, answers::containers) {
        return Ok(String::from_utf8_lossy(&known).lines().map(PathBuf::from).collect());
    }
    let shown = || PathBuf::from(address::without_secrets(&text));
    let (client, folder) = Client::of(&text).map_err(Error::io("open", shown()))?;
    let bucket = bucket_of(&text);
    let listed = client.wait(below(client.store(), folder, Pace::default()));
    let paths = listed.map_err(Error::io("list", shown()))?;
    let found: Vec<String> = paths.iter().map(|path| address_of(bucket, path)).collect();
    answers.keep(&text, answers::containers, None, found.join("\n").as_bytes());
    Ok(found.into_iter().map(PathBuf::from).collect())
}

/// Lists the containers at any depth.
async fn below(store: Arc<dyn ObjectStore>, folder: ObjectPath, pace: Pace) -> io::Result<Vec<String>> {
    let mut listed = store.list(Some(&folder));
    let (mut found, mut count) = (Vec::new(), 0);
    while let Some(meta) = pace.begin(async { listed.next().await.transpose() }).await? {
        let path = meta.location.as_ref();
        if address::is_container(path) {
            found.push(path.to_owned());
        }
        count += 1;
        if count > MAX_NAMES {
            return Err(too_many());
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Addresses in a bucket that match one with wildcards, sorted. Blocks until they are known.
pub(crate) fn listed_matches(url: &Path) -> Result<Vec<PathBuf>> {
    let text = url.to_string_lossy();
    let shown = || PathBuf::from(address::without_secrets(&text));
    if !address::is_listed(&text) {
        let problem = io::Error::new(io::ErrorKind::Unsupported, address::AddressProblem::NotContainer);
        return Err(Error::io("list", shown())(problem));
    }
    let bucket = bucket_of(&text);
    let pattern = text.get(bucket.len() + 1..).unwrap_or_default();
    let (client, _) = Client::of(bucket).map_err(Error::io("open", shown()))?;
    let matching = matching(client.store(), pattern.to_owned(), Pace::default());
    let found = client.wait(matching).map_err(Error::io("list", shown()))?;
    Ok(found.iter().map(|path| PathBuf::from(address_of(bucket, path))).collect())
}

/// Paths that match a pattern, folder by folder.
async fn matching(store: Arc<dyn ObjectStore>, pattern: String, pace: Pace) -> io::Result<Vec<String>> {
    let mut found = vec![String::new()];
    let names = pattern.split('/').filter(|name| !name.is_empty());
    let names: Vec<_> = names.map(|name| percent_decode_str(name).decode_utf8_lossy()).collect();
    for (at, name) in names.iter().enumerate() {
        // Only the last name can be that of a file.
        let is_last = at + 1 == names.len();
        let join = |folder: &str, name: &str| {
            if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
        };
        let Some(matcher) = name_matcher(name, false) else {
            found = found.iter().map(|folder| join(folder, name)).collect();
            continue;
        };
        let mut next = Vec::new();
        for folder in &found {
            let prefix = ObjectPath::parse(folder).map_err(io::Error::other)?;
            let listed = pace.begin(store.list_with_delimiter(Some(&prefix))).await?;
            let folders = listed.common_prefixes.iter();
            let files = listed.objects.iter().map(|meta| &meta.location).filter(|_| is_last);
            let fits = |path: &&ObjectPath| path.filename().is_some_and(|name| matcher.is_match(name));
            next.extend(folders.chain(files).filter(fits).map(ToString::to_string));
            if next.len() > MAX_NAMES {
                return Err(too_many());
            }
        }
        found = next;
    }
    found.sort_unstable();
    Ok(found)
}

/// Characters of names that an address has as codes, since they mean something else there.
const CODED: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#').add(b'\\');

/// The address of a path in a bucket.
fn address_of(bucket: &str, path: &str) -> String {
    format!("{bucket}/{}", utf8_percent_encode(path, CODED))
}

/// `s3://bucket` of an address.
fn bucket_of(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(start..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| start + at);
    url.get(..end).unwrap_or(url)
}

fn too_many() -> io::Error {
    fault::limit(format!("the list has more than {MAX_NAMES} names; name a folder further down"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use object_store::memory::InMemory;
    use object_store::{ObjectStoreExt as _, PutPayload};

    fn waited<T>(request: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(request)
    }

    fn bucket() -> Arc<dyn ObjectStore> {
        let store = InMemory::new();
        for path in
            ["b/1.0/Paks/a.utoc", "b/1.0/Paks/a.ucas", "b/1.0/Paks/x/p.PAK", "b/1.1/Paks/a.utoc", "b/n.pak"]
        {
            waited(store.put(&path.into(), PutPayload::from_static(b"x"))).unwrap();
        }
        Arc::new(store)
    }

    #[test]
    fn folders_have_containers_at_any_depth() {
        let found = |folder: &str| waited(below(bucket(), folder.into(), Pace::default())).unwrap();
        assert_eq!(found("b/1.0"), ["b/1.0/Paks/a.utoc", "b/1.0/Paks/x/p.PAK"]);
        assert_eq!(found("").len(), 4);
        assert!(found("b/1").is_empty(), "names are taken whole");
    }

    #[test]
    fn wildcards_stand_for_names() {
        let found = |pattern: &str| waited(matching(bucket(), pattern.into(), Pace::default())).unwrap();
        assert_eq!(found("b/*/Paks"), ["b/1.0/Paks", "b/1.1/Paks"]);
        assert_eq!(found("b/*/Paks/*.utoc"), ["b/1.0/Paks/a.utoc", "b/1.1/Paks/a.utoc"]);
        assert_eq!(found("b/?.0/"), ["b/1.0"]);
        assert_eq!(found("b/*"), ["b/1.0", "b/1.1", "b/n.pak"]);
        assert!(found("c/*/x").is_empty());
        assert_eq!(bucket_of("s3://b/x/y"), "s3://b");
        assert_eq!(bucket_of("s3://b"), "s3://b");
    }
}
