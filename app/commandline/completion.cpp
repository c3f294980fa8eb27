// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/help.h"

#include "app/commandline/commandtable.h"
#include "app/commandline/optiontable.h"

#include <algorithm>
#include <vector>

namespace jetscope {

namespace {

/// The command is the first word that is one of their names; before it only options of the window can stand.
Command commandIn(std::span<const std::string_view> words)
{
    for (const std::string_view word : words)
        for (const CommandRow &row : commandTable())
            if (!row.name.empty() && row.name == word)
                return row.command;
    return Command::Window;
}

/// The names in "pinned, zero-copy or unified". Parts with blanks are words about the default, which cannot be typed.
std::vector<std::string> namesIn(std::string text)
{
    constexpr std::string_view kLast = " or ";
    if (const auto last = text.rfind(kLast); last != std::string::npos)
        text.replace(last, kLast.size(), ", ");
    std::vector<std::string> names;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(", ", start), text.size());
        if (std::string name = text.substr(start, end - start); name.find(' ') == std::string::npos)
            names.push_back(std::move(name));
        start = end + 2;
    }
    return names;
}

std::vector<std::string> optionsOf(Command command)
{
    std::vector<std::string> names;
    for (const OptionSpec &option : optionTable())
        if (option.belongsTo(command) && !option.help.empty())
            names.push_back("--" + std::string(option.name));
    return names;
}

std::vector<std::string> commandNames()
{
    std::vector<std::string> names;
    for (const CommandRow &row : commandTable())
        if (!row.name.empty())
            names.emplace_back(row.name);
    return names;
}

} // namespace

std::string completionsOf(std::span<const std::string_view> words)
{
    if (words.empty())
        return {};
    const std::string_view typed = words.back();
    const std::span<const std::string_view> before = words.first(words.size() - 1);
    const Command command = commandIn(before);
    std::vector<std::string> candidates;
    const bool behindOption = !before.empty() && before.back().starts_with("--");
    const OptionSpec *option = behindOption ? findOption(before.back().substr(2), command) : nullptr;
    if (option && option->belongsTo(command) && option->valueCount() > 0)
        candidates = option->valueCount() == 1 ? namesIn(option->legalValues()) : candidates;
    else if (typed.starts_with('-'))
        candidates = optionsOf(command);
    else if (before.empty())
        candidates = commandNames();
    std::string lines;
    for (const std::string &candidate : candidates)
        if (candidate.starts_with(typed))
            lines += candidate + "\n";
    return lines;
}

std::optional<std::string> completionsIfAsked(std::span<const std::string_view> words)
{
    if (words.empty() || words.front() != "--complete")
        return std::nullopt;
    return completionsOf(words.subspan(1));
}

} // namespace jetscope
