// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/help.h"

#include "app/commandline/commandtable.h"
#include "app/commandline/optiontable.h"

#include <sstream>
#include <string_view>

namespace jetscope {

namespace {

struct ManExample {
    std::string_view purpose;
    std::string_view line;
};

constexpr ManExample kManExamples[] = {
    {"A USB camera in the window:", "jetscope --source 'v4l2:/dev/video0?size=1280x720&fps=30'"},
    {"The window records from its first frame and keeps the newest 20 million spans:",
     "jetscope --record a.jscope --most-spans 20M"},
    {"The frames of a video, with a checksum of the output:",
     "jetscope run --source file:clip.mp4 --frames 200 --checksum --json"},
    {"Another synchronization from frame 100 on:",
     "jetscope run --frames 200 --sync finish --at 100 sync=eglsync --record a.jscope"},
    {"The slowest kernels of that recording:",
     "jetscope query a.jscope \"SELECT name, max(duration_ns) FROM spans WHERE category = 'kernel' GROUP BY name\""},
    {"Which choices make this pipeline faster on this machine:",
     "jetscope run --memory pageable --output copy-back --try"},
};

/// Text that troff prints as it stands: a plain minus, no escapes, no requests, ASCII only.
std::string troff(std::string_view text)
{
    constexpr std::string_view kEllipsis = "…";
    std::string out;
    if (text.starts_with('.') || text.starts_with('\''))
        out = "\\&";
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.substr(at).starts_with(kEllipsis)) {
            out += "...";
            at += kEllipsis.size() - 1;
        } else if (text[at] == '-') {
            out += "\\-";
        } else if (text[at] == '\\') {
            out += "\\e";
        } else {
            out += text[at];
        }
    }
    return out;
}

std::string bold(std::string_view text)
{
    return "\\fB" + troff(text) + "\\fR";
}

std::string italic(std::string_view text)
{
    return text.empty() ? "" : "\\fI" + troff(text) + "\\fR";
}

std::string synopsisSection()
{
    std::string text = ".SH SYNOPSIS\n" + bold("jetscope") + " [" + italic("FILE") + "] [" + italic("OPTION…") + "]\n";
    for (const CommandRow &spec : commandTable()) {
        if (spec.name.empty())
            continue;
        text += ".br\n" + bold("jetscope " + std::string(spec.name)) + " ";
        if (!spec.operands.empty())
            text += italic(spec.operands) + " ";
        text += "[" + italic("OPTION…") + "]\n";
    }
    return text;
}

/// The notes of the help as paragraphs; a line that begins with "Example: " stands alone.
std::string notesOf(Command command)
{
    std::istringstream lines{commandRow(command).notes()};
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        constexpr std::string_view kExample = "Example: ";
        if (line.starts_with(kExample))
            text += ".PP\nExample:\n.br\n" + bold(std::string_view(line).substr(kExample.size())) + "\n";
        else
            text += troff(line) + "\n";
    }
    return text;
}

std::string subsection(Command command, std::string_view help)
{
    return ".SS \"" + troff(commandName(command)) + "\"\n" + troff(help) + ".\n.PP\n" + notesOf(command);
}

std::string commandSection()
{
    std::string text = ".SH COMMANDS\n";
    for (const CommandRow &spec : commandTable())
        text += subsection(spec.command, spec.help);
    return text;
}

std::string optionSection()
{
    std::string text = ".SH OPTIONS\nIn brackets: the commands that take the option.\n";
    for (const OptionSpec &option : optionTable()) {
        if (option.help.empty())
            continue;
        text += ".TP\n" + bold("--" + std::string(option.name));
        if (!option.placeholder.empty())
            text += " " + italic(option.placeholder);
        text += "\n[" + homesOf(option) + "] " + troff(option.fullHelp()) + ".\n";
    }
    return text;
}

std::string exampleSection()
{
    std::string text = ".SH EXAMPLES\n";
    for (const ManExample &example : kManExamples)
        text += ".PP\n" + troff(example.purpose) + "\n.br\n" + bold(example.line) + "\n";
    return text;
}

} // namespace

std::string manPage()
{
    std::string text = ".\\\" SPDX-FileCopyrightText: 2026 The Jetscope authors\n"
                       ".\\\" SPDX-License-Identifier: Apache-2.0\n"
                       ".\\\" Made by: jetscope --man\n";
    // Neither hyphens nor wide gaps in what is to be copied.
    text += ".TH JETSCOPE 1 \"\" \"Jetscope " + std::string(versionNumber()) + "\" \"User Commands\"\n.nh\n.ad l\n";
    text += ".SH NAME\njetscope \\- inspect CPU+GPU camera pipelines on NVIDIA Jetson\n";
    text += synopsisSection();
    text += ".SH DESCRIPTION\n" + troff(programPurpose()) + "\n";
    text += commandSection() + optionSection();
    text += ".SH EXIT STATUS\n" + troff(exitCodes()) + exampleSection();
    return text;
}

} // namespace jetscope
