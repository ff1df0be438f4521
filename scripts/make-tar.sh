#!/bin/sh
# Makes release/winnow-VERSION-linux-x64.tar.xz from release/linux-unpacked: for machines without dpkg. Files belong to
# root whoever packs them, and the times are those of the last commit, so that the same sources give the same names and
# order. xz, because the two runtimes take three quarters of what they take with gzip.
set -eu
cd "$(dirname "$0")/.."
version=$(node -p "require('./package.json').version")${WINNOW_TRIAL:++trial}
name="winnow-$version-linux-x64"
test -x release/linux-unpacked/winnow-window || {
  echo 'release/linux-unpacked is missing: run "npm run package" first.' >&2
  exit 1
}
time=$(git log -1 --format=%cI 2>/dev/null || date -u +%Y-%m-%dT%H:%M:%SZ)
tar --create --use-compress-program="xz -6 -T0" --file "release/$name.tar.xz" --directory release \
  --sort=name --owner=0 --group=0 --numeric-owner --mtime="$time" \
  --transform "s,^linux-unpacked,$name," linux-unpacked
echo "release/$name.tar.xz"
