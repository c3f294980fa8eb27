// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/filekind.h"

#include "core/exchange/bytesource.h"
#include "core/exchange/countertable.h"
#include "core/exchange/foreignformats.h"
#include "core/exchange/tegrastatsline.h"
#include "core/exchange/tegrastatsstamp.h"
#include "core/exchange/trtexecimport.h"
#include "core/tracefile/capturekind.h"

#include <string_view>

namespace jetscope {

namespace {

constexpr std::size_t kUnpackedBytes = 1 << 16;

/// The beginning of what a packed file holds; empty if it cannot be unpacked, which its reader reports.
std::string unpackedBeginning(const std::string &path)
{
    std::string bytes(kUnpackedBytes, '\0');
    Result<ByteSource> source = ByteSource::open(path);
    const Result<std::size_t> size = source.ok() ? source.value().read(bytes) : Result<std::size_t>(0);
    bytes.resize(size.ok() ? size.value() : 0);
    return bytes;
}

} // namespace

Result<FileKind> fileKindOf(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileBeginning beginning, beginningOf(path));
    std::string_view bytes = beginning.bytes;
    if (isDatabase(bytes)) {
        JETSCOPE_TRY_ASSIGN(const bool capture, isCapture(path, beginning));
        return capture ? FileKind::Capture : FileKind::OtherDatabase;
    }
    const bool isPacked = bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd");
    const std::string unpacked = isPacked ? unpackedBeginning(path) : std::string();
    const std::string_view content = isPacked ? std::string_view(unpacked) : bytes;
    if (const ForeignFormat *const foreign = foreignFormatOf(content))
        return refusal(path, *foreign);
    if (looksLikeTrtexecTimes(content))
        return FileKind::TrtexecTimes;
    if (bytes.starts_with("\xef\xbb\xbf"))
        bytes.remove_prefix(3);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    // A log whose lines begin with a time in brackets looks like a list.
    if (lineStampOf(bytes).kind != LineStamp::Kind::None && looksLikeTegrastats(bytes))
        return FileKind::Tegrastats;
    if (first != std::string_view::npos && (bytes[first] == '{' || bytes[first] == '['))
        return FileKind::Json;
    if (isPacked)
        return FileKind::Json; // Compressed with gzip or zstd, which is only supported for JSON.
    if (looksLikeCounterTable(bytes))
        return FileKind::CounterTable;
    if (looksLikeTegrastats(bytes))
        return FileKind::Tegrastats;
    return sentence(
        path
        + " is not a trace that Jetscope can read: give a .jscope capture, a Chrome trace (JSON), an Nsight "
          "Systems export made with \"nsys export --type sqlite\", a log of tegrastats or a table of jtop or "
          "nvidia-smi");
}

} // namespace jetscope
