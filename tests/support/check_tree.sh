#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# check_tree.sh [ROOT] : checks the tree for the rules of CONTRIBUTING.md, lists every violation and fails if there is
# one.
set -u
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1

# blame RULE : formats violations from stdin, one per line, as sentences.
blame() { sed "s|\$|: $1|"; }

# sources FOLDER... : C++ and CUDA files in these folders.
sources() { find "$@" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) | sort; }

# matching PATTERN : matching lines of the files listed on stdin, as FILE:LINE.
matching() { xargs -r -d '\n' grep -nHE "$1" | cut -d: -f1,2; }

# including PATTERN FOLDER... : lines in these folders that include a matching header.
including() { sources "${@:2}" | matching "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($1)"; }

top_level() {
    local entry
    for entry in * .[!.]*; do
        case $entry in
        app | core | gpu | ui | resources | tests | packaging | .ci) ;;
        CMakeLists.txt | CMakePresets.json | README.md | CONTRIBUTING.md | CHANGELOG.md | LICENSE) ;;
        .git | .gitignore | .clang-format) ;;
        build | build-* | .cache | compile_commands.json | CMakeUserPresets.json) ;; # Ignored by git.
        *) echo "$entry" ;;
        esac
    done | blame "no such entry belongs at the top of the tree"
}

every_file() {
    # No licence lines in formats without comments and in byte-exact test data.
    find app core gpu ui resources tests packaging .ci CMakeLists.txt -type f \
        ! -name '*.json' ! -name '*.md' ! -name '*.png' ! -name '*.ttf' ! -path 'tests/*/corpus/*' ! -name '*.sqlite' | sort |
        while IFS= read -r file; do
            [ "$(head -n 6 "$file" | grep -cE 'SPDX-(FileCopyrightText|License-Identifier): ')" -eq 2 ] || echo "$file"
        done | blame "the two SPDX lines are missing from its head"

    local all=(app core gpu ui tests)
    sources "${all[@]}" | xargs -r -d '\n' awk 'FNR == 601 { print FILENAME }' | blame "it has more than 600 lines"
    # Only braces of functions stand alone at the start of a line.
    sources app core gpu ui | xargs -r -d '\n' awk '/^{$/ { start = FNR } /^}$/ { if (start && FNR - start > 61) print FILENAME ":" start; start = 0 }' |
        blame "the function has more than 60 lines"
    awk 'FNR == 121 { print FILENAME }' app/main.cpp | blame "it has more than 120 lines"
    sources "${all[@]}" | grep '\.h$' | xargs -r -d '\n' grep -L '^#pragma once$' | blame "'#pragma once' is missing"
    sources "${all[@]}" | grep '\.h$' | grep -v '^gpu/filters/' |
        matching '^[[:space:]]*namespace[[:space:]]*\{' | blame "a header's namespaces have names"
    sources "${all[@]}" | grep -E '/[^/]*[A-Z][^/]*$' | blame "file names are lower case"
}

# Allowed dependencies: app -> ui -> gpu -> core, and external libraries only in certain folders.
dependencies() {
    local qt='Q[A-Z]|Qt|qt' gl='EGL/|GLES|GL/' opencv='opencv|gst/' cuda='cuda|nvtx|nvbuf|gpu/cuda/'
    including "$qt|$cuda|$gl|$opencv|(gpu|ui|app)/" core | blame "core uses the standard library, SQLite, simdjson, zlib and zstd alone"
    including 'sqlite3' app core gpu ui | grep -vE '^core/(database|tracefile/)' | blame "SQLite belongs to core/database and core/tracefile"
    including '(zlib|zstd)' app core gpu ui | grep -v '^core/exchange/unpacker_' | blame "zlib and zstd belong to core/exchange/unpacker_*"
    including 'simdjson' app core gpu ui | grep -v '^core/exchange/' | blame "simdjson belongs to core/exchange"
    including "$qt|(ui|app)/" gpu | blame "gpu knows neither Qt nor the window"
    including "$cuda|$opencv" ui app | blame "the window and the program know neither CUDA nor OpenCV"
    including "app/" ui | blame "the window does not know the program"
    including "$opencv" gpu | grep -vE '^gpu/(sources|cpustage)/' | blame "OpenCV belongs to gpu/sources and gpu/cpustage"
    including "$cuda" gpu | grep -vE '^gpu/(cuda/|device/backends\.cpp)' | blame "CUDA belongs to gpu/cuda"
}

# A device is told of each access to its memory.
accesses() {
    sources app gpu ui | grep -vE '^gpu/(device|soft|cuda)/' | matching '(->|\.)host\(\)' |
        blame "the address of a buffer belongs to the back ends; touch it through CpuAccess (gpu/device/cpuaccess.h)"
}

# What differs between platforms is a file of its own, chosen by CMake or by the table in gpu/device/backends.cpp.
conditionals() {
    local macros='__linux|__APPLE__|_WIN|__ANDROID__|__(x86_64|i386|aarch64|arm)|__(AVX|SSE|ARM_NEON)|TEGRA|JETSCOPE_|QT_VERSION|__has_include'
    sources app core gpu ui | grep -vE '^gpu/(device/backends\.cpp|filters/)|^core/time/(clock|cpucounter)' |
        matching "^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif).*($macros)" |
        blame "platform conditionals belong to gpu/device/backends.cpp"
}

agreement() {
    local version file folder
    version=$(sed -n 's/^project(jetscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    for file in packaging/desktop/*.metainfo.xml packaging/man/jetscope.1; do
        grep -qF "$version" "$file" || echo "$file"
    done | blame "it does not name the project's version, $version"
    for folder in app core gpu ui resources tests packaging; do
        grep -qF "\`$folder\`" README.md || echo "README.md, $folder"
    done | blame "the folder has no paragraph"
}

offences=$(top_level; every_file; dependencies; accesses; conditionals; agreement) 2>&1
if [ -n "$offences" ]; then
    echo "$offences"
    echo "$(wc -l <<<"$offences") offences against the house rules"
    exit 1
fi
echo "the tree keeps the house rules"
