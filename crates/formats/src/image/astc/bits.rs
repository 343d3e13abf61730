/// Some bits of a block, at most 32.
pub(super) fn field(bits: u128, at: u32, len: u32) -> u32 {
    let mask = (1_u128 << len) - 1;
    u32::try_from(bits.checked_shr(at).unwrap_or(0) & mask).unwrap_or(0)
}
