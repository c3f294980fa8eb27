// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "core/progress.h"
#include "core/system/besidedatabase.h"
#include "core/tracefile/tracefilequery.h"

namespace jetscope {

namespace {
constexpr std::size_t kPrintAt = 1 << 16;
}

int queryCommand(const Options &options)
{
    const Interrupt interrupt;
    std::string rows;
    Status printed;
    const auto take = [&](std::string_view piece) {
        rows += piece;
        if (rows.size() < kPrintAt)
            return true;
        printed = print(rows);
        rows.clear();
        return printed.ok();
    };
    // The rows are those of the capture alone.
    const std::string &path = options.operands[0];
    if (const ForeignFiles foreign = foreignFilesBeside(path); foreign.any())
        complain(textOfForeignFiles(path, foreign));
    const RowFormat format = options.json ? RowFormat::Json : RowFormat::Lines;
    const Status done =
        queryTraceFile(options.operands[0], options.operands[1], format, take, [&] { return !interrupt.requested(); });
    if (!printed.ok())
        return complain(printed.error(), Failed);
    if (done.ok())
        return finishWith(rows, Good);
    (void)finishWith(rows, Failed);
    return complain(
        wasCancelled(done.error()) ? sentence("interrupted: the rows found so far are printed") : done.error(), Failed);
}

} // namespace jetscope
