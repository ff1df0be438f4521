#!/bin/sh
# Installs the packages of release/ in a Debian 12 of its own, with nothing but what apt brings, and says what it saw. Of the
# Debian package: the command line, a sample database, the manual page, completions, units, the window on a virtual display,
# and its removal. Of the tar, as an ordinary user: the command line, the window, and that nothing else was written.
# Needs root, debootstrap, and a Debian mirror (MIRROR, default http://deb.debian.org/debian). Removes what it made.
#   sh scripts/check-packages.sh
set -eu
cd "$(dirname "$0")/.."
version=$(node -p "require('./package.json').version")${WINNOW_TRIAL:++trial}
deb=release/winnow_${version}_amd64.deb
tar=release/winnow-$version-linux-x64.tar.xz
mirror=${MIRROR:-http://deb.debian.org/debian}
[ -f "$deb" ] || { echo "$deb is missing: run \"npm run package:deb\" first." >&2; exit 1; }
[ -f "$tar" ] || { echo "$tar is missing: run \"npm run package:tar\" first." >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo 'This needs root: it makes a system of its own and enters it.' >&2; exit 1; }
command -v debootstrap > /dev/null || { echo 'debootstrap is missing: apt install debootstrap' >&2; exit 1; }
system=$(mktemp -d /tmp/winnow-debian.XXXXXX)
leave() {
  umount "$system/dev/shm" "$system/dev" "$system/proc" 2> /dev/null || true
  # Never across a mount that is still there.
  rm -rf --one-file-system "$system"
}
trap leave EXIT
trap 'exit 130' INT TERM
inside() {
  chroot "$system" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
say() { printf '\n== %s\n' "$*"; }

say 'the sums beside the packages'
(cd release && grep -F "$version" SHA256SUMS | sha256sum -c -)

say 'a minimal Debian 12'
debootstrap --variant=minbase bookworm "$system" "$mirror" > "$system.log" 2>&1 || { tail -5 "$system.log" >&2; exit 1; }
rm -f "$system.log"
chmod 755 "$system"
mount -t proc proc "$system/proc"
mount -t tmpfs -o mode=755 tmpfs "$system/dev"
for device in null zero random urandom tty; do
  cp -a "/dev/$device" "$system/dev/$device"
done
mkdir "$system/dev/shm" "$system/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$system/dev/shm"
cp "$deb" "$system/tmp/winnow.deb"
# Some images leave documentation out; the manual page is part of the check.
rm -f "$system/etc/dpkg/dpkg.cfg.d/docker"
inside cat /etc/debian_version

say 'apt install ./winnow.deb, without what it recommends: the command line'
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /tmp/winnow.deb > /dev/null 2> "$system/tmp/apt.log" ||
  { cat "$system/tmp/apt.log" >&2; exit 1; }
inside dpkg -s winnow | grep -E '^(Status|Version|Depends)'
inside winnow --version
inside useradd --create-home someone
as_someone() { inside setpriv --reuid=someone --regid=someone --init-groups env HOME=/home/someone "$@"; }
as_someone winnow sample /home/someone/sample --size 8MiB --chunk-size 1MiB --yes --quiet
as_someone winnow inspect /home/someone/sample
as_someone winnow verify /home/someone/sample --quiet
as_someone winnow rescue /home/someone/sample --yes --quiet | tail -12

say 'manual page and completions'
inside apt-get install -y -qq man-db bash-completion > /dev/null 2>&1
inside man -w winnow
inside man --warnings winnow 2>&1 | sed -n '1,6p'
inside bash -c '
  . /usr/share/bash-completion/bash_completion
  . /usr/share/bash-completion/completions/winnow
  COMP_WORDS=(winnow resc); COMP_CWORD=1; _winnow; echo "winnow resc<TAB>: ${COMPREPLY[*]}"'
inside ls /usr/share/zsh/vendor-completions/_winnow /usr/share/fish/vendor_completions.d/winnow.fish \
  /usr/share/applications/winnow.desktop /usr/share/icons/hicolor/512x512/apps/winnow.png

say 'services and timers'
inside apt-get install -y -qq --no-install-recommends systemd > /dev/null 2>&1
for unit in winnow-serve@.service winnow-verify@.service winnow-backup@.service; do
  inside systemd-analyze --man=no verify "/usr/lib/systemd/system/$unit"
  inside systemd-analyze security --offline=true --no-pager --threshold=25 "/usr/lib/systemd/system/$unit" | tail -1
done
for unit in winnow-verify@.timer winnow-backup@.timer; do
  inside systemd-analyze --man=no verify "/usr/lib/systemd/system/$unit"
done

say 'what it recommends, and the window on a virtual display'
inside apt-get install -y -qq desktop-file-utils xvfb xauth x11-utils > /dev/null 2>&1
# shellcheck disable=SC2046 # one word for each package
inside apt-get install -y -qq $(inside dpkg-query -W -f '${Recommends}' winnow | tr ',' '\n' |
  sed 's/ *\([^ |]*\).*/\1/') > /dev/null 2> "$system/tmp/apt.log" || { cat "$system/tmp/apt.log" >&2; exit 1; }
inside desktop-file-validate /usr/share/applications/winnow.desktop && echo 'winnow.desktop is valid'
inside sh -c 'ldd /opt/winnow/winnow-window | grep "not found"' && exit 1
# A chroot is not a container: Chromium may use neither its sandbox nor a graphics card here.
cat > "$system/tmp/window.sh" <<'W'
"$1" --no-sandbox --disable-gpu /home/someone/sample > /tmp/window.log 2>&1 &
window=$!
for second in $(seq 60); do
  if xwininfo -root -tree | grep -i '"winnow' | grep -E '[0-9]{3,}x[0-9]{3,}'; then
    sleep 5
    kill -0 "$window" && echo "the window is open after $second s, and stays"
    kill "$window"
    wait "$window" || true
    exit 0
  fi
  sleep 1
done
cat /tmp/window.log
exit 1
W
as_someone timeout 150 xvfb-run -a sh /tmp/window.sh winnow-window

say 'apt remove'
inside apt-get remove -y -qq winnow > /dev/null 2>&1
inside sh -c 'ls /opt/winnow /usr/bin/winnow* 2> /dev/null' || echo 'nothing of it is left'

say 'the tar, unpacked by an ordinary user'
inside apt-get install -y -qq --no-install-recommends xz-utils > /dev/null 2>&1
cp "$tar" "$system/tmp/winnow.tar.xz"
as_someone mkdir /home/someone/unpacked
as_someone tar -xf /tmp/winnow.tar.xz -C /home/someone/unpacked
tree=/home/someone/unpacked/winnow-$version-linux-x64
as_someone "$tree/resources/bin/winnow" --version
as_someone "$tree/resources/bin/winnow" sample /home/someone/second --size 4MiB --chunk-size 1MiB --yes --quiet
as_someone "$tree/resources/bin/winnow" verify /home/someone/second --quiet
as_someone timeout 150 xvfb-run -a sh /tmp/window.sh "$tree/winnow-window"

say 'removed with its directory'
as_someone rm -r /home/someone/unpacked
inside find / -xdev -iname '*winnow*' -not -path '/tmp/*' -not -path '/home/someone/.*'
say 'all well'
