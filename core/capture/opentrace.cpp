// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/opentrace.h"

#include "core/capture/capturereader.h"
#include "core/capture/filekind.h"
#include "core/exchange/chromeimport.h"
#include "core/exchange/nsysimport.h"

namespace jetscope {

Result<OpenedTrace> openTrace(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans)
{
    const Result<FileKind> kind = fileKindOf(path);
    if (!kind.ok())
        return kind.error();
    switch (kind.value()) {
    case FileKind::Capture:
        return readCapture(path, progress, mostSpans);
    case FileKind::OtherDatabase:
        return importNsys(path, progress, mostSpans);
    case FileKind::Json:
        break;
    }
    return importChrome(path, progress, mostSpans);
}

} // namespace jetscope
