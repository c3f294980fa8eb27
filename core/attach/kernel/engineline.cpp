// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/kernel/engineline.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <limits>

namespace jetscope {

namespace {

constexpr std::size_t kMaxEngineBytes = 64;

/// What stands behind "KEY=" up to the next comma or blank. nvhost writes no blank behind some commas.
std::optional<std::string_view> fieldOf(std::string_view arguments, std::string_view key)
{
    for (std::size_t at = arguments.find(key); at != std::string_view::npos; at = arguments.find(key, at + 1)) {
        const std::size_t behind = at + key.size();
        const bool begins = at == 0 || arguments[at - 1] == ' ' || arguments[at - 1] == ',';
        if (!begins || behind >= arguments.size() || arguments[behind] != '=')
            continue;
        const std::string_view rest = arguments.substr(behind + 1);
        return rest.substr(0, rest.find_first_of(", "));
    }
    return std::nullopt;
}

/// The kernel writes many of its unsigned numbers as signed ones.
std::optional<std::uint32_t> numberOf(std::string_view arguments, std::string_view key)
{
    const std::optional<std::string_view> text = fieldOf(arguments, key);
    const std::optional<std::int64_t> number = parseNumber<std::int64_t>(
        text.value_or(""), std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::uint32_t>::max());
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

/// Linux 5.13 and later write a name that is not a constant of the kernel as "(0xADDRESS:NAME)[UNSAFE-MEMORY]"
/// (trace_check_vprintf in kernel/trace/trace.c).
std::string_view withoutWarning(std::string_view name)
{
    constexpr std::string_view kBegin = "(0x";
    constexpr std::string_view kEnd = ")[UNSAFE-MEMORY]";
    const std::size_t colon = name.find(':');
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || colon == std::string_view::npos)
        return name;
    name.remove_suffix(kEnd.size());
    return name.substr(std::min(colon + 1, name.size()));
}

bool isNameByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
        || std::string_view("._:@-").find(c) != std::string_view::npos;
}

/// Names of devices are the kernel's.
std::optional<std::string_view> engineOf(std::string_view arguments)
{
    const std::optional<std::string_view> field = fieldOf(arguments, "name");
    if (!field)
        return std::nullopt;
    const std::string_view name = withoutWarning(*field);
    if (name.empty() || name.size() > kMaxEngineBytes || !std::all_of(name.begin(), name.end(), isNameByte))
        return std::nullopt;
    return name;
}

} // namespace

std::optional<EngineEvent> parseEngineEvent(jsa_traced_use use, std::string_view arguments)
{
    EngineEvent event;
    event.use = use;
    if (use == JSA_TRACED_VALUE) {
        event.syncpoint = numberOf(arguments, "id");
        event.value = numberOf(arguments, "val");
        return event.syncpoint && event.value ? std::optional(event) : std::nullopt;
    }
    const std::optional<std::string_view> engine = engineOf(arguments);
    if (!engine)
        return std::nullopt;
    event.engine = *engine;
    event.channel = numberOf(arguments, "chid");
    if (!event.channel) // Before L4T 32.
        event.channel = numberOf(arguments, "hw_chid");
    if (use == JSA_TRACED_COMPLETE) {
        event.value = numberOf(arguments, "thresh");
        return event.value ? std::optional(event) : std::nullopt;
    }
    if (use == JSA_TRACED_SUBMIT)
        event.syncpoint = numberOf(arguments, "syncpt_id");
    if (use != JSA_TRACED_SUBMITTED)
        return event;
    event.value = numberOf(arguments, "syncpt_max");
    if (event.channel) {
        event.syncpoint = numberOf(arguments, "incr_id");
        event.value = numberOf(arguments, "incr_value");
        if (event.syncpoint == 0U && event.value == 0U) // It has no fence.
            event.syncpoint = event.value = std::nullopt;
    }
    return event;
}

} // namespace jetscope
