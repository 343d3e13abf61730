//! Ogg container: packets of a codec in pages.
//!
//! ```text
//! page    OggS │ u8 0 │ u8 flags │ i64 granule │ u32 serial │ u32 sequence │ u32 CRC │ u8 n │ n lengths │ bytes
//! packet  lengths of 255, then one below 255, which may be 0
//! ```
//!
//! Source: RFC 3533. The checksums were compared with those of real Ogg Vorbis files.

/// Number of lengths that fit into a page.
const MAX_LENGTHS: usize = 255;
/// Largest piece of a packet that one length describes.
const MAX_PIECE: usize = 255;

/// Writer that puts packets into an Ogg file.
#[derive(Debug)]
pub(super) struct OggWriter {
    out: Vec<u8>,
    serial: u32,
    sequence: u32,
    page: Page,
}

/// Page under construction.
#[derive(Debug, Default)]
struct Page {
    /// True if it starts with the rest of a packet from the page before.
    is_continued: bool,
    lengths: Vec<u8>,
    bytes: Vec<u8>,
    /// Position at the end of the last packet that ends in this page; `None` if none does.
    granule: Option<u64>,
}

impl OggWriter {
    /// Empty stream. Streams in one file need different serial numbers.
    pub(super) fn new(serial: u32) -> Self {
        Self { out: Vec::new(), serial, sequence: 0, page: Page::default() }
    }

    /// Adds a packet that ends at `granule`, a position in the codec's own units.
    pub(super) fn packet(&mut self, packet: &[u8], granule: u64) {
        // A length below 255 ends a packet, so one of 510 bytes needs a third length, 0.
        let last = packet.len() / MAX_PIECE;
        for (index, piece) in packet.chunks(MAX_PIECE).chain([&[][..]]).take(last + 1).enumerate() {
            // A full page ends in the middle of the packet; its granule is that of packets before.
            if self.page.lengths.len() == MAX_LENGTHS {
                self.end_page(false);
                self.page.is_continued = index > 0;
            }
            self.page.lengths.push(u8::try_from(piece.len()).unwrap_or(u8::MAX));
            self.page.bytes.extend_from_slice(piece);
        }
        self.page.granule = Some(granule);
    }

    /// Ends the page, so that the next packet starts a new one.
    pub(super) fn break_page(&mut self) {
        if !self.page.lengths.is_empty() {
            self.end_page(false);
        }
    }

    /// Ends the stream, and returns the file.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.end_page(true);
        self.out
    }

    fn end_page(&mut self, is_last: bool) {
        let page = std::mem::take(&mut self.page);
        let is_first = self.sequence == 0;
        // Bit 0: continued packet; bit 1: first page; bit 2: last page.
        let flags = u8::from(page.is_continued) | u8::from(is_first) << 1 | u8::from(is_last) << 2;
        let start = self.out.len();
        self.out.extend_from_slice(b"OggS\0");
        self.out.push(flags);
        // -1 marks a page in which no packet ends.
        self.out.extend_from_slice(&page.granule.unwrap_or(u64::MAX).to_le_bytes());
        self.out.extend_from_slice(&self.serial.to_le_bytes());
        self.out.extend_from_slice(&self.sequence.to_le_bytes());
        let head = self.out.get(start..).unwrap_or_default();
        let count = [u8::try_from(page.lengths.len()).unwrap_or(u8::MAX)];
        // The checksum covers the page with its own field set to zero.
        let sum = checksum(&[head, &[0; 4], &count, &page.lengths, &page.bytes]);
        self.out.extend_from_slice(&sum.to_le_bytes());
        self.out.extend_from_slice(&count);
        self.out.extend_from_slice(&page.lengths);
        self.out.extend_from_slice(&page.bytes);
        self.sequence += 1;
    }
}

/// Returns the CRC-32 with polynomial 0x04C11DB7, highest bit first, initial value 0, without a final
/// inversion.
pub(super) fn checksum(parts: &[&[u8]]) -> u32 {
    parts.iter().flat_map(|part| part.iter()).fold(0, |sum: u32, byte| {
        let row = usize::from(sum.to_be_bytes()[0] ^ byte);
        sum << 8 ^ ROWS.get(row).copied().unwrap_or_default()
    })
}

const ROWS: [u32; 256] = rows();

#[expect(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "computed by the compiler")]
const fn rows() -> [u32; 256] {
    let mut rows = [0; 256];
    let mut row = 0;
    while row < rows.len() {
        let (mut sum, mut bit) = ((row as u32) << 24, 0);
        while bit < 8 {
            sum = if sum >> 31 == 1 { sum << 1 ^ 0x04C1_1DB7 } else { sum << 1 };
            bit += 1;
        }
        rows[row] = sum;
        row += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_posix_polynomial() {
        // CRC-32/CKSUM of "123456789" is 0x765E7680 with its bits inverted at the end: 0x89A1897F without.
        assert_eq!(checksum(&[b"1234", b"56789"]), 0x89A1_897F);
    }

    #[test]
    fn a_packet_of_whole_pieces_ends_with_an_empty_one() {
        let mut ogg = OggWriter::new(7);
        ogg.packet(&[1; 510], 960);
        let bytes = ogg.finish();
        assert_eq!(&bytes[..14], b"OggS\0\x06\xC0\x03\0\0\0\0\0\0");
        assert_eq!(&bytes[14..22], b"\x07\0\0\0\0\0\0\0");
        assert_eq!(&bytes[26..30], b"\x03\xFF\xFF\0");
        assert_eq!(bytes.len(), 30 + 510);
    }

    #[test]
    fn a_packet_that_no_page_can_hold_goes_on_in_the_next() {
        let mut ogg = OggWriter::new(0);
        ogg.packet(&vec![2; 255 * 255 + 1], 5);
        let bytes = ogg.finish();
        let (first, second) = bytes.split_at(27 + 255 + 255 * 255);
        // No packet ends on the first page: its granule is −1.
        assert_eq!(&first[..14], b"OggS\0\x02\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
        assert_eq!(&second[..14], b"OggS\0\x05\x05\0\0\0\0\0\0\0");
        assert_eq!(&second[26..], b"\x01\x01\x02");
    }
}
