#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# build_aarch64.sh ROOT : builds the library that is preloaded into programs for aarch64 and checks its size and what it
# exports. Skipped (77) without the cross compiler (Debian package gcc-aarch64-linux-gnu).
set -eu
root=$1
tool=aarch64-linux-gnu
command -v $tool-gcc >/dev/null || {
    echo "$tool-gcc is not installed"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
preload=$root/gpu/attach/preload
$tool-gcc -std=gnu17 -Os -Wall -Wextra -Werror -Wno-cast-function-type -fPIC -fvisibility=hidden -shared \
    -I"$root" -I"$preload/aarch64" "$preload"/*.c "$preload/aarch64/dlsym.S" -o "$folder/library.so" -ldl -lpthread
$tool-strip "$folder/library.so"
# What is loaded: the file also has up to 64 KiB of padding to the next page.
size=$("$tool-size" "$folder/library.so" | awk 'END { print $1 + $2 }')
echo "$size bytes"
[ "$size" -lt 208896 ]
inject=$root/gpu/attach/inject
$tool-gcc -std=gnu17 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -I"$root" "$inject"/*.c \
    -o "$folder/inject.so" -ldl -lpthread
if $tool-nm -D --defined-only "$folder/inject.so" | grep -vE ' InitializeInjection$'; then
    exit 1
fi
! $tool-nm -D --defined-only "$folder/library.so" | grep -vE ' (egl|gl|glX|cu|Nv)[A-Z]| dl(sym|close)$| jetscope_(mark|gpu_ring|before_exit|submission)_v1$| _(e|E)xit$| InitializeInjectionNvtx2$'
