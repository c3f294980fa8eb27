// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/help.h"

#include "app/optiontable.h"
#include "app/textlayout.h"

namespace jetscope {

namespace {

constexpr std::size_t kHelpColumn = 28;
constexpr std::size_t kUsageColumn = 43;
constexpr std::size_t kHelpWidth = 100;

constexpr const char *kExitCodes =
    "Exit codes: 0 good, 1 failed, 2 wrong usage or a choice that the device does not have.\n";
constexpr const char *kDoctorNotes =
    "doctor reports whatever it finds; its exit code is 1 when the pipeline cannot run here at all.\n";
constexpr const char *kWindowNotes =
    "FILE is a .jscope capture, a Chrome trace (JSON) or an Nsight Systems export (SQLite).\n"
    "What is not given is taken from the last session, else from the best device and the synthetic camera.\n"
    "--record does from the start what the button Record does; the window offers the file when it ends.\n";
constexpr const char *kRunNotes = "What is not given: the best device, source synthetic:?size=1280x720, memory pinned, "
                                  "output eglimage, the best safe sync\n"
                                  "that the device has, no CPU stage, 2 frames in flight, 1 stream. The source is read "
                                  "as fast as the pipeline takes it.\n"
                                  "Ctrl-C ends the run and prints the figures so far.\n"
                                  "Example: jetscope run --source file:clip.avi --device soft:orin --frames 200 --at "
                                  "100 memory=zero-copy,sync=event --json\n";

constexpr const char *kConvertNotes =
    "IN is a .jscope capture, a Chrome trace (JSON) or an Nsight Systems export (\"nsys export --type sqlite\"), known "
    "by its\n"
    "content. The ending of OUT says what is made: .jscope a capture, .json a Chrome trace, which Perfetto, Tracy and\n"
    "chrome://tracing open, .csv a table of the frames. OUT must not exist yet. Ctrl-C leaves no OUT behind.\n"
    "--json prints \"in\", \"out\", \"spans\", \"frames\", \"left_out\" (spans that --most-spans cost) and \"notes\".\n"
    "Example: jetscope convert report.sqlite report.jscope\n";
constexpr const char *kQueryNotes =
    "FILE is a .jscope capture, SQL one SELECT; it can change nothing. Rows are lines of values separated by tabs, "
    "without a\n"
    "head; NULL is empty, tabs, line ends and whatever a terminal would obey are written \\t, \\n, \\x1b. A value may "
    "have\n"
    "8 MiB. The tables are spans, frames, frame_numbers, frame_path, edges, counters, switches, hazards, marks, "
    "lanes,\n"
    "names and device.\n"
    "--json prints one object: \"columns\" with the names, \"rows\" with an array of values for each row, and "
    "\"complete\",\n"
    "which is false where an error or Ctrl-C came between. A blob is a text x'…'; a number that JSON has not is null.\n"
    "Example: jetscope query a.jscope \"SELECT name, count(*), sum(duration_ns) FROM spans GROUP BY name\"\n";

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
    const auto operands = [](const CommandSpec &spec) {
        return spec.operands.empty() ? std::string() : " " + std::string(spec.operands);
    };
    std::string text = "Usage: " + commandName(command);
    if (const CommandSpec *const own = findCommand(command))
        return text + operands(*own) + " [OPTION]…\n";
    text += " [FILE] [OPTION]…";
    text = padded(text, kUsageColumn) + "open the window, on a trace if one is given\n";
    for (const CommandSpec &spec : commandTable())
        text += padded("       jetscope " + std::string(spec.name) + operands(spec) + " [OPTION]…", kUsageColumn)
            + std::string(spec.help) + "\n";
    return text + "\"jetscope COMMAND --help\" lists the options of a command.\n";
}

} // namespace

const char *programPurpose()
{
    return "Jetscope inspects CPU+GPU camera pipelines: where each frame's time goes, and who waits for whom.";
}

const char *commandNotes(Command command)
{
    switch (command) {
    case Command::Window:
        return kWindowNotes;
    case Command::Run:
        return kRunNotes;
    case Command::Convert:
        return kConvertNotes;
    case Command::Query:
        return kQueryNotes;
    case Command::Doctor:
        return kDoctorNotes;
    }
    return "";
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

std::string helpText(Command command)
{
    std::string text = std::string(programPurpose()) + "\n\n";
    text += usageLines(command) + "\n" + optionLines(command) + "\n";
    return text + commandNotes(command) + kExitCodes;
}

} // namespace jetscope
