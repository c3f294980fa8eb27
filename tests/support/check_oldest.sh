#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# check_oldest.sh ROOT [PROGRAM...] : lists what the oldest supported tools lack: CMake 3.22, CUDA 12.2, and Qt 6.2.4,
# whose check needs programs that are built with a newer Qt and the symbol lists of Debian's Qt packages. Fails if there
# is one; 77 if Qt could not be checked. packaging/test-gcc11 is the check for GCC 11.
set -u
cd "$1" || exit 1
shift

# Commands, keywords and generator expressions of CMake 3.23 to 4.1.
cmake_words='^[[:space:]]*(end)?block\(|cmake_(file_api|pkg_config|instrumentation)\(|return\(PROPAGATE|FILE_SET|DEPENDS_EXPLICIT_ONLY'
cmake_words+='|JOB_SERVER_AWARE|CODEGEN|COMPILE_WARNING_AS_ERROR|LINKER_TYPE|HEADER_SETS|IS_(READABLE|WRITABLE|EXECUTABLE)|PATH_EQUAL'
cmake_words+='|OVERRIDE_FIND_PACKAGE|DEFINE_VARIABLES|TEST_LAUNCHER|CMAKE_PROJECT_TOP_LEVEL_INCLUDES|UNITY_BUILD_RELOCATABLE'
cmake_words+='|\$<(LINK_(LIBRARY|GROUP)|COMPILE_ONLY|LIST:|PATH|QUOTE|BUILD_LOCAL_INTERFACE|TARGET_(RUNTIME_DLL_DIRS|OBJECTS_CONFIG|IMPORT_FILE))'
cmake_words+='|ARCHITECTURES[[:space:]"]*(native|all)'

# Functions of the CUDA runtime from 12.3 to 13.
cuda_words='cuda(Graph(Conditional|AddNode_v2)|GetDriverEntryPointByVersion|Func(GetName|GetParamInfo)|Memcpy(3D)?BatchAsync'
cuda_words+='|StreamGetDevice|Logs|MemPrefetchBatch|EventElapsedTime_v2|DeviceGetHostAtomic|Library|Kernel_t|EnumerateLibraryKernels)'

# Symbols newer than Qt 6.2.4 that come from Qt's own headers: what Jetscope writes for them, 6.2.4 compiles, too.
# QWidget::addAction(text) must be called on a QMenu, which has the function in 6.2.4; QMenu's own callers are checked by
# compiling with Qt 6.2.4 (.github/workflows).
qt_from_headers='QByteArray::(from|to)StdString|QJsonValue::QJsonValue\(QJson(Array|Object)&&\)'
qt_from_headers+='|QJsonValueConstRef::(concrete|objectKey)|QObject::(doS|s)etObjectName|QWidget::addAction\(QString const&\)'
qt_from_headers+='|QSettings::(setValue|value|contains)\(|QtPrivate::QMetaTypeInterfaceWrapper'

cmake_files() { find CMakeLists.txt core gpu ui app packaging tests -name CMakeLists.txt -o -name '*.cmake'; }

cmake_and_cuda() {
    cmake_files | xargs grep -nHE "$cmake_words" | sed 's/$/: CMake 3.22 lacks this/'
    sed -n 's/^ *"version": *\([0-9]*\).*/\1/p' CMakePresets.json | grep -vx 3 | sed 's/^/CMakePresets.json: version /; s/$/: CMake 3.22 reads 3/'
    find gpu tests \( -name '*.cu' -o -name '*.cuh' -o -name '*.cu.in' -o -path '*cuda*.cpp' -o -path '*cuda*.h' \) -print0 |
        xargs -0 grep -nHE "\\b$cuda_words" | sed 's/$/: CUDA 12.2 lacks this/'
}

# qt PROGRAM... : what these use of Qt that is newer than 6.2.4. Debian's lists say in which version a symbol appeared.
qt() {
    local program
    for program in "$@"; do nm -D --undefined-only "$program"; done | sed -n 's/.* U \(.*@Qt_6\)$/\1/p' | sort -u |
        join - <(awk '$1 ~ /@Qt_6$/ { split($2, v, "."); if (v[1] * 10000 + v[2] * 100 + v[3] > 60204) print $1, $2 }' \
            "${qt_symbols[@]}" | sort -u) |
        while read -r symbol version; do echo "$(c++filt "${symbol%@*}"): Qt 6.2.4 lacks this ($version has it)"; done |
        grep -vE "^($qt_from_headers)"
}

shopt -s nullglob
qt_symbols=(/var/lib/dpkg/info/libqt6*.symbols)
found=$(cmake_and_cuda; if [ $# -gt 0 ] && [ ${#qt_symbols[@]} -gt 0 ]; then qt "$@"; fi)
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi
if [ $# -eq 0 ] || [ ${#qt_symbols[@]} -eq 0 ]; then
    echo "nothing newer than CMake 3.22 and CUDA 12.2; Qt is not checked: the symbol lists of its packages are not here"
    exit 77
fi
echo "nothing newer than CMake 3.22, CUDA 12.2 and Qt 6.2.4"
