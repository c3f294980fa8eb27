// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/progressline.h"

#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

#include <cstdio>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::int64_t kShowEveryNs = 500'000'000;

std::string twoDigits(std::int64_t value)
{
    return (value < 10 ? "0" : "") + std::to_string(value);
}

constexpr std::int64_t kTellEveryNs = 250'000'000;

} // namespace

std::string clockText(std::int64_t ns)
{
    const std::int64_t seconds = (ns + 500'000'000) / 1'000'000'000;
    const std::string tail = ":" + twoDigits(seconds % 60);
    const std::int64_t minutes = seconds / 60;
    return minutes < 60 ? std::to_string(minutes) + tail
                        : std::to_string(minutes / 60) + ":" + twoDigits(minutes % 60) + tail;
}

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine()
{
    clear();
}

void ProgressLine::show(double fraction, std::string_view text, std::int64_t nowNs)
{
    if (m_terminal) {
        if (m_shown && nowNs - m_shownNs < kShowEveryNs)
            return;
        m_shown = true;
        m_shownNs = nowNs;
        std::fprintf(stderr, "\r\x1b[K%.*s", static_cast<int>(text.size()), text.data());
        std::fflush(stderr);
        return;
    }
    const int tenth = static_cast<int>(fraction * 10);
    if (tenth <= m_tenth)
        return;
    m_tenth = tenth;
    std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

void ProgressLine::clear()
{
    if (m_shown)
        std::fputs("\r\x1b[K", stderr);
    m_shown = false;
}

void ProgressJson::show(const std::function<JsonObject()> &make, std::int64_t nowNs)
{
    if (!m_wanted || (m_shown && nowNs - m_shownNs < kTellEveryNs))
        return;
    m_shown = true;
    m_shownNs = nowNs;
    tell("progress", make());
}

void ProgressJson::tell(const char *event, JsonObject object) const
{
    if (!m_wanted)
        return;
    object["event"] = event;
    static_cast<void>(print(jsonLine(object)));
}

} // namespace jetscope
