// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/opentrace.h"

#include "core/capture/capturereader.h"
#include "core/capture/filekind.h"
#include "core/exchange/chromeimport.h"
#include "core/exchange/nsysimport.h"

namespace jetscope {

namespace {

Result<OpenedTrace> openByContent(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans)
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

} // namespace

Result<OpenedTrace> openTrace(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans)
{
    Result<OpenedTrace> opened = openByContent(path, progress, mostSpans);
    if (opened.ok() && opened.value().trace.droppedSpans() > 0)
        opened.value().notes.push_back("the oldest " + std::to_string(opened.value().trace.droppedSpans())
                                       + " spans are left out: raise the limit of spans kept to see them");
    return opened;
}

} // namespace jetscope
