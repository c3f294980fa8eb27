// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"

#include "core/exchange/countertable.h"
#include "core/exchange/importers.h"
#include "core/tracefile/tracefile.h"

namespace jetscope {

namespace {

Result<OpenedTrace> openTraceFile(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans,
                                  const std::string &framesBy)
{
    Result<OpenedTrace> opened = readTraceFile(path, progress, mostSpans);
    if (opened.ok() && !framesBy.empty())
        opened.value().notes.emplace_back("a capture has frames of its own; --frames-by is not needed");
    return opened;
}

Result<OpenedTrace> openByContent(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans,
                                  const std::string &framesBy)
{
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(path));
    switch (kind) {
    case FileKind::Capture:
        return openTraceFile(path, progress, mostSpans, framesBy);
    case FileKind::OtherDatabase:
        return importNsys(path, progress, mostSpans, framesBy);
    case FileKind::Tegrastats:
        return importTegrastats(path, progress);
    case FileKind::CounterTable:
        return importCounterTable(path, progress);
    case FileKind::TrtexecTimes:
        return importTrtexecTimes(path, progress, mostSpans);
    case FileKind::Json:
        break;
    }
    return importChrome(path, progress, mostSpans, framesBy);
}

} // namespace

Result<OpenedTrace> openTrace(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans,
                              const std::string &framesBy)
{
    Result<OpenedTrace> opened = openByContent(path, progress, mostSpans, framesBy);
    if (opened.ok() && opened.value().trace.droppedSpans() > 0)
        opened.value().notes.push_back("the oldest spans left out: "
                                       + std::to_string(opened.value().trace.droppedSpans())
                                       + "; raise the limit of spans kept to see them");
    return opened;
}

} // namespace jetscope
