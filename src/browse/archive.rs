//! A zip that is written front to back, of files that are stored as they are.
//!
//! The hash of a file is known only when all of it was written: it follows the data, and stands again in the list at the end.
//! Lengths and places of 4 GiB and more, and files from the 65,535th on, are in the records of Zip64 (PKWARE's APPNOTE.TXT, 4.3).

use std::io::{self, Write};

const LOCAL: u32 = 0x0403_4b50;
const DESCRIPTOR: u32 = 0x0807_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;

/// Versions of the format that have what is used here: none of it, and Zip64.
const PLAIN: u16 = 20;
const ZIP64: u16 = 45;

/// The hash and the lengths follow the data; names are UTF-8.
const FLAGS: u16 = 1 << 3 | 1 << 11;

/// 1 January 1980, the first day there is: no time is known that would mean anything.
const DATE: u16 = 1 << 5 | 1;

/// A regular file that all may read, of Unix.
const ATTRIBUTES: u32 = 0o100_644 << 16;

/// Writes a zip. What is written to it goes to the file that was started last.
pub(super) struct ZipStream<W> {
    out: W,
    /// Bytes that were written.
    at: u64,
    members: Vec<Member>,
    hasher: crc32fast::Hasher,
}

/// A file in it.
struct Member {
    name: String,
    start: u64,
    len: u64,
    hash: u32,
    /// Whether its lengths have eight bytes.
    is_large: bool,
}

impl<W: Write> ZipStream<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, at: 0, members: Vec::new(), hasher: crc32fast::Hasher::new() }
    }

    /// Starts a file of `len` bytes; fewer may be written.
    pub(super) fn start(&mut self, name: &str, len: u64) -> io::Result<()> {
        self.end_file()?;
        let is_large = len >= u64::from(u32::MAX);
        let member = Member { name: name.to_owned(), start: self.at, len: 0, hash: 0, is_large };
        let mut head = LOCAL.to_le_bytes().to_vec();
        member.describe(&mut head, if is_large { u32::MAX } else { 0 }, if is_large { 20 } else { 0 })?;
        head.extend(name.as_bytes());
        if is_large {
            // Says that the lengths after the data have eight bytes.
            head.extend([1, 0, 16, 0].into_iter().chain([0; 16]));
        }
        self.members.push(member);
        self.put(&head)
    }

    /// Writes the list of all files, and gives back what it was all written to.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.end_file()?;
        let (start, members) = (self.at, std::mem::take(&mut self.members));
        let mut list = Vec::new();
        for member in &members {
            member.list(&mut list)?;
            self.put(&list)?;
            list.clear();
        }
        let (count, end) = (members.len() as u64, self.at);
        let len = end - start;
        if count >= u64::from(u16::MAX) || end >= u64::from(u32::MAX) {
            list.extend(END_64.to_le_bytes());
            list.extend(44_u64.to_le_bytes());
            list.extend([ZIP64, ZIP64].into_iter().flat_map(u16::to_le_bytes));
            // The number of this disk, and of that with the list.
            list.extend([0; 8]);
            list.extend([count, count, len, start].into_iter().flat_map(u64::to_le_bytes));
            list.extend([LOCATOR_64, 0].into_iter().flat_map(u32::to_le_bytes));
            list.extend(end.to_le_bytes());
            list.extend(1_u32.to_le_bytes());
        }
        list.extend(END.to_le_bytes());
        list.extend([0; 4]);
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        list.extend([count, count].into_iter().flat_map(u16::to_le_bytes));
        list.extend([short(len), short(start)].into_iter().flat_map(u32::to_le_bytes));
        list.extend([0; 2]);
        self.put(&list)?;
        Ok(self.out)
    }

    /// Writes the hash and the lengths of the file that was written last.
    fn end_file(&mut self) -> io::Result<()> {
        let hash = std::mem::take(&mut self.hasher).finalize();
        let Some(member) = self.members.last_mut() else { return Ok(()) };
        member.hash = hash;
        let mut after = [DESCRIPTOR, hash].map(u32::to_le_bytes).concat();
        if member.is_large {
            after.extend([member.len, member.len].into_iter().flat_map(u64::to_le_bytes));
        } else {
            after.extend([short(member.len); 2].into_iter().flat_map(u32::to_le_bytes));
        }
        self.put(&after)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}

