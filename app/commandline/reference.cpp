// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/help.h"

#include "app/commandline/commandtable.h"
#include "app/commandline/optiontable.h"

#include <sstream>
#include <string_view>

namespace jetscope {

namespace {

/// Text that Markdown prints as it stands, in tables, too.
std::string markdown(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (std::string_view("|*<\\`").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

std::string code(std::string_view text)
{
    return "`" + std::string(text) + "`";
}

std::string commandPart(const CommandRow &row)
{
    std::string usage = commandName(row.command);
    if (!row.operands.empty())
        usage += " " + std::string(row.operands);
    std::string text =
        "### " + commandName(row.command) + "\n\n" + code(usage + " [OPTION]…") + ": " + markdown(row.help) + ".\n\n";
    std::istringstream lines{std::string(row.notes())};
    std::string examples;
    for (std::string line; std::getline(lines, line);) {
        constexpr std::string_view kExample = "Example: ";
        if (line.starts_with(kExample))
            examples += line.substr(kExample.size()) + "\n";
        else
            text += markdown(line) + "\n";
    }
    if (!examples.empty())
        text += "\n```sh\n" + examples + "```\n";
    return text + "\n";
}

std::string optionRow(const OptionSpec &option)
{
    std::string head = "--" + std::string(option.name);
    if (!option.placeholder.empty())
        head += " " + std::string(option.placeholder);
    return "| " + code(head) + " | " + homesOf(option) + " | " + markdown(option.fullHelp()) + " |\n";
}

} // namespace

std::string optionReference()
{
    std::string text = "# Commands and options\n\nMade by `jetscope --reference` from the tables of the program.\n\n"
        + markdown(exitCodes()) + "\n## Commands\n\n";
    for (const CommandRow &row : commandTable())
        text += commandPart(row);
    text += "## Options\n\n| option | commands | what it does |\n|---|---|---|\n";
    for (const OptionSpec &option : optionTable())
        if (!option.help.empty())
            text += optionRow(option);
    return text;
}

} // namespace jetscope
