#!/usr/bin/env bash
# Makes the demo containers again. They come out byte for byte the same.
set -euo pipefail
cd "$(dirname "$0")"
uncask=${UNCASK:-cargo run --release --quiet --}
src=$(mktemp -d)
trap 'rm -rf "$src"' EXIT

# Text that compresses, numbered so that every block differs.
text() { awk -v n="$1" -v s="$2" 'BEGIN { for (i = 0; i < n; i++) print s, i, (i * 7919) % 10007 }'; }
# Bytes that do not compress: the output of a small generator.
noise() { awk -v n="$1" 'BEGIN { x = 1; for (i = 0; i < n; i++) { x = (x * 16807) % 2147483647; printf "%c", 33 + x % 90 } }'; }

mkdir -p "$src"/base/Demo/Content/{Maps,Textures,Movies} "$src"/base/Engine/Content/Basic
text 3000 'actor of the map Start at' > "$src"/base/Demo/Content/Maps/Start.umap
text 9000 'mip row' > "$src"/base/Demo/Content/Textures/T_Rock.uasset
text 20000 'texel' > "$src"/base/Demo/Content/Textures/T_Rock.ubulk
noise 40000 > "$src"/base/Demo/Content/Movies/Intro.bin
text 500 'vertex' > "$src"/base/Engine/Content/Basic/Cube.uasset
mkdir -p "$src"/extra/Demo/Content/Maps "$src"/extra/Demo/Config
text 6000 'actor of the map Cave at' > "$src"/extra/Demo/Content/Maps/Cave.umap
text 40 'Setting' > "$src"/extra/Demo/Config/DefaultGame.ini
mkdir -p "$src"/big/Demo/Content/Audio
text 30000 'sample' > "$src"/big/Demo/Content/Audio/Theme.uasset
noise 90000 > "$src"/big/Demo/Content/Audio/Theme.ubulk
mkdir -p "$src"/patch/Demo/Content/Maps
text 3100 'actor of the patched map Start at' > "$src"/patch/Demo/Content/Maps/Start.umap

rm -f demo/* encrypted/*
$uncask -q pack "$src"/base -o demo/pakchunk0-Demo.utoc --method zlib --toc-version 8
$uncask -q pack "$src"/extra -o demo/pakchunk1-Demo.utoc --method lz4 --toc-version 5
$uncask -q pack "$src"/big -o demo/pakchunk2-Demo.utoc --method zstd --toc-version 10 --partition-size 128K
$uncask -q pack "$src"/patch -o demo/pakchunk0-Demo_0_P.utoc --method none --toc-version 8
# The key is 32 times 0x11.
$uncask -q pack "$src"/extra -o encrypted/secret-Demo.utoc --method zlib --toc-version 8 \
  --aes-key 0x1111111111111111111111111111111111111111111111111111111111111111
