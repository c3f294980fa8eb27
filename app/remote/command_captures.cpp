// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/progressline.h"
#include "app/commandline/textlayout.h"
#include "gpu/remote/capturefolder.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace jetscope {

namespace {

std::string megabytes(std::uint64_t bytes)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
    return text;
}

std::string dateText(std::int64_t unixNs)
{
    const std::time_t seconds = unixNs / 1'000'000'000;
    std::tm local{};
    char text[32] = "?";
    if (::localtime_r(&seconds, &local))
        std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
    return text;
}

std::string listText(const CaptureFolder &folder, const CaptureList &list)
{
    const std::vector<BoardCapture> &captures = list.captures;
    std::size_t width = 0;
    for (const BoardCapture &capture : captures)
        width = std::max(width, textWidth(capture.name) + 2);
    std::string text;
    for (const BoardCapture &capture : captures) {
        const std::string length = capture.lengthNs > 0 ? clockText(capture.lengthNs) : "?";
        text += padded(capture.name, width) + rightAligned(megabytes(capture.bytes), 12) + rightAligned(length, 10)
            + "  " + dateText(capture.writtenNs) + (capture.grows ? "  is being recorded" : "")
            + (capture.trouble.empty() ? "" : "  not whole: " + capture.trouble) + "\n";
    }
    if (list.folder.empty())
        return "no captures, because there is no place for them: HOME is not set\n";
    return text + (captures.empty() ? "no captures; " : "") + folder.roomText() + "\n";
}

std::string listJson(const CaptureList &list)
{
    JsonArray rows;
    for (const BoardCapture &capture : list.captures)
        rows.push_back(JsonObject{
            {"name", capture.name},
            {"bytes", capture.bytes},
            {"length_s", capture.lengthNs > 0 ? jsonNumber(static_cast<double>(capture.lengthNs) / 1e9) : JsonValue()},
            {"written", capture.writtenNs / 1'000'000'000},
            {"growing", capture.grows},
            {"trouble", jsonTextOrNull(capture.trouble)}});
    return jsonLine({{"folder", list.folder},
                     {"free_bytes", list.freeBytes ? JsonValue(*list.freeBytes) : JsonValue()},
                     {"captures", rows}});
}

} // namespace

int capturesCommand(const Options &options)
{
    CaptureFolder folder = CaptureFolder::ofUser();
    if (const std::optional<std::string> &name = options.captures.remove) {
        if (const Status removed = folder.remove(*name); !removed.ok())
            return complain(removed.error(), Failed);
        return finishWith(options.json ? jsonLine({{"deleted", *name}}) : "deleted " + *name + "\n", Good);
    }
    const CaptureList list = folder.list();
    return finishWith(options.json ? listJson(list) : listText(folder, list), Good);
}

} // namespace jetscope
