//! Output into a bucket.
//!
//! ```text
//! LIST folder/                  once: lengths of what is there
//! PUT folder/a.uasset           a small file, whole
//! POST folder/a.ubulk?uploads   a large one: parts of 8 MiB, as they are complete, in any order
//! PUT …?partNumber=3&uploadId=…
//! POST …?uploadId=…             its name, once all parts are there
//! ```
//!
//! A bucket shows no object before it is whole, so nothing has a temporary name. A killed job leaves parts that
//! nobody sees but that take space: buckets have a rule that removes them after some days.

use super::bucket_file::{BucketFile, BucketPlace, Listed, ObjectReader};
use super::{Existing, OutputPath, Sink, Staged, Withdrawn};
use crate::error::{Error, Result};
use crate::source::{AddressProblem, Bucket, Client, describe_fault, is_listed, without_secrets};
use futures_util::StreamExt as _;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStoreExt as _, PutPayload};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Longest header that is put back if the files beside it cannot be written.
const MAX_WITHDRAWN: u64 = 64 << 20;

/// Writes objects below one folder of a bucket.
#[derive(Debug)]
pub struct BucketSink {
    place: BucketPlace,
    /// Path of the folder in the bucket.
    folder: String,
    /// Its address, for messages.
    url: PathBuf,
    /// Lengths of the objects in it.
    listed: Arc<Listed>,
    started_empty: bool,
}

impl BucketSink {
    /// Opens `s3://bucket/folder`, and lists what is in it. Keys, region and endpoint come from the environment, as for
    /// reading.
    pub fn open(url: &Path) -> Result<Self> {
        let text = url.to_string_lossy();
        let shown = PathBuf::from(without_secrets(&text));
        let refused = |problem: AddressProblem| {
            Error::io("open", &shown)(io::Error::new(io::ErrorKind::InvalidInput, problem))
        };
        if text != shown.to_string_lossy() {
            return Err(refused(AddressProblem::Extras));
        }
        let (client, folder) = Client::of(&text).map_err(Error::io("open", &shown))?;
        let bucket = client.bucket().filter(|_| is_listed(&text));
        let bucket = bucket.ok_or_else(|| refused(AddressProblem::NotWritable))?;
        Self::of(BucketPlace { client, bucket }, folder.as_ref(), shown)
    }

    fn of(place: BucketPlace, folder: &str, url: PathBuf) -> Result<Self> {
        let listed = place.client.wait(list(Arc::clone(&place.bucket), folder.to_owned()));
        let listed = listed.map_err(Error::io("list", &url))?;
        let started_empty = listed.is_empty();
        let (folder, listed) = (folder.to_owned(), Arc::new(Mutex::new(listed)));
        Ok(Self { place, folder, url, listed, started_empty })
    }

    /// Address of a file, for messages.
    fn address(&self, path: &OutputPath) -> PathBuf {
        let url = self.url.to_string_lossy();
        PathBuf::from(format!("{}/{}", url.trim_end_matches('/'), path.as_str()))
    }

    fn object(&self, path: &OutputPath) -> io::Result<ObjectPath> {
        let full =
            if self.folder.is_empty() { path.as_str().to_owned() } else { format!("{}/{path}", self.folder) };
        ObjectPath::parse(full).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
    }

    fn len_of(&self, object: &ObjectPath) -> Option<u64> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).get(object.as_ref()).copied()
    }
}

async fn list(bucket: Arc<dyn Bucket>, folder: String) -> io::Result<HashMap<String, u64>> {
    let folder = (!folder.is_empty()).then(|| ObjectPath::from(folder));
    let (mut objects, mut listed) = (bucket.list(folder.as_ref()), HashMap::new());
    while let Some(object) = objects.next().await {
        let object = object.map_err(describe_fault)?;
        listed.insert(object.location.to_string(), object.size);
    }
    Ok(listed)
}

impl Sink for BucketSink {
    fn create(&self, path: &OutputPath, len: u64) -> Result<Box<dyn Staged>> {
        let url = self.address(path);
        let object = self.object(path).map_err(Error::io("create", &url))?;
        Ok(Box::new(BucketFile::new(self.place.clone(), object, url, len, Arc::clone(&self.listed))))
    }

    fn started_empty(&self) -> bool {
        self.started_empty
    }

    fn exists(&self, path: &OutputPath) -> bool {
        self.object(path).is_ok_and(|object| self.len_of(&object).is_some())
    }

    fn withdraw(&self, path: &OutputPath) -> Result<Option<Box<dyn Withdrawn>>> {
        let url = self.address(path);
        let object = self.object(path).map_err(Error::io("open", &url))?;
        let Some(len) = self.len_of(&object) else { return Ok(None) };
        let (bucket, place, file) = (Arc::clone(&self.place.bucket), self.place.clone(), object.clone());
        let withdrawn = self.place.client.wait(async move {
            // Most headers are short; a longer one is gone if what is beside it fails, which the failure says.
            let mut kept = None;
            if len <= MAX_WITHDRAWN {
                let content = bucket.get(&file).await.map_err(describe_fault)?.bytes().await;
                kept = Some(content.map_err(describe_fault)?);
            }
            bucket.delete(&file).await.map_err(describe_fault)?;
            Ok(kept)
        });
        let kept = withdrawn.map_err(Error::io("remove", &url))?;
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).remove(object.as_ref());
        Ok(Some(Box::new(WithdrawnObject { place, object, content: kept.map(PutPayload::from_bytes) })))
    }

    fn existing(&self, path: &OutputPath) -> io::Result<Existing> {
        let object = self.object(path)?;
        let len = self.len_of(&object).ok_or(io::ErrorKind::NotFound)?;
        let content = ObjectReader::new(self.place.clone(), object, len);
        // Nobody edits an object in its place.
        Ok(Existing { len, is_untouched: true, content: Box::new(content) })
    }
}

