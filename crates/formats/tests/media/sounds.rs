use crate::files::{Case, cases, chunk, corpus, sha256};
use std::path::Path;
use uncask_formats::asset::sound::{AudioFile, Codec, Facts, Sound, Wave};
use uncask_formats::asset::{Asset, FoundAsset};

/// The audio of a case, joined as its payload says.
fn audio(corpus: &Path, case: &Case, found: &FoundAsset<'_>) -> Vec<u8> {
    let sound = sound(found);
    let [encoding] = sound.encodings.as_slice() else { panic!("{}: {}", case.name, sound.encodings.len()) };
    assert_eq!(Some(&*encoding.format), case.expected["format"].as_str(), "{}", case.name);
    let package = case.expected["package"].as_str().unwrap();
    let beside = chunk(corpus, case.cook, &package.replace(".uasset", ".ubulk"));
    let expected = case.expected["chunks"].as_array().unwrap();
    assert_eq!(encoding.chunks.len(), expected.len(), "{}", case.name);
    let mut joined = Vec::new();
    for (chunk, expected) in encoding.chunks.iter().zip(expected) {
        assert_eq!(Some(chunk.len), expected["audio"].as_u64(), "{}", case.name);
        assert_eq!(Some(chunk.bulk.inline.is_some()), expected["inline"].as_bool(), "{}", case.name);
        let bytes = chunk.bulk.inline.unwrap_or_else(|| {
            let start = usize::try_from(chunk.bulk.record.offset).unwrap();
            &beside[start..start + usize::try_from(chunk.bulk.record.len).unwrap()]
        });
        joined.extend_from_slice(&bytes[..usize::try_from(chunk.len).unwrap()]);
    }
    joined
}

fn sound<'f, 'a>(found: &'f FoundAsset<'a>) -> &'f Sound<'a> {
    let Asset::Sound(sound) = &found.asset else { panic!("{:?}", found.class) };
    sound
}

#[test]
fn chunks_are_those_of_the_independent_reader() {
    let Some(corpus) = corpus() else { return };
    for case in cases(&corpus, "SoundWave") {
        let scope = case.file.scope();
        let found = case.read(&scope);
        let audio = audio(&corpus, &case, &found);
        assert_eq!(audio.len() as u64, case.number("bytes"), "{}", case.name);
        assert_eq!(Some(&*sha256(&audio)), case.expected["sha256"].as_str(), "{}", case.name);
        if !found.searched {
            assert_eq!(
                Some(sound(&found).markers.is_looping),
                case.expected["looping"].as_bool(),
                "{}",
                case.name
            );
        }
        let facts = Facts::parse(&audio).unwrap();
        if facts.codec != Codec::RadAudio {
            assert_eq!(facts.channels.map(u64::from), Some(case.number("channels")), "{}", case.name);
            assert_eq!(facts.rate.map(u64::from), Some(case.number("sample_rate")), "{}", case.name);
            let samples = case.expected["total_samples"].as_f64();
            assert_eq!(facts.samples.map(|samples| samples.to_string()), samples.map(|all| all.to_string()));
        }
    }
}

#[test]
fn files_are_what_players_open() {
    let Some(corpus) = corpus() else { return };
    let source = |name: &str| std::fs::read(corpus.join("payloads/ue5.8/SourceAudio").join(name)).unwrap();
    for case in cases(&corpus, "SoundWave") {
        let scope = case.file.scope();
        let audio = audio(&corpus, &case, &case.read(&scope));
        let file = AudioFile::playable(&audio).unwrap();
        let name = case.expected["export"].as_str().unwrap();
        let extension = match case.expected["format"].as_str().unwrap() {
            "PCM" | "ADPCM" | "BINKA" => "wav",
            "OGG" => "ogg",
            "OPUS" => "opus",
            _ => "rada",
        };
        assert_eq!(file.extension, extension, "{name}");
        assert_eq!(AudioFile::raw(&audio).bytes, audio, "{name}");
        if let Some(expected) = case.expected["wav"]["sha256_pcm"].as_str() {
            assert_eq!(sha256(Wave::parse(&file.bytes).unwrap().data), expected, "{name}");
        }
        let original = match name {
            "SW_Inline" => Some("inline.wav"),
            "SW_Streaming" => Some("streaming.wav"),
            _ => None,
        };
        if let Some(original) = original.map(source) {
            assert!(Wave::parse(&file.bytes).unwrap().data == Wave::parse(&original).unwrap().data, "{name}");
        }
    }
}

/// Samples of a WAV file with 16 bits.
fn samples(wav: &[u8]) -> Vec<f64> {
    let data = Wave::parse(wav).unwrap().data;
    data.as_chunks().0.iter().map(|sample| f64::from(i16::from_le_bytes(*sample))).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    product(a, b) / (product(a, a) * product(b, b)).sqrt()
}

