#!/bin/sh
# Tries a program as the image has it: with nothing around it but the libraries of the base image, as a user without rights. In an
# image by buildah, if it is installed; else, for root, in a folder that counts as the whole file system.
#
#     packaging/try-image.sh target/debug/uncask
set -eu
program=$(realpath "$1")
demo=$(realpath "$(dirname "$0")/../testdata/demo")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# distroless/cc has these, and no others.
for library in $(ldd "$program" | grep -o '/[^ ]*'); do
  case $(basename "$library") in
    libc.so.6 | libm.so.6 | libgcc_s.so.1 | libpthread.so.0 | libdl.so.2 | librt.so.1 | ld-linux-*) ;;
    *) echo "the image does not have $library" >&2 && exit 1 ;;
  esac
  mkdir -p "$root/image$(dirname "$library")"
  cp -L "$library" "$root/image$library"
done
mkdir -p "$root/image/usr/local/bin" "$root/image/demo"
cp "$program" "$root/image/usr/local/bin/uncask"

if command -v buildah >/dev/null && STORAGE_DRIVER=vfs buildah info >/dev/null 2>&1; then
  export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
  container=$(buildah from scratch)
  trap 'buildah rm "$container" >/dev/null; rm -rf "$root"' EXIT
  buildah copy "$container" "$root/image" / >/dev/null
  run() { buildah run --user 65532 -v "$demo:/demo:ro" "$container" -- /usr/local/bin/uncask "$@"; }
  how='an image by buildah'
elif [ "$(id -u)" = 0 ]; then
  cp -R "$demo/." "$root/image/demo"
  chmod 755 "$root" "$root/image"
  run() { chroot --userspec=65532:65532 "$root/image" /usr/local/bin/uncask "$@"; }
  how='a changed root'
else
  echo 'NOT RUN: this takes buildah, or root' && exit 0
fi
run verify /demo
run list /demo >"$root/list"
"$program" list "$demo" | cmp - "$root/list"
echo "the program runs in $how, alone and without rights"