/// Object that was removed, with its content.
struct WithdrawnObject {
    place: BucketPlace,
    object: ObjectPath,
    content: Option<PutPayload>,
}

impl Withdrawn for WithdrawnObject {
    fn restore(self: Box<Self>) -> io::Result<()> {
        let Self { place: BucketPlace { client, bucket }, object, content } = *self;
        let content = content.ok_or(io::ErrorKind::FileTooLarge)?;
        client.wait(async move { bucket.put(&object, content).await.map_err(describe_fault).map(|_| ()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::{Overwrite, PutOutcome, put, put_together};

    fn bucket(client: &Arc<Client>, folder: &str) -> BucketSink {
        let place = BucketPlace { client: Arc::clone(client), bucket: client.bucket().unwrap() };
        BucketSink::of(place, folder, format!("s3://b/{folder}").into()).unwrap()
    }

    fn read(sink: &BucketSink, path: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        sink.existing(&OutputPath::sanitize(path)).unwrap().content.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn parts_arrive_in_any_order() {
        let client = Client::in_memory();
        let sink = bucket(&client, "out");
        assert!(sink.started_empty());
        let bytes: Vec<u8> = (0..20_000_003_u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
        let path = OutputPath::sanitize("a/large.bin");
        let file = sink.create(&path, bytes.len() as u64).unwrap();
        let pieces: Vec<(usize, &[u8])> = bytes.chunks(3_000_001).enumerate().collect();
        for (at, piece) in pieces.iter().rev() {
            file.write_at(*at as u64 * 3_000_001, piece).unwrap();
            assert!(!sink.exists(&path));
        }
        file.commit().unwrap();
        assert!(read(&sink, "a/large.bin") == bytes);
        let again = bucket(&client, "out");
        assert!(!again.started_empty() && again.exists(&path));
        assert!(again.existing(&path).unwrap().has(16_000_000, &bytes[16_000_000..16_000_100]));
    }

    #[test]
    fn the_length_need_not_be_known() {
        for len in [0, 10, 8 << 20, 20 << 20] {
            let sink = bucket(&Client::in_memory(), "out");
            let bytes = vec![7; len];
            let file = sink.create(&OutputPath::sanitize("x"), 0).unwrap();
            for (at, piece) in bytes.chunks(5_000_000).enumerate() {
                file.write_at(at as u64 * 5_000_000, piece).unwrap();
            }
            file.commit().unwrap();
            assert!(read(&sink, "x") == bytes, "{len}");
        }
    }

    #[test]
    fn what_is_not_committed_is_not_there() {
        let client = Client::in_memory();
        let sink = bucket(&client, "");
        for len in [5_u64, 9 << 20] {
            let file = sink.create(&OutputPath::sanitize("x"), len).unwrap();
            file.write_at(0, &vec![1; usize::try_from(len).unwrap()]).unwrap();
            drop(file);
            assert!(bucket(&client, "").started_empty());
        }
    }

    #[test]
    fn a_cut_file_is_an_error() {
        let sink = bucket(&Client::in_memory(), "out");
        for len in [5_u64, 9 << 20] {
            let file = sink.create(&OutputPath::sanitize("x"), len).unwrap();
            file.write_at(0, &[1; 4]).unwrap();
            assert!(file.commit().is_err());
            assert!(!sink.exists(&OutputPath::sanitize("x")));
        }
    }

    #[test]
    fn existing_objects_follow_the_setting() {
        let client = Client::in_memory();
        let path = OutputPath::sanitize("x/y");
        let written = |bytes: &[u8], overwrite| put(&bucket(&client, "o"), &path, bytes, overwrite).unwrap();
        assert_eq!(written(b"one", Overwrite::Never), PutOutcome::Written);
        assert_eq!(written(b"one", Overwrite::Different), PutOutcome::Unchanged);
        assert_eq!(written(b"two", Overwrite::Never), PutOutcome::Kept);
        assert_eq!(written(b"two", Overwrite::Untouched), PutOutcome::Written);
        assert_eq!(read(&bucket(&client, "o"), "x/y"), b"two");
        let paths = ["A.uasset", "A.uexp"].map(OutputPath::sanitize);
        for text in [&b"old"[..], b"new"] {
            let files = paths.each_ref().map(|path| (path, text));
            assert_eq!(
                put_together(&bucket(&client, "o"), &files, Overwrite::Always).unwrap(),
                PutOutcome::Written
            );
        }
        assert_eq!(read(&bucket(&client, "o"), "A.uasset"), b"new");
    }

    #[test]
    fn a_header_comes_back() {
        let client = Client::in_memory();
        let sink = bucket(&client, "");
        let path = OutputPath::sanitize("A.uasset");
        assert!(sink.withdraw(&path).unwrap().is_none());
        put(&sink, &path, b"old", Overwrite::Always).unwrap();
        let withdrawn = sink.withdraw(&path).unwrap().unwrap();
        assert!(bucket(&client, "").started_empty());
        withdrawn.restore().unwrap();
        assert_eq!(read(&bucket(&client, ""), "A.uasset"), b"old");
    }
}