#[test]
fn bink_audio_sounds_like_the_reference_and_the_source() {
    let Some(corpus) = corpus() else { return };
    let cases = cases(&corpus, "SoundWave");
    let of = |name: &str| {
        let case = cases.iter().find(|case| case.expected["export"] == name).unwrap();
        let scope = case.file.scope();
        let audio = audio(&corpus, case, &case.read(&scope));
        samples(&AudioFile::playable(&audio).unwrap().bytes)
    };
    let decoded = of("SW_Format_BinkAudio");
    let reference = std::fs::read(corpus.join("payloads/reference/SW_Format_BinkAudio.wav")).unwrap();
    let reference = samples(&reference);
    assert_eq!((decoded.len(), reference.len()), (96_000, 96_000));
    let furthest = decoded.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(furthest <= 2.0, "{furthest} from the reference");
    // The same sound, as it was before it was compressed.
    let source = correlation(&decoded, &of("SW_Format_PCM"));
    assert!(source > 0.9999, "{source}");
}

/// What is said about a page, its lengths, and its packets.
struct Page<'a> {
    flags: u8,
    granule: u64,
    sequence: u32,
    lengths: &'a [u8],
    bytes: &'a [u8],
    /// The page with its checksum set to zero, and the checksum.
    zeroed: Vec<u8>,
    sum: u32,
}

fn pages(ogg: &[u8]) -> Vec<Page<'_>> {
    let mut pages = Vec::new();
    let mut rest = ogg;
    while !rest.is_empty() {
        assert_eq!(&rest[..5], b"OggS\0");
        let (head, after) = rest.split_at(27);
        let (lengths, after) = after.split_at(head[26].into());
        let len = lengths.iter().map(|len| usize::from(*len)).sum();
        let (bytes, after) = after.split_at(len);
        let mut zeroed = rest[..27 + lengths.len() + len].to_vec();
        zeroed[22..26].fill(0);
        let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap());
        pages.push(Page {
            flags: head[5],
            granule: u64::from_le_bytes(head[6..14].try_into().unwrap()),
            sequence: number(18),
            lengths,
            bytes,
            zeroed,
            sum: number(22),
        });
        rest = after;
    }
    pages
}

/// The checksum of Ogg, bit by bit as its specification says.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum: u32, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 24, |sum, _| {
            if sum >> 31 == 1 { sum << 1 ^ 0x04C1_1DB7 } else { sum << 1 }
        })
    })
}

#[test]
fn opus_is_packed_into_pages_without_a_loss() {
    let Some(corpus) = corpus() else { return };
    let cases = cases(&corpus, "SoundWave");
    let case = cases.iter().find(|case| case.expected["export"] == "SW_Format_Opus").unwrap();
    let scope = case.file.scope();
    let audio = audio(&corpus, case, &case.read(&scope));
    let file = AudioFile::playable(&audio).unwrap();
    let pages = pages(&file.bytes);
    for (index, page) in (0..).zip(&pages) {
        assert_eq!((page.sequence, page.sum), (index, checksum(&page.zeroed)), "{index}");
    }
    // Mono, 312 + 3840 samples to drop, 48 kHz.
    assert_eq!(pages[0].bytes, b"OpusHead\x01\x01\x38\x10\x80\xBB\0\0\0\0\0");
    assert!(pages[0].flags == 2 && pages[1].bytes.starts_with(b"OpusTags"));
    let last = pages.last().unwrap();
    assert_eq!((last.flags, last.granule), (4, 4152 + 96_000));
    assert!(pages.windows(2).all(|pages| pages[0].granule <= pages[1].granule));
    // The packets, as the file of the engine has them: a length of 16 bits in front of each, after the seek table.
    let mut framed = Vec::new();
    let mut count = 0;
    for page in &pages[2..] {
        let mut rest = page.bytes;
        let mut len = 0;
        for piece in page.lengths {
            len += usize::from(*piece);
            if *piece < 255 {
                let (packet, after) = rest.split_at(len);
                framed.extend_from_slice(&u16::try_from(len).unwrap().to_le_bytes());
                framed.extend_from_slice(packet);
                (rest, len, count) = (after, 0, count + 1);
            }
        }
        assert!(rest.is_empty() && len == 0);
    }
    assert_eq!(count, 105);
    assert!(audio.ends_with(&framed));
    assert_eq!(audio.len() - framed.len(), 42 + 15 + 2 * 105, "the header and the seek table");
}

#[test]
fn real_ogg_files_have_checksums_of_the_same_kind() {
    let Some(corpus) = corpus() else { return };
    let cases = cases(&corpus, "SoundWave");
    let case = cases.iter().find(|case| case.expected["format"] == "OGG").unwrap();
    let scope = case.file.scope();
    let audio = audio(&corpus, case, &case.read(&scope));
    let pages = pages(&audio);
    assert!(pages.len() > 2 && pages.iter().all(|page| page.sum == checksum(&page.zeroed)));
}
