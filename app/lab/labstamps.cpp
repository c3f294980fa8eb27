// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/lab/labcommands.h"
#include "app/lab/sourcewatching.h"
#include "app/run/stampoutput.h"
#include "core/recording/tracer.h"

namespace jetscope {

int labStamps(int, char **, const Options &options)
{
    const std::string uri = options.source.value_or(kDefaultRunSource);
    if (const Status checked = checkSourceUri(uri); !checked.ok())
        return complain(checked.error(), WrongUsage);
    const Interrupt interrupt;
    Tracer tracer;
    WatchRecording none;
    const Result<WatchedSources> watched = watchSources({uri}, options, none, tracer, interrupt);
    if (!watched.ok())
        return complain(watched.error(), Failed);
    const SourceWatch &source = *watched.value().sources.front();
    StampReport report = stampReportOf(source.info().uri, source.log()->contents());
    report.trouble = source.trouble();
    const bool isEnough = report.finding.frames >= kFewestStamps;
    return finishWith(options.json ? jsonLine(stampJson(report)) : stampText(report), isEnough ? Good : Failed);
}

} // namespace jetscope
