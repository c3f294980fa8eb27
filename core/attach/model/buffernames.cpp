// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/buffernames.h"

#include "core/text/utf8.h"

#include <string_view>

namespace jetscope {

namespace {

constexpr std::size_t kMaxBufferNames = 4096;
constexpr int kNamesShown = 3;

/// Names may hold any bytes.
std::string readable(std::string_view name)
{
    std::string text;
    while (!name.empty()) {
        const std::size_t length = characterLength(name);
        const bool isGood = length > 0 && !isControl(name.substr(0, length));
        text += isGood ? name.substr(0, length) : std::string_view("?");
        name.remove_prefix(length > 0 ? length : 1);
    }
    return text;
}

} // namespace

bool marksBuffer(const AttachEvent &event)
{
    return event.call == JSA_CALL_MARK && event.argument[0] == JSA_MARK_BUFFER;
}

void BufferNames::take(const AttachEvent &event, std::int32_t pid)
{
    if (!marksBuffer(event) || event.argument[2] == 0)
        return;
    const Range range{pid, event.argument[1], event.argument[2]};
    if (event.text.empty())
        m_names.erase(range);
    else if (m_names.size() < kMaxBufferNames || m_names.contains(range))
        m_names[range] = readable(event.text);
}

void BufferNames::forget(std::int32_t pid, std::uint64_t address, std::uint64_t bytes)
{
    for (auto name = m_names.lower_bound({pid, address, 0});
         name != m_names.end() && std::get<0>(name->first) == pid && std::get<1>(name->first) - address < bytes;)
        name = m_names.erase(name);
}

std::string BufferNames::in(std::int32_t pid, std::uint64_t address, std::uint64_t bytes) const
{
    std::string text;
    int shown = 0;
    for (auto name = m_names.lower_bound({pid, 0, 0}); name != m_names.end(); ++name) {
        const auto &[process, from, size] = name->first;
        const bool isBehind = from >= address && from - address >= bytes;
        if (process != pid || isBehind || shown == kNamesShown)
            break;
        if (from >= address || address - from < size)
            text += (shown++ == 0 ? "named \"" : ", \"") + name->second + "\"";
    }
    return text;
}

} // namespace jetscope
