// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/importers.h"

#include "core/exchange/chrometracebuilder.h"

namespace jetscope {

Result<OpenedTrace> importChrome(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                                 const std::string &framesBy)
{
    ChromeTraceBuilder builder(path, framesBy);
    const ChromeListener listener{[&builder](const ChromeArgument &entry) { builder.takeOther(entry); },
                                  [&builder](const ChromeEvent &event) { builder.take(event); }};
    JETSCOPE_TRY_ASSIGN(const ChromeFile file, readChromeEvents(path, listener, progress, kChromeReadShare));
    return builder.finish(file, progress, mostSpans);
}

} // namespace jetscope
