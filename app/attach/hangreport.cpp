// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/hangreport.h"

#include "app/commandline/jsonvalues.h"
#include "core/attach/format/calltable.h"
#include "core/attach/record/gputimeline.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <utility>

namespace jetscope {

std::string hangWords(const Hang &hang)
{
    return "thread " + quotedWords(hang.thread.name) + " (" + std::to_string(hang.thread.tid)
        + ") waits for the GPU in " + std::string(attachCall(hang.call.call)->name) + ", which has not returned for "
        + fixedText(hang.seconds(), 1) + " s";
}

std::string kernelWords(const TrackedKernel &kernel)
{
    std::string words = "the driver names the kernel " + kernelNameForUsers(kernel.name) + " (" + kernel.name;
    for (const auto &[what, value] : {std::pair{"stream ", kernel.stream},
                                      std::pair{"hardware channel ", kernel.channel}, std::pair{"code at ", kernel.pc}})
        if (!value.empty())
            words.append("; ").append(what).append(value);
    return words + ")";
}

JsonObject hangsJson(const HangReport &report)
{
    JsonArray hangs;
    for (const Hang &hang : report.hangs)
        hangs.push_back(JsonObject{{"process", hang.thread.process},
                                   {"pid", hang.thread.pid},
                                   {"thread", hang.thread.name},
                                   {"tid", hang.thread.tid},
                                   {"call", attachCall(hang.call.call)->name},
                                   {"seconds", jsonNumber(hang.seconds())}});
    JsonArray kernels;
    for (const TrackedKernel &kernel : report.kernels)
        kernels.push_back(JsonObject{{"kernel", kernelNameForUsers(kernel.name)},
                                     {"name", kernel.name},
                                     {"stream", jsonTextOrNull(kernel.stream)},
                                     {"channel", jsonTextOrNull(kernel.channel)},
                                     {"pc", jsonTextOrNull(kernel.pc)}});
    return {{"after_s", jsonNumber(report.afterSeconds)},
            {"hangs", hangs},
            {"kernels", kernels},
            {"library", jsonTextOrNull(report.library)},
            {"reason", jsonTextOrNull(report.refusal)},
            {"capture", jsonTextOrNull(report.capture)},
            {"failure", jsonTextOrNull(report.failure)}};
}

std::string hangsText(const HangReport &report)
{
    if (report.hangs.empty() && report.kernels.empty())
        return "  no call waited for the GPU for " + fixedText(report.afterSeconds, 0) + " s\n";
    std::string text;
    for (const Hang &hang : report.hangs)
        text += "  " + hangWords(hang) + "\n";
    for (const TrackedKernel &kernel : report.kernels)
        text += "  " + kernelWords(kernel) + "\n";
    if (!report.refusal.empty())
        text += "  " + report.refusal + "\n";
    return text;
}

} // namespace jetscope
