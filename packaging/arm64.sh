# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Common part of `test-arm64` and `release arm64`: a root folder with the distribution's arm64 packages, a cross build
# with it, and programs of that build under emulation. Source setup.sh first. Nothing of the host is changed but its
# installed packages.
# shellcheck disable=SC2034 # The lists are used by scripts that source this file.

readonly arm64_host_packages=(g++-aarch64-linux-gnu qemu-user-static dpkg-dev)
readonly arm64_root_packages=(
    qt6-base-dev libqt6opengl6-dev libopencv-dev libsqlite3-dev libsimdjson-dev nlohmann-json3-dev zlib1g-dev libzstd-dev
    libavformat-dev libavcodec-dev libavutil-dev libswscale-dev
    libgl-dev libegl-dev libgles-dev libturbojpeg0-dev libdw-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev
    libgstrtspserver-1.0-dev libstdc++-12-dev libc6-dev
    libegl-mesa0 libgl1-mesa-dri libgl1 libegl1 libgles2 libglx-mesa0 fonts-dejavu-core fonts-dejavu-extra
    libqt6sql6-sqlite qt6-qpa-plugins gstreamer1.0-plugins-base gstreamer1.0-plugins-good
)
# shellcheck disable=SC2154 # setup.sh sets root.
readonly arm64_root=$root/build/arm64-root
readonly arm64_work=$root/build/arm64-work

# apt for arm64 with folders of its own and the host's sources. Where these have no arm64 packages (Ubuntu keeps them on
# another host), JETSCOPE_ARM64_SOURCES is a sources.list that has them.
arm64_apt() {
    local apt=$arm64_work/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/state"
    : >"$apt/status"
    cat >"$apt/apt.conf" <<END
Dir::State "$apt/state";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
APT::Architecture "arm64";
#clear APT::Architectures;
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Keep-Downloaded-Packages "true";
#clear DPkg::Post-Invoke;
#clear APT::Update::Post-Invoke;
Acquire::Languages "none";
APT::Sandbox::User "root";
END
    if [ -n "${JETSCOPE_ARM64_SOURCES:-}" ]; then
        printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "-";\n' "$JETSCOPE_ARM64_SOURCES" >>"$apt/apt.conf"
    fi
    APT_CONFIG=$apt/apt.conf DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" </dev/null >&2
}

# describe_package PACKAGE ROOT : enters the package into dpkg's database in ROOT, with the files where they lie on this
# machine, for dpkg-shlibdeps.
describe_package() {
    local package=$1 database=$2/var/lib/dpkg control=$arm64_work/control name
    rm -rf "$control"
    dpkg-deb -e "$package" "$control"
    name=$(dpkg-deb -f "$package" Package)
    [ "$(dpkg-deb -f "$package" Multi-Arch)" != same ] || name=$name:arm64
    sed '/^Package:/a Status: install ok installed' "$control/control" >>"$database/status"
    echo >>"$database/status"
    # Of the list only libraries matter; /lib is /usr/lib.
    dpkg-deb --fsys-tarfile "$package" | tar -t |
        sed -n "s|^\\./\(usr/\)\?\(lib/.*\\.so.*\)|$arm64_root/usr/\2|p" >"$database/info/$name.list"
    local kind
    for kind in shlibs symbols; do
        [ ! -f "$control/$kind" ] || cp "$control/$kind" "$database/info/$name.$kind"
    done
}

# Unpacks the packages: maintainer scripts are not run, so what they would make follows.
unpack_arm64_root() {
    local to=$1 package link target libraries=usr/lib/aarch64-linux-gnu
    rm -rf "$to"
    mkdir -p "$to/usr/lib" "$to/usr/bin" "$to/usr/sbin" "$to/etc" "$to/var/lib/dpkg/info" "$to/var/lib/dpkg/updates"
    echo 1 >"$to/var/lib/dpkg/info/format"
    for link in lib bin sbin; do ln -s "usr/$link" "$to/$link"; done
    for package in "$arm64_work"/apt/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -C "$to" -x --keep-directory-symlink -f -
        describe_package "$package" "$to"
    done
    # Links are relative, because absolute ones would lead to the host's files.
    find "$to" -xdev -type l -lname '/*' | while read -r link; do
        target=$(readlink "$link")
        if [ -e "$to$target" ] || [ -L "$to$target" ]; then
            ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$to$target")" "$link"
        fi
    done
    ln -sfn blas/libblas.so.3 "$to/$libraries/libblas.so.3"
    ln -sfn lapack/liblapack.so.3 "$to/$libraries/liblapack.so.3"
    # Text is drawn as on the host, for tests that compare pictures.
    rm -rf "$to/etc/fonts"
    cp -r /etc/fonts "$to/etc/fonts"
}

