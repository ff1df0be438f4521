#!/bin/sh
# Are two builds of this commit the same to the byte? Builds it in two clones at different paths, makes the tar of each, and
# compares; names the files that differ. Takes some minutes and 3 GB below TMPDIR, which are removed.
#   npm run package:equal-check
set -eu
cd "$(dirname "$0")/.."
root=$PWD
commit=$(git rev-parse HEAD)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for name in one another/place; do
  clone="$place/$name"
  mkdir -p "$(dirname "$clone")"
  git clone --quiet "$root" "$clone"
  git -C "$clone" checkout --quiet "$commit"
  (cd "$clone" && npm ci --no-audit --no-fund --silent && npm run --silent package && sh scripts/make-tar.sh)
  (cd "$clone/release/linux-unpacked" && find . -type f -print0 | sort -z | xargs -0 sha256sum) > "$clone.files"
done
if cmp "$place"/one/release/*.tar.xz "$place"/another/place/release/*.tar.xz; then
  sha256sum "$place"/one/release/*.tar.xz | sed "s,  .*/,  ,"
  echo "Two builds of $commit are the same bytes."
else
  diff "$place/one.files" "$place/another/place.files" || true
  exit 1
fi
