# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DSOURCE=… -DVERSION=… -DOUT=… -P BuildId.cmake: writes the version and a hash of the program's sources as a C++
# source. Builds for other processors of the same sources get the same.
file(GLOB_RECURSE sources RELATIVE ${SOURCE} ${SOURCE}/core/*.cpp ${SOURCE}/core/*.h ${SOURCE}/gpu/*.cpp ${SOURCE}/gpu/*.h
    ${SOURCE}/gpu/*.cu ${SOURCE}/gpu/*.cuh ${SOURCE}/app/*.cpp ${SOURCE}/app/*.h)
list(SORT sources)
set(hashes "")
foreach(source IN LISTS sources)
    file(SHA256 ${SOURCE}/${source} hash)
    string(APPEND hashes "${source} ${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 12 hash)
file(WRITE ${OUT} "#include \"core/remote/wire/buildid.h\"\n\nnamespace jetscope {\n\nconst char *buildId()\n{\n    return \"${VERSION}-${hash}\";\n}\n\n} // namespace jetscope\n")