# Makes the root folder once; it is made anew when the list of packages changes.
make_arm64_root() {
    local stamp="${arm64_root_packages[*]}"
    [ "$stamp" != "$(cat "$arm64_root/.packages" 2>/dev/null)" ] || return 0
    say "making $arm64_root from the distribution's arm64 packages (1.5 GB)"
    mkdir -p "$arm64_work"
    arm64_apt update || die "apt-get update for arm64 failed: see its message above"
    arm64_apt install -y --download-only "${arm64_root_packages[@]}" ||
        die "arm64 packages cannot be had from this machine's sources: set JETSCOPE_ARM64_SOURCES to a sources.list that has them"
    unpack_arm64_root "$arm64_root.new"
    rm -rf "$arm64_root"
    mv "$arm64_root.new" "$arm64_root"
    rm -rf "$arm64_work/apt/cache"
    echo "$stamp" >"$arm64_root/.packages"
}

# qemu-user refuses pidfds, and QProcess then starts nothing: this library, loaded into emulated programs, says that the
# kernel has none. Programs of the host that tests start (/bin/sh) get an empty library of the same name.
make_emulation_helpers() {
    local folder=$arm64_work/preload
    mkdir -p "$folder/lib/aarch64-linux-gnu" "$folder/lib/x86_64-linux-gnu"
    aarch64-linux-gnu-gcc --sysroot="$arm64_root" -O1 -shared -fPIC -o "$folder/lib/aarch64-linux-gnu/libnopidfd.so" \
        "$root/tests/support/nopidfd.c" -ldl
    echo | gcc -x c -shared -fPIC -o "$folder/lib/x86_64-linux-gnu/libnopidfd.so" -
}

# emulated COMMAND... : a command in which arm64 programs run, also those that it starts: in a user and mount namespace
# of its own, so that the host's table of binary formats is not touched (Linux 6.7 or newer). LD_PRELOAD is that of all
# programs, because one that qemu sets would replace what `attach` preloads.
emulated() {
    local library scanner
    library=$arm64_root/usr/lib/aarch64-linux-gnu
    scanner=$(find "$arm64_root/usr/lib" -name gst-plugin-scanner | head -n 1)
    # shellcheck disable=SC2016 # The inner shell expands these.
    env QEMU_LD_PREFIX="$arm64_root" LD_PRELOAD="$arm64_work/preload/\$LIB/libnopidfd.so" \
        QT_PLUGIN_PATH="$library/qt6/plugins" GST_PLUGIN_SCANNER="$scanner" GST_REGISTRY="$arm64_work/gst-registry.bin" \
        LC_ALL=C.UTF-8 \
        unshare --user --map-root-user --mount --propagation private bash -c '
            mount -t binfmt_misc none /proc/sys/fs/binfmt_misc &&
            cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register &&
            exec "$@"' emulated "$@"
}

# make_arm64_shlibdeps FOLDER : a dpkg-shlibdeps in FOLDER that asks the database of the root folder, and not the host's.
make_arm64_shlibdeps() {
    local real
    real=$(command -v dpkg-shlibdeps)
    cat >"$1/dpkg-shlibdeps" <<END
#!/bin/sh
export DEB_HOST_ARCH=arm64
exec $real --admindir=$arm64_root/var/lib/dpkg -l$arm64_root/usr/lib/aarch64-linux-gnu "\$@"
END
    chmod +x "$1/dpkg-shlibdeps"
}
