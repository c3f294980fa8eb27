# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Common part of the scripts here: the packages for building and testing Jetscope on Debian 12, Ubuntu 22.04 and 24.04
# and JetPack 6 and 7, and the steps from a fresh clone to a built preset. Messages go to stderr, because stdout belongs
# to the program. CUDA is used if it is installed, but never installed from here, because it belongs to the board's
# software.
# shellcheck disable=SC2034 # The lists are used by scripts that source this file.

readonly build_packages=(
    build-essential cmake ninja-build
    qt6-base-dev libqt6opengl6-dev libopencv-dev libsqlite3-dev libsimdjson-dev nlohmann-json3-dev zlib1g-dev libzstd-dev
    libavformat-dev libavcodec-dev libavutil-dev libswscale-dev
    libgl-dev libegl-dev libgles-dev libturbojpeg0-dev libdw-dev
    pkg-config libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev
    gstreamer1.0-plugins-base gstreamer1.0-plugins-good
    libegl1 libgles2 libgl1-mesa-dri fonts-inter
)
# Programs that tests inspect, and the cross compiler for what is loaded into them; without these tests are skipped.
readonly attach_test_packages=(glmark2-es2-x11 mesa-utils gstreamer1.0-tools gstreamer1.0-gl mpv
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
# The same, under names that differ between distributions.
readonly quick_test_packages=(qml-qt6 qml6-module-qtquick qml6-module-qtquick-window qml6-module-qtqml qml6-module-qtqml-models
    qml6-module-qtqml-workerscript)
# RTSP server, encoders and decoders of the streams that tests serve; without them those tests are skipped.
readonly stream_test_packages=(libgstrtspserver-1.0-dev gstreamer1.0-libav gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly)
# An emulated machine with a camera, for tests with the label `long`; without it they are skipped.
readonly camera_test_packages=(qemu-system-x86 busybox-static cpio kmod)
# ssh to this machine and the program that is brought there, for tests of remote boards; without them they are skipped.
readonly remote_test_packages=(openssh-client openssh-server patchelf fish tcsh busybox-static)
# Workers that tests of fleets start; without them those tests are skipped. Not required, because of their size: chromium
# (370 MB), in which a test opens the page of a fleet, and DuckDB's library, see resources/docs/fleet.md.
readonly fleet_test_packages=(python3-distributed)
readonly test_packages=(ccache clang-format-14 lld xvfb libegl-mesa0 fonts-dejavu-core fonts-dejavu-extra opencv-doc)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly root

say() { echo "jetscope: $*" >&2; }

die() {
    say "$*"
    exit 1
}

# as_root COMMAND...
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null >&2
}

# install_missing PACKAGE... : queries dpkg first, and changes nothing if all packages are installed.
install_missing() {
    command -v dpkg-query >/dev/null || return 0 # Not Debian: CMake reports what is missing.
    local installed missing=() package
    # dpkg-query fails for unknown packages, but still prints the others.
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for package in "$@"; do
        grep -qx "$package installed" <<<"$installed" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
        die "packages are missing, and there is no sudo to install them: run as root: apt-get install ${missing[*]}"
    say "installing ${missing[*]}"
    # Package lists are empty on a fresh machine and may be out of date on an old one; in both cases the install fails.
    apt_install "${missing[@]}" 2>/dev/null && return 0
    as_root apt-get update -qq </dev/null >&2 ||
        die "apt-get update failed: check the network and /etc/apt/sources.list, then run this again"
    apt_install "${missing[@]}" ||
        die "these packages could not be installed: ${missing[*]}: see apt's message above"
}

# install_optional WHAT PACKAGE... : the same, but goes on without those that the distribution lacks. WHAT is then skipped.
install_optional() {
    local what=$1 known=() package
    shift
    (install_missing "$@") && return 0
    for package in "$@"; do
        ! apt-cache show "$package" >/dev/null 2>&1 || known+=("$package")
    done
    (install_missing "${known[@]}") || true
    say "some tests of $what will be skipped"
}

