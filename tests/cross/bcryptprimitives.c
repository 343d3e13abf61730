/* bcryptprimitives.dll for Wine 8, which has none: Rust's standard library takes its random numbers from ProcessPrng, and a
   program that does not find it ends at once, with status 53. */
#include <windows.h>
#include <ntsecapi.h>

#define PIECE (1u << 20)

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T len) {
  while (len > 0) {
    ULONG piece = len < PIECE ? (ULONG)len : PIECE;
    if (!RtlGenRandom(bytes, piece)) return FALSE;
    bytes += piece;
    len -= piece;
  }
  return TRUE;
}