impl<W: Write> Write for ZipStream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(member) = self.members.last_mut() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let written = self.out.write(bytes)?;
        let bytes = bytes.get(..written).unwrap_or_default();
        self.hasher.update(bytes);
        (self.at, member.len) = (self.at + written as u64, member.len + written as u64);
        if !member.is_large && member.len >= u64::from(u32::MAX) {
            return Err(io::Error::other("a file is longer than it was said to be"));
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Member {
    /// What stands before the data, and again in the list: from the version to the length of what follows the name.
    fn describe(&self, out: &mut Vec<u8>, len: u32, extra: u16) -> io::Result<()> {
        let name_len = u16::try_from(self.name.len()).map_err(|_| io::ErrorKind::InvalidFilename)?;
        let version = if self.is_large || extra > 0 { ZIP64 } else { PLAIN };
        // Stored, at midnight.
        out.extend([version, FLAGS, 0, 0, DATE].into_iter().flat_map(u16::to_le_bytes));
        out.extend([self.hash, len, len].into_iter().flat_map(u32::to_le_bytes));
        out.extend([name_len, extra].into_iter().flat_map(u16::to_le_bytes));
        Ok(())
    }

    /// Its entry in the list.
    fn list(&self, out: &mut Vec<u8>) -> io::Result<()> {
        // Numbers that do not fit in four bytes, in this order.
        let long = [self.len, self.len, self.start].into_iter().filter(|number| short(*number) == u32::MAX);
        let long: Vec<u8> = long.flat_map(u64::to_le_bytes).collect();
        let extra = if long.is_empty() { 0 } else { 4 + u16::try_from(long.len()).unwrap_or_default() };
        out.extend(CENTRAL.to_le_bytes());
        // Made by Unix.
        out.extend((3 << 8 | ZIP64).to_le_bytes());
        self.describe(out, short(self.len), extra)?;
        // No comment; the first disk; binary data.
        out.extend([0; 6]);
        out.extend([ATTRIBUTES, short(self.start)].into_iter().flat_map(u32::to_le_bytes));
        out.extend(self.name.as_bytes());
        if extra > 0 {
            out.extend([1, extra - 4].into_iter().flat_map(u16::to_le_bytes));
            out.extend(long);
        }
        Ok(())
    }
}

/// A number in four bytes; all ones if it does not fit, and stands elsewhere.
fn short(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read as _, Seek as _};

    /// What another reader finds.
    fn read(zip: impl io::Read + io::Seek) -> Vec<(String, Vec<u8>)> {
        let mut zip = zip::ZipArchive::new(zip).unwrap();
        let count = zip.len();
        let file = |at| {
            let mut file = zip.by_index(at).unwrap();
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            (file.name().to_owned(), content)
        };
        (0..count).map(file).collect()
    }

    #[test]
    fn a_zip_byte_by_byte() {
        let mut zip = ZipStream::new(Vec::new());
        zip.start("a", 3).unwrap();
        zip.write_all(b"abc").unwrap();
        let bytes = zip.finish().unwrap();
        let expected = [
            &b"PK\x03\x04\x14\0\x08\x08\0\0\0\0\x21\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a"[..],
            b"abc",
            b"PK\x07\x08\xc2\x41\x24\x35\x03\0\0\0\x03\0\0\0",
            b"PK\x01\x02\x2d\x03\x14\0\x08\x08\0\0\0\0\x21\0\xc2\x41\x24\x35\x03\0\0\0\x03\0\0\0\x01\0\0\0",
            b"\0\0\0\0\0\0\0\0\xa4\x81\0\0\0\0a",
            b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x2f\0\0\0\x32\0\0\0\0\0",
        ];
        assert_eq!(bytes, expected.concat());
        assert_eq!(read(Cursor::new(bytes)), [("a".to_owned(), b"abc".to_vec())]);
        let empty = ZipStream::new(Vec::new()).finish().unwrap();
        assert_eq!(empty, [&b"PK\x05\x06"[..], &[0; 18]].concat());
        assert!(ZipStream::new(Vec::new()).write(b"no file").is_err());
    }

    #[test]
    fn many_files_and_names_that_are_not_ascii() {
        let mut zip = ZipStream::new(Vec::new());
        for number in 0..70_000 {
            zip.start(&format!("größe/{number}"), 4).unwrap();
            zip.write_all(&u32::to_le_bytes(number)).unwrap();
        }
        let found = read(Cursor::new(zip.finish().unwrap()));
        assert_eq!(found.len(), 70_000);
        assert_eq!(found[69_999], ("größe/69999".to_owned(), u32::to_le_bytes(69_999).to_vec()));
    }

    #[test]
    fn files_and_places_beyond_4_gib() {
        let mut zip = ZipStream::new(tempfile::tempfile().unwrap());
        zip.start("small", 2).unwrap();
        zip.write_all(b"ab").unwrap();
        // As if 5 GiB had been written to the next one; its data is a hole.
        zip.start("large", 5 << 30).unwrap();
        let len = 5_u64 << 30;
        zip.out.seek(io::SeekFrom::Current(5 << 30)).unwrap();
        (zip.at, zip.members[1].len) = (zip.at + len, len);
        zip.start("after", 3).unwrap();
        zip.write_all(b"end").unwrap();
        let mut found = zip::ZipArchive::new(zip.finish().unwrap()).unwrap();
        let sizes: Vec<_> = (0..3).map(|at| found.by_index(at).unwrap().size()).collect();
        assert_eq!(sizes, [2, 5 << 30, 3]);
        let mut content = String::new();
        found.by_name("after").unwrap().read_to_string(&mut content).unwrap();
        assert_eq!(content, "end");
        // A file that was said to be small.
        let mut zip = ZipStream::new(io::sink());
        zip.start("small", 2).unwrap();
        zip.members[0].len = u64::from(u32::MAX) - 1;
        assert!(zip.write(b"x").is_err());
    }
}
