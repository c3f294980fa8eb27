#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# check_rooms_test.sh : check_rooms.sh is silent for a small tree that keeps to its plan, and names each mistake planted
# in it.
set -eu
check=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/check_rooms.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
table=tests/support/rooms.txt

# lay : makes the tree that keeps to its plan.
lay() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{app,core/text,gpu/device,gpu/paths,ui/style,tests/support}
    cd "$tree"
    cat >"$table" <<'END'
# A comment.
$ground = core core/text
$both = gpu/device gpu/paths
core/text:
core: core/text
gpu/device:
gpu/paths: gpu/device
ui/style:
app: $both ui/style
END
    echo '#include "core/text/utf8.h"' | tee core/result.h gpu/device/device.h >/dev/null
    echo '#include "gpu/device/device.h"' >gpu/paths/path.h
    printf '#include "gpu/paths/path.h"\n#  include "ui/style/theme.h"\n#include <vector>\n' >app/main.cpp
    : >ui/style/theme.h
}

# says TEXT : the check must print exactly this.
says() {
    local found
    found=$(bash "$check" "$tree" | LC_ALL=C sort)
    [ "$found" = "$1" ] || {
        printf 'expected:\n%s\nfound:\n%s\n' "$1" "$found"
        exit 1
    }
}

lay
says ""
printf '\n#include "gpu/paths/path.h"\n' >gpu/device/cell.cpp
says "gpu/device/cell.cpp:2: gpu/device may not include gpu/paths: see $table"
lay
echo '#include "core/result.h"' >core/text/utf8.cpp # The ground has only what its own rows say.
says "core/text/utf8.cpp:1: core/text may not include core: see $table"
lay
sed -i 's|^gpu/paths:.*|& ui/style|' "$table"
says "$table: gpu/paths: ui/style is allowed but not needed"
lay
mkdir core/other && echo '#include "gpu/device/device.h"' >core/other/a.h # Of the room above it.
says "core/other/a.h:1: core may not include gpu/device: see $table"
lay
mkdir ui/other && echo '#include "ui/style/theme.h"' >ui/other/a.h
says "ui/other/a.h: its folder has no row in $table"
lay
sed -i 's|^gpu/device:.*|& gpu/paths|' "$table"
echo '#include "gpu/paths/path.h"' >gpu/device/cell.cpp
says "gpu/device
gpu/paths
$table: these rooms include each other:"
echo "the check finds what is planted"
