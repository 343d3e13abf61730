/* Has the one function of the vendor's library that is called. It undoes a trivial transform, and refuses calls that are not
   made as they should be. */
#include <stddef.h>
#include <stdint.h>

intptr_t OodleLZ_Decompress(const uint8_t *src, intptr_t src_len, uint8_t *dst, intptr_t dst_len, int32_t fuzz_safe,
                            int32_t check_crc, int32_t verbosity, void *window, intptr_t window_len, const void *callback,
                            const void *callback_data, void *memory, intptr_t memory_len, int32_t thread_phase) {
  if (fuzz_safe != 1 || check_crc != 0 || verbosity != 0 || thread_phase != 3) return 0;
  if (window != NULL || window_len != 0 || memory != NULL || memory_len != 0) return 0;
  if (callback != NULL || callback_data != NULL || src_len != dst_len + 2) return 0;
  for (intptr_t i = 0; i < dst_len; i++) dst[i] = src[i + 2] ^ 0x5A;
  return dst_len;
}
