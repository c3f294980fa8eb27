// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/help.h"

#include "app/commandline/commandtable.h"
#include "app/commandline/optiontable.h"
#include "app/commandline/textlayout.h"

namespace jetscope {

namespace {

constexpr std::size_t kHelpColumn = 28;
constexpr std::size_t kUsageColumn = 43;
constexpr std::size_t kHelpWidth = 100;

constexpr const char *kExitCodes = "Exit codes: 0 good, 1 failed (of a comparison: worse), 2 wrong usage or a choice "
                                   "that the device does not have, 3 no\n"
                                   "verdict of a comparison.\n";

std::string optionLines(Command command)
{
    std::string text = "Options:\n";
    for (const OptionSpec &option : optionTable()) {
        if (option.help.empty() || !option.belongsTo(command))
            continue;
        std::string head = "  --" + std::string(option.name);
        if (!option.placeholder.empty())
            head += " " + std::string(option.placeholder);
        text += hangingParagraph(head, option.fullHelp(), kHelpColumn, kHelpWidth);
    }
    return text;
}

std::string usageLines(Command command)
{
    const auto operands = [](const CommandRow &row) {
        return row.operands.empty() ? std::string() : " " + std::string(row.operands);
    };
    const CommandRow &own = commandRow(command);
    if (!own.name.empty())
        return "Usage: " + commandName(command) + operands(own) + " [OPTION]…\n";
    std::string text;
    for (const CommandRow &row : commandTable())
        text += padded((text.empty() ? "Usage: " : "       ") + commandName(row.command) + operands(row) + " [OPTION]…",
                       kUsageColumn)
            + std::string(row.help) + "\n";
    return text + "\"jetscope COMMAND --help\" lists the options of a command.\n";
}

} // namespace

const char *programPurpose()
{
    return "Jetscope inspects CPU+GPU camera pipelines: where each frame's time goes, and what waits for what.";
}

const char *exitCodes()
{
    return kExitCodes;
}

const char *versionNumber()
{
    return JETSCOPE_VERSION;
}

std::string versionText()
{
    return std::string("jetscope ") + versionNumber() + "\n";
}

std::string homesOf(const OptionSpec &option)
{
    std::string homes;
    for (const CommandRow &row : commandTable())
        if (option.belongsTo(row.command))
            homes += (homes.empty() ? "" : ", ") + std::string(row.name.empty() ? "window" : row.name);
    return homes;
}

std::string helpText(Command command)
{
    std::string text = std::string(programPurpose()) + "\n\n";
    text += usageLines(command) + "\n" + optionLines(command) + "\n";
    return text + commandRow(command).notes() + exitCodes();
}

} // namespace jetscope
