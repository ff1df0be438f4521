#!/bin/sh
# Makes release/winnow_VERSION_amd64.deb out of release/linux-unpacked with Debian's own dpkg-deb.
# WINNOW_TRIAL=1 (see shipped-runtimes.mjs) makes winnow_VERSION+trial_amd64.deb. Afterwards `winnow` (the command line) and `winnow-window` are on the PATH, with a manual page and completions.
set -eu
cd "$(dirname "$0")/.."
[ -x release/linux-unpacked/winnow-window ] || { echo 'Run "npm run package" first.' >&2; exit 1; }
version=$(node -p "require('./package.json').version")${WINNOW_TRIAL:++trial}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/DEBIAN" "$root/opt" "$root/usr/bin" "$root/usr/share/applications" \
  "$root/usr/share/icons/hicolor/512x512/apps" "$root/usr/share/icons/hicolor/scalable/apps" \
  "$root/usr/share/doc/winnow" "$root/usr/share/man/man1" "$root/usr/share/bash-completion/completions" \
  "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d" \
  "$root/usr/lib/systemd/system" "$root/etc/winnow"
chmod 755 "$root"
cp -r release/linux-unpacked "$root/opt/winnow"
# Setuid root: Chromium's sandbox on systems that forbid user namespaces to ordinary users.
chmod 4755 "$root/opt/winnow/chrome-sandbox"
ln -s ../../opt/winnow/winnow-window "$root/usr/bin/winnow-window"
ln -s ../../opt/winnow/resources/bin/winnow "$root/usr/bin/winnow"
cp resources/icon.png "$root/usr/share/icons/hicolor/512x512/apps/winnow.png"
cp resources/icon.svg "$root/usr/share/icons/hicolor/scalable/apps/winnow.svg"
gzip -9nc resources/man/winnow.1 > "$root/usr/share/man/man1/winnow.1.gz"
# By the packaged command line itself, at a place from where it finds nothing of the checkout: what a shell completes is
# what is in the package, and a package that lacks a module ends here.
packaged=$root/opt/winnow/resources/bin/winnow
"$packaged" completion bash > "$root/usr/share/bash-completion/completions/winnow"
"$packaged" completion zsh > "$root/usr/share/zsh/vendor-completions/_winnow"
"$packaged" completion fish > "$root/usr/share/fish/vendor_completions.d/winnow.fish"
# Services and timers of a server; none is enabled by the package (docs/operations/service.md).
cp resources/systemd/*.service resources/systemd/*.timer "$root/usr/lib/systemd/system"
chmod 644 "$root/usr/lib/systemd/system"/*
cp LICENSE "$root/usr/share/doc/winnow/copyright"
cat > "$root/usr/share/applications/winnow.desktop" <<D
[Desktop Entry]
Type=Application
Name=Winnow
Comment=Maintenance of KurrentDB and EventStoreDB databases
Exec=winnow-window %f
Icon=winnow
Categories=Development;Database;
StartupWMClass=winnow
D
# The window's libraries are recommended, not required: the command line must install on servers without them.
cat > "$root/DEBIAN/control" <<C
Package: winnow
Version: $version
Architecture: amd64
Maintainer: The Winnow founders <winnow@example.org>
Installed-Size: $(du -sk "$root/opt" | cut -f1)
Depends: libc6 (>= 2.28), libstdc++6
Recommends: libgtk-3-0 | libgtk-3-0t64, libnss3, libasound2 | libasound2t64, libgbm1, libnotify4, libxss1, libxtst6, libsecret-1-0, xdg-utils
Section: database
Priority: optional
Description: Workbench for the maintenance of KurrentDB and EventStoreDB databases
 Inspects, scavenges, verifies and backs up the data and index directories of a stopped node, in a window
 (winnow-window) and on the command line (winnow).
C
dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "release/winnow_${version}_amd64.deb"
