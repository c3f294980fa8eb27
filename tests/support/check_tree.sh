#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# check_tree.sh [ROOT] : checks the tree for the rules of CONTRIBUTING.md, lists every violation and fails if there is
# one. The format is checked only if clang-format 14 is installed.
set -u
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1

# report RULE : reads the places of violations from stdin, one per line, and appends the rule to each.
report() { sed "s|\$|: $1|"; }

# sources FOLDER... : C, C++ and CUDA files in these folders.
sources() { find "$@" -type f \( -name '*.h' -o -name '*.c' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) | sort; }

# matching PATTERN : matching lines of the files listed on stdin, as FILE:LINE.
matching() { xargs -r -d '\n' grep -nHE "$1" | cut -d: -f1,2; }

# including PATTERN FOLDER... : lines in these folders that include a matching header.
including() { sources "${@:2}" | matching "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($1)"; }

top_level() {
    local entry
    for entry in * .[!.]*; do
        case $entry in
        app | core | gpu | ui | resources | tests | packaging | .ci | .github) ;;
        CMakeLists.txt | CMakePresets.json | README.md | CONTRIBUTING.md | CHANGELOG.md | LICENSE) ;;
        .git | .git-blame-ignore-revs | .gitignore | .clang-format | .clang-tidy | .editorconfig) ;;
        build | build-* | .cache | compile_commands.json | CMakeUserPresets.json) ;; # Ignored by git.
        *) echo "$entry" ;;
        esac
    done | report "this entry is not allowed at the top of the tree"
}

every_file() {
    # No licence lines in formats without comments and in byte-exact test data.
    find app core gpu ui resources tests packaging .ci .github CMakeLists.txt -type f \
        ! -name '*.json' ! -name '*.md' ! -name '*.png' ! -name '*.ttf' ! -path 'tests/*/corpus/*' ! -name '*.sqlite' ! -name '*.jscope' | sort |
        xargs -r -d '\n' awk '
            function check() { if (file != "" && lines != 2) print file; lines = 0; file = FILENAME }
            FNR == 1 { check() }
            FNR <= 6 && /SPDX-(FileCopyrightText|License-Identifier): / { ++lines }
            FNR == 6 { nextfile }
            END { check() }' | report "the first six lines must contain the two SPDX lines"

    local all=(app core gpu ui tests)
    sources "${all[@]}" | xargs -r -d '\n' awk 'FNR == 601 { print FILENAME }' | report "the file has more than 600 lines"
    # Only braces of functions stand alone at the start of a line.
    sources app core gpu ui | xargs -r -d '\n' awk '/^{$/ { start = FNR } /^}$/ { if (start && FNR - start > 61) print FILENAME ":" start; start = 0 }' |
        report "the function has more than 60 lines"
    awk 'FNR == 121 { print FILENAME }' app/main.cpp | report "the file has more than 120 lines"
    sources "${all[@]}" | grep '\.h$' | xargs -r -d '\n' grep -L '^#pragma once$' | report "'#pragma once' is missing"
    sources "${all[@]}" | grep '\.h$' | grep -v '^gpu/filters/' |
        matching '^[[:space:]]*namespace[[:space:]]*\{' | report "a header must not contain an unnamed namespace"
    # Where many sources are compiled as one, another one's includes hide that it is missing.
    grep -rlE '^JETSCOPE_TEST\(' tests --include='*.cpp' | xargs -r -d '\n' grep -LF '#include "tests/support/testprogram.h"' |
        report "what defines JETSCOPE_TEST must be included"
    sources "${all[@]}" | grep -E '/[^/]*[A-Z][^/]*$' | report "the file name must be lower case"
}

# External libraries only in certain folders; rooms.txt says what of our own may include what.
dependencies() {
    local qt='Q[A-Z]|Qt|qt' gl='EGL/|GLES|GL/' opencv='opencv|gst/' cuda='cuda|nvtx|nvbuf|gpu/cuda/'
    including "$qt|$cuda|$gl|$opencv" core | report "core may include only the standard library, SQLite, simdjson, zlib and zstd"
    including 'sqlite3' app core gpu ui | grep -vE '^core/(system/database|tracefile/)' | report "only core/system/database and core/tracefile may include SQLite"
    including '(zlib|zstd)' app core gpu ui | grep -vE '^core/(exchange/unpacker_|fleet/gziplines|remote/picture/png|remote/wire/packing_)' |
        report "only core/exchange/unpacker_*, core/fleet/gziplines, core/remote/picture/png and core/remote/wire/packing_* may include zlib and zstd"
    including 'simdjson' app core gpu ui | grep -vE '^core/(exchange/|fleet/(fleetrow|reducedfleet)|gate/baseline|measure/probe/probejson|verify/verifyjson)' |
        report "only core/exchange, core/fleet/fleetrow, core/fleet/reducedfleet, core/gate/baseline, core/measure/probe/probejson and core/verify/verifyjson may include simdjson"
    including "$qt" gpu | report "gpu must not include Qt"
    including "$qt" app | grep -v '^app/window_module' | report "of app, only the window's module may include Qt: boards have none"
    including 'nlohmann' app core gpu ui | grep -v '^app/commandline/json' | report "only app/commandline/json and jsonvalues may include nlohmann/json"
    including "$cuda|$opencv" ui app | report "ui and app must not include CUDA or OpenCV"
    including "$opencv" gpu | grep -vE '^gpu/(sources|cpustage)/' | report "only gpu/sources and gpu/cpustage may include OpenCV"
    including "$cuda" gpu | grep -vE '^gpu/(cuda/|backends/)' | report "only gpu/cuda and gpu/backends/backends.cpp may include CUDA"
}

