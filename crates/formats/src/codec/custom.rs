//! User-supplied codecs, for games with their own compression.

use super::contract::Codec;
use super::method::Method;
use std::sync::Arc;

/// User-supplied codecs, by the method names in tables of contents. A clone is another handle to the same
/// codecs.
#[derive(Debug, Clone, Default)]
pub struct Codecs {
    entries: Vec<(String, Arc<dyn Codec>)>,
}

impl Codecs {
    /// Adds a codec for the blocks of a method; letter case does not matter. It overrides a built-in codec
    /// of that name, and codecs added earlier.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, codec: impl Codec + 'static) -> Self {
        self.entries.push((name.into(), Arc::new(codec)));
        self
    }

    /// The method number for a name, if a codec was added for it.
    pub(super) fn method(&self, name: &str) -> Option<Method> {
        // From the end, so that a later codec overrides an earlier one.
        let found = self.entries.iter().rposition(|(known, _)| known.eq_ignore_ascii_case(name))?;
        // `Method::Custom` holds one byte; a codec past 255 is never found.
        u8::try_from(found).ok().map(Method::Custom)
    }

    /// The codec with a number, and the name it was added for.
    pub(super) fn get(&self, number: u8) -> Option<(&str, &dyn Codec)> {
        self.entries.get(usize::from(number)).map(|(name, codec)| (name.as_str(), &**codec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{DecodeProblem, EncodeProblem, LevelRange, MethodTable, Scratch, compress, decode};

    /// Fills its output with a byte.
    #[derive(Debug)]
    struct Fill(u8);

    impl Codec for Fill {
        fn decode(&self, block: &[u8], out: &mut [u8], _: &mut Scratch) -> Result<(), DecodeProblem> {
            if !block.is_empty() {
                return Err(DecodeProblem::malformed(format_args!("has {} bytes", block.len())));
            }
            out.fill(self.0);
            Ok(())
        }
    }

    /// Adds the level to each byte, and counts its blocks in the scratch.
    #[derive(Debug)]
    struct Added;

    impl Codec for Added {
        fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem> {
            scratch.with(|blocks: &mut usize| *blocks += 1);
            let (level, bytes) = block.split_first().ok_or(DecodeProblem::Truncated { len: 0 })?;
            DecodeProblem::check_len(bytes.len(), out.len())?;
            out.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte.wrapping_sub(*level));
            Ok(())
        }

        fn encode(
            &self,
            bytes: &[u8],
            level: i32,
            out: &mut Vec<u8>,
            _: &mut Scratch,
        ) -> Result<(), EncodeProblem> {
            let level = u8::try_from(level).map_err(EncodeProblem::failed)?;
            out.push(level);
            out.extend(bytes.iter().map(|byte| byte.wrapping_add(level)));
            Ok(())
        }

        fn levels(&self) -> Option<LevelRange> {
            Some(LevelRange { lowest: 1, highest: 300, usual: 2 })
        }

        fn scratch_len(&self, raw_len: usize) -> usize {
            raw_len + 1
        }
    }

    #[test]
    fn user_supplied_codecs_do_what_built_in_ones_do() {
        let table = MethodTable::new(["MyGame"]).with_codecs(&Codecs::default().with("MyGame", Added));
        let (method, mut block, mut scratch) = (table.lookup(1).unwrap(), vec![9], Scratch::default());
        let mut out = [0; 2];
        for (level, expected) in [(None, [2, 3, 4]), (Some(255), [255, 0, 1])] {
            table.compress(method, &[1, 2], level, &mut block, &mut scratch).unwrap();
            assert_eq!(block, expected);
            table.decode(method, &block, &mut out, &mut scratch).unwrap();
            assert_eq!(out, [1, 2]);
        }
        assert_eq!(scratch.with(|blocks: &mut usize| *blocks), 2);
        assert_eq!((table.scratch_len(method, 7), table.scratch_len(Method::None, 7)), (8, 0));
        for (level, text) in [
            (0, "MyGame has no level 0, expected 1 to 300"),
            (256, "MyGame encoder failed: out of range integral type conversion attempted"),
        ] {
            let error = table.compress(method, &[], Some(level), &mut block, &mut scratch).unwrap_err();
            assert_eq!(error.to_string(), text);
        }
    }

    #[test]
    fn codecs_go_before_built_in_ones_and_later_ones_before_earlier_ones() {
        let codecs = Codecs::default().with("MyGame", Fill(1)).with("oodle", Fill(2)).with("MYGAME", Fill(3));
        let table = MethodTable::new(["mygame", "Oodle", "Zlib", "LZO"]).with_codecs(&codecs);
        let fill = |index: u8| {
            let mut out = [0; 2];
            let method = table.lookup(index).unwrap();
            table.decode(method, &[], &mut out, &mut Scratch::default()).map(|()| out)
        };
        assert_eq!((fill(1), fill(2)), (Ok([3; 2]), Ok([2; 2])));
        assert_eq!(table.lookup(3), Ok(Method::Zlib));
        assert!(table.lookup(4).is_err());
        assert_eq!(table.name(1), Some("mygame"));
    }

    #[test]
    fn errors_name_the_codec() {
        let table = MethodTable::new(["MyGame"]).with_codecs(&Codecs::default().with("MyGame", Fill(1)));
        let (method, mut scratch) = (table.lookup(1).unwrap(), Scratch::default());
        let error = table.decode(method, &[0; 3], &mut [0; 2], &mut scratch).unwrap_err();
        assert_eq!(error.to_string(), "MyGame block is malformed: has 3 bytes");
        let error = table.compress(method, &[], None, &mut Vec::new(), &mut scratch).unwrap_err();
        assert_eq!(error.to_string(), "MyGame blocks cannot be written: the codec only decodes");
        let error = decode(method, &[], &mut [], &mut scratch).unwrap_err();
        assert_eq!(error.to_string(), "no codec is registered for the block");
        let error = compress(method, &[], None, &mut Vec::new(), &mut scratch).unwrap_err();
        assert_eq!(error.to_string(), "custom blocks cannot be written: no codec is registered for them");
    }
}