# The package of the ssh server starts it where systemd runs, so it is not installed there: a test opens no port.
install_ssh_server() {
    if [ -x /usr/sbin/sshd ] || [ ! -d /run/systemd/system ]; then
        install_optional "remote boards" "${remote_test_packages[@]}"
    else
        say "tests with a server of ssh are skipped: install openssh-server yourself, it listens on port 22 then"
    fi
}

# CUDA setting for a build that runs on this machine only: kernels for its GPU, none without an NVIDIA device. Kernels
# for every supported GPU, as in packages, take several minutes longer.
cuda_for_this_machine() {
    local capability
    if [ ! -e /dev/nvidiactl ] && [ ! -e /dev/nvmap ]; then
        echo -DJETSCOPE_CUDA=OFF
        return
    fi
    capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
    case $capability in
        [0-9]*) echo "-DCMAKE_CUDA_ARCHITECTURES=$capability" ;;
        *) echo -DJETSCOPE_CUDA=AUTO ;;
    esac
}

# How many compilers run at once: one of sixteen sources takes up to 1 GB, and boards have more cores than that.
compilers_at_once() {
    awk -v cores="$(nproc)" '/^MemAvailable:/ { n = int($2 / 1e6); print (n < 1 ? 1 : n > cores ? cores + 1 : n) }' /proc/meminfo
}

# build_in FOLDER PRESET [CMAKE_ARGUMENT...] : configures build/FOLDER once, and again if the arguments change (the build
# itself repeats it after a change of a CMake file), and builds. A lock serialises concurrent calls.
build_in() {
    local folder=$root/build/$1 preset=$2
    shift 2
    mkdir -p "$folder" || die "the folder $folder cannot be made: clone Jetscope to where you may write"
    (
        flock 9
        if [ ! -f "$folder/build.ninja" ] || [ "$*" != "$(cat "$folder/.arguments" 2>/dev/null)" ]; then
            say "configuring $folder $*"
            # CMake would keep the arguments of the call before (from 3.24 on it has --fresh for this), and the program would
            # find modules that this build does not have.
            [ ! -f "$folder/.arguments" ] || rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles" "$folder"/app/libjetscope-*.so
            (cd "$root" && cmake --preset "$preset" -B "$folder" "$@") >&2 ||
                die "the configuration failed: see the message above; to start afresh, remove $folder"
            printf '%s\n' "$*" >"$folder/.arguments"
        fi
        [ "$(ninja -C "$folder" -n 2>/dev/null | tail -n 1)" = "ninja: no work to do." ] ||
            ninja -C "$folder" -j "$(compilers_at_once)" >&2 || die "the build failed: see the first error above"
    ) 9>"$folder/.lock"
}

# build PRESET [CMAKE_ARGUMENT...]
build() { build_in "$1" "$@"; }

# run_tests FOLDER [CTEST_ARGUMENT...] : runs the tests of a build under an X server of their own. Called once, last.
run_tests() {
    local folder=$1 display status=0
    shift
    scratch=$(mktemp -d)
    server=
    # shellcheck disable=SC2317 # Called by the trap.
    cleanup() {
        [ -z "$server" ] || kill "$server" 2>/dev/null || true
        rm -rf "$scratch"
    }
    trap cleanup EXIT

    # The server chooses a free display and writes its number once it is ready.
    mkfifo "$scratch/display"
    Xvfb -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp 3>"$scratch/display" >"$scratch/xvfb.log" 2>&1 &
    server=$!
    if ! read -r -t 30 display <"$scratch/display"; then
        cat "$scratch/xvfb.log" >&2
        die "the X server for the tests did not start: see its message above"
    fi

    export DISPLAY=:$display
    export QT_XCB_GL_INTEGRATION=xcb_egl LIBGL_ALWAYS_SOFTWARE=1
    # The tests must not depend on the user's settings or Wayland session.
    export XDG_CONFIG_HOME=$scratch/config XDG_DATA_HOME=$scratch/data QT_QPA_PLATFORM=xcb
    unset WAYLAND_DISPLAY

    # Many tests wait for most of their time, so one more than there are cores runs at once; a further one gains 4 % and
    # disturbs tests that wait. Tests of times run alone (RUN_SERIAL).
    ctest --test-dir "$folder" --output-on-failure --no-label-summary --parallel $(($(nproc) + 1)) "$@" || status=$?
    exit "$status"
}