# Two types of one name in one namespace are one type to the linker, which takes the code of either for both.
definitions() {
    sources app core gpu ui | grep '\.h$' | xargs -r -d '\n' awk '
        /^namespace / { space = $2 }
        /^(struct|class|enum class) [A-Z][A-Za-z0-9_]*( final)?( :.*)?( \{)?$/ && !/;$/ {
            name = $1 == "enum" ? $3 : $2
            if (where[space, name]) print FILENAME ": " name ", also defined in " where[space, name]
            where[space, name] = FILENAME
        }' | report "two types of one namespace have the same name"
}

# CpuAccess tells the device of each access to its memory.
accesses() {
    sources app gpu ui | grep -vE '^gpu/(device|soft|cuda)/' | matching '(->|\.)host\(\)' |
        report "only the back ends may call host(); access the memory through CpuAccess (gpu/device/cpuaccess.h)"
}

# What runs beside the program ends with it, and never holds it.
endings() {
    sources app ui tests | grep -vE '^ui/files/fileplaces\.cpp' | matching 'QFileDialog::|new QFileDialog|QFileDialog [a-z]' |
        report "only ui/files/fileplaces.cpp may open dialogs about files: tests replace them there"
    sources ui | grep -v '^ui/session/worker\.' | matching 'QThreadPool|QThread\b.*\bnew\b|QtConcurrent|std::j?thread\b|waitForDone\(\)' |
        report "work on another thread needs an end with a limit: use Worker (ui/session/worker.h)"
    sources app core gpu ui | matching '(^|[^A-Za-z_:>.])(std::|::)?(quick_)?exit\(' | grep -vE '^gpu/attach/(preload|inject)/' |
        report "exit() destroys objects that threads still use: return from main, or std::_Exit"
    sources app core gpu ui | grep -vE '^(gpu/cupti/childprocess|gpu/attach/host/attachedprogram|gpu/remote/detachedprocess|core/remote/reach/farend)\.cpp|^gpu/attach/preload/' |
        matching '(^|[^A-Za-z_:>.])(::)?(v?fork|popen|posix_spawnp?)\(' |
        report "children end with their parent: use ChildProcess (gpu/cupti/childprocess.h)"
}

# What a span is for is said where it is recorded (core/recording/purpose.h). Files of before, and traces of others, are
# the only ones whose labels mean something: core/tracefile/oldlabels knows what.
labels() {
    local text='(name|text|label|detail|what|spanName)(\([^()]*\))?'
    { sources core/path core/recording core/figures core/trace | grep -v /figuretext; echo core/measure/advice/advicerules.cpp; } |
        matching "\\b$text(\\.|->)(find|rfind|starts_with|ends_with|compare|substr)\\(|\\b$text [!=]= \"" |
        report "the text of a name decides nothing: ask the purpose of the span"
}

# What differs between platforms is a file of its own, chosen by CMake or by the table in gpu/backends/backends.cpp.
conditionals() {
    local macros='__linux|__APPLE__|_WIN|__ANDROID__|__(x86_64|i386|aarch64|arm)|__(AVX|SSE|ARM_NEON)|TEGRA|JETSCOPE_|QT_VERSION|__has_include'
    sources app core gpu ui | grep -vE '^gpu/(backends/|filters/)|^core/time/(clock|cpucounter)' |
        matching "^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif).*($macros)" |
        report "only gpu/backends/backends.cpp may contain platform conditionals"
}

agreement() {
    local version file folder
    version=$(sed -n 's/^project(jetscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    for file in packaging/man/jetscope.1; do
        grep -qF "$version" "$file" || echo "$file"
    done | report "the file does not contain the project's version, $version"
    for folder in app core gpu ui resources tests packaging; do
        grep -qF "\`$folder\`" README.md || echo "$folder"
    done | report "README.md must mention this folder"
}

# Of the commits that main does not have; without git or main, of none.
subjects() {
    local base subject
    base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null) || return
    git log --format=%s "$base..HEAD" | while IFS= read -r subject; do
        [ ${#subject} -le 72 ] || echo "$subject"
    done | report "the subject of the commit has more than 72 characters"
}

# Other versions of clang-format lay out some lines differently.
format() {
    local name tool=
    for name in clang-format-14 clang-format; do
        [[ $("$name" --version 2>/dev/null) == *' version 14.'* ]] && tool=$name && break
    done
    if [ -z "$tool" ]; then
        echo "the format is not checked: clang-format 14 is not installed (Debian package clang-format-14)" >&2
        return
    fi
    sources app core gpu ui tests | xargs -r -d '\n' -n 50 -P 2 "$tool" --dry-run -Werror 2>&1 |
        sed -n 's/^\([^:]*\):[0-9:]* error: .*/\1/p' | sort -u | report "the format differs: run $tool -i"
}

violations=$(top_level; every_file; dependencies; bash tests/support/check_rooms.sh .; definitions; accesses; labels; endings; conditionals; agreement; subjects; format)
if [ -n "$violations" ]; then
    echo "$violations"
    echo "violations of the rules in CONTRIBUTING.md: $(wc -l <<<"$violations")"
    exit 1
fi
echo "no violations of the rules in CONTRIBUTING.md"
