// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardlayout.h"

#include "core/board/boardsearch.h"
#include "core/system/sysfile.h"
#include "core/text/parsenumber.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxModeFile = 1 << 20;

constexpr int kMaxModeId = 9999; ///< The status has four digits.
constexpr std::size_t kMaxModes = 64;
constexpr std::size_t kMaxModeName = 64;
constexpr std::string_view kModeBlanks = " \t\r\0";

std::string_view withoutBlanks(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kModeBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kModeBlanks) + 1 - first);
}

/// The digits at the front of the text, which must be followed by a blank or the end.
std::optional<int> leadingId(std::string_view text)
{
    const std::optional<int> id = takeNumber<int>(text);
    const bool ends = text.empty() || std::string_view(" \t\r\n\0", 5).find(text.front()) != std::string_view::npos;
    return id && *id >= 0 && *id <= kMaxModeId && ends ? id : std::nullopt;
}

/// What follows "KEY=" in a line whose words are separated by blanks; empty if it is missing.
std::string_view valueOf(std::string_view line, std::string_view key)
{
    for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
        const bool begins = at > 0 && (line[at - 1] == ' ' || line[at - 1] == '\t');
        const std::size_t end = at + key.size();
        if (begins && end < line.size() && line[end] == '=')
            return line.substr(end + 1);
    }
    return {};
}

bool isPlainName(std::string_view name)
{
    return !name.empty() && name.size() <= kMaxModeName
        && std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

} // namespace

const BoardItem *BoardLayout::find(const std::string &name) const
{
    for (const BoardItem &item : items)
        if (item.name == name)
            return &item;
    return nullptr;
}

BoardLayout findBoardLayout(const std::string &root)
{
    BoardLayout layout;
    layout.root = root;
    if (const Result<std::string> modes = textOf(root + "/etc/nvpmodel.conf", kMaxModeFile); modes.ok())
        layout.modes = parsePowerModes(modes.value());
    BoardSearch search(root);
    search.findState();
    search.findGpu();
    search.findMemory();
    search.findProcessor();
    search.findEngines();
    search.findTemperatures();
    search.findRails();
    search.findFans();
    layout.items = search.takeItems();
    layout.limits = search.takeLimits();
    return layout;
}

std::string PowerModes::textOf(int id) const
{
    for (const PowerMode &mode : modes)
        if (mode.id == id)
            return mode.name + " (" + std::to_string(id) + ")";
    return std::to_string(id);
}

PowerModes parsePowerModes(std::string_view text)
{
    PowerModes found;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = withoutBlanks(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with('<') || !line.ends_with('>'))
            continue;
        line = withoutBlanks(line.substr(1, line.size() - 2));
        if (line.starts_with("PM_CONFIG")) {
            if (const std::optional<int> id = leadingId(valueOf(line, "DEFAULT")))
                found.defaultId = id;
        } else if (line.starts_with("POWER_MODEL")) {
            const std::optional<int> id = leadingId(valueOf(line, "ID"));
            const std::string_view name = withoutBlanks(valueOf(line, "NAME"));
            const bool isNew = id && std::none_of(found.modes.begin(), found.modes.end(), [&](const PowerMode &mode) {
                                   return mode.id == *id;
                               });
            if (isNew && isPlainName(name) && found.modes.size() < kMaxModes)
                found.modes.push_back({*id, std::string(name)});
        }
    }
    return found;
}

std::optional<int> parsePowerModeStatus(std::string_view text)
{
    constexpr std::string_view kKey = "pmode:";
    return text.starts_with(kKey) ? leadingId(text.substr(kKey.size())) : std::nullopt;
}

} // namespace jetscope
