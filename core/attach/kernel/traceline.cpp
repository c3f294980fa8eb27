// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/kernel/traceline.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace jetscope {

namespace {

/// EXIT_DEAD and EXIT_ZOMBIE; TASK_DEAD is 'x' in kernels before 4.14 (include/trace/events/sched.h of Linux).
constexpr std::string_view kEnded = "XZx";
constexpr std::size_t kNameWidth = 16; ///< The kernel pads the names of threads, which have 15 bytes at most.

struct TracedEvent {
    std::string_view name;
    jsa_traced_use use;
};
#define JETSCOPE_TRACED_ROW(group, event, use) TracedEvent{#event, use},
constexpr std::array kTracedEvents = {JSA_TRACED_EVENTS(JETSCOPE_TRACED_ROW)};
#undef JETSCOPE_TRACED_ROW

void skipBlanks(std::string_view &text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

bool skip(std::string_view &text, std::string_view word)
{
    if (!text.starts_with(word))
        return false;
    text.remove_prefix(word.size());
    return true;
}

template <class T>
bool takeTracedNumber(std::string_view &text, T &number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0)
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

/// "82873.937594: "
bool takeTime(std::string_view &text, std::int64_t &ns)
{
    constexpr std::int64_t kMaxSeconds = std::numeric_limits<std::int64_t>::max() / 2'000'000'000;
    std::int64_t seconds = 0;
    std::int64_t micros = 0;
    if (!takeTracedNumber(text, seconds) || seconds > kMaxSeconds || !skip(text, "."))
        return false;
    const std::size_t before = text.size();
    if (!takeTracedNumber(text, micros) || before - text.size() != 6 || !skip(text, ": "))
        return false;
    ns = seconds * 1'000'000'000 + micros * 1000;
    return true;
}

/// "NAME-PID  [CPU] FLAGS TIME: ", with "(TGID) " before the CPU if that is asked for. FLAGS has no blanks.
bool takeHead(std::string_view &text, TraceLine &line)
{
    if (text.size() <= kNameWidth)
        return false;
    text.remove_prefix(kNameWidth);
    if (!skip(text, "-") || !takeTracedNumber(text, line.pid))
        return false;
    skipBlanks(text);
    if (text.starts_with('(')) {
        const std::size_t end = text.find(')');
        if (end == std::string_view::npos)
            return false;
        text.remove_prefix(end + 1);
        skipBlanks(text);
    }
    if (!skip(text, "[") || !takeTracedNumber(text, line.cpu) || !skip(text, "] "))
        return false;
    skipBlanks(text);
    const std::size_t flags = text.find(' ');
    if (flags == std::string_view::npos)
        return false;
    text.remove_prefix(flags);
    skipBlanks(text);
    return takeTime(text, line.ns);
}

/// The number behind the last `key`: what stands before may be a name.
bool lastNumber(std::string_view text, std::string_view key, std::int32_t &number)
{
    const std::size_t at = text.rfind(key);
    if (at == std::string_view::npos)
        return false;
    text.remove_prefix(at + key.size());
    return takeTracedNumber(text, number);
}

/// "prev_comm=NAME prev_pid=PID prev_prio=N prev_state=S ==> next_comm=NAME next_pid=PID next_prio=N". PID of the first
/// is that of the line's head, and no name is long enough for both keys around it.
bool takeSwitch(std::string_view text, TraceLine &line)
{
    constexpr std::string_view kBehindState = " ==> next_comm=";
    const std::string key = " prev_pid=" + std::to_string(line.pid) + " prev_prio=";
    const std::size_t at = text.find(key);
    std::int32_t priority = 0;
    if (!text.starts_with("prev_comm=") || at == std::string_view::npos)
        return false;
    text.remove_prefix(at + key.size());
    (void)skip(text, "-"); // Of deadline threads.
    if (!takeTracedNumber(text, priority) || !skip(text, " prev_state="))
        return false;
    const std::size_t behind = text.find(kBehindState);
    if (behind == std::string_view::npos || behind == 0)
        return false;
    line.isReady = text[0] == 'R';
    line.isEnded = kEnded.find(text[0]) != std::string_view::npos;
    line.kind = TraceLine::Kind::Switch;
    return lastNumber(text.substr(behind + kBehindState.size()), " next_pid=", line.next);
}

} // namespace

std::optional<TraceLine> parseTraceLine(std::string_view text)
{
    TraceLine line;
    if (text.starts_with('#') || text.empty())
        return line;
    if (text.starts_with("CPU:") && text.find(" EVENTS]") != std::string_view::npos) {
        line.kind = TraceLine::Kind::Lost;
        return line;
    }
    if (!takeHead(text, line))
        return std::nullopt;
    const std::size_t end = text.find(':');
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view name = text.substr(0, end);
    if (name == JSA_CONTEXT_EVENT) {
        line.kind = TraceLine::Kind::Context;
        line.arguments = text.substr(end + 1);
        return line;
    }
    const auto *const known = std::find_if(kTracedEvents.begin(), kTracedEvents.end(),
                                           [&](const TracedEvent &event) { return event.name == name; });
    if (known == kTracedEvents.end())
        return line;
    text.remove_prefix(end + 1);
    skipBlanks(text);
    line.name = known->name;
    line.use = known->use;
    switch (known->use) {
    case JSA_TRACED_SWITCH:
        return takeSwitch(text, line) ? std::optional(line) : std::nullopt;
    case JSA_TRACED_WAKE:
        line.kind = TraceLine::Kind::Wake;
        return lastNumber(text, " pid=", line.next) ? std::optional(line) : std::nullopt;
    case JSA_TRACED_MOMENT:
        line.kind = TraceLine::Kind::Driver;
        break;
    default:
        line.kind = TraceLine::Kind::Engine;
        line.arguments = text;
        break;
    }
    return line;
}

} // namespace jetscope
