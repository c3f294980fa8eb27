// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"
#include "core/exchange/opentrace.h"
#include "core/gate/baseline.h"
#include "core/text/shorttext.h"

#include <filesystem>
#include <system_error>

namespace jetscope {

namespace {

int setBaseline(const Options &options, const Baselines &baselines)
{
    if (options.operands.size() < 3)
        return complain(sentence("a baseline needs a name and captures: write \"jetscope baseline set NAME CAPTURE…\""),
                        WrongUsage);
    const std::vector<std::string> captures(options.operands.begin() + 2, options.operands.end());
    for (const std::string &capture : captures) {
        const Result<FileKind> kind = fileKindOf(capture);
        if (!kind.ok())
            return complain(kind.error(), Failed);
        if (kind.value() != FileKind::Capture)
            return complain(sentence(capture + " is no capture of Jetscope: \"jetscope convert\" makes one of it"),
                            Failed);
    }
    if (const Status set = baselines.set(options.operands[1], captures, {}); !set.ok())
        return complain(set.error(), Failed);
    return finishWith(options.json
                          ? jsonLine({{"baselines", JsonArray{options.operands[1]}}})
                          : counted(captures.size(), "capture") + " kept as baseline " + options.operands[1] + "\n",
                      Good);
}

int listBaselines(const Options &options, const Baselines &baselines, const std::string &folder)
{
    std::error_code unknown;
    // That of the user is made when it is needed.
    if (options.gate.baselines && !std::filesystem::is_directory(folder, unknown))
        return complain(sentence(folder + " is no folder: name that of the baselines"), Failed);
    const std::vector<std::string> names = baselines.names();
    if (options.json)
        return finishWith(jsonLine({{"baselines", names}}), Good);
    std::string text;
    for (const std::string &name : names)
        text += name + "\n";
    return finishWith(text, Good);
}

int showBaseline(const Options &options, const Baselines &baselines)
{
    if (options.operands.size() != 2)
        return complain(sentence("one name of a baseline is needed: write \"jetscope baseline show NAME\""),
                        WrongUsage);
    const Result<Baseline> baseline = baselines.find(options.operands[1]);
    if (!baseline.ok())
        return complain(baseline.error(), Failed);
    if (options.json)
        return finishWith(jsonLine({{"baselines", JsonArray{options.operands[1]}},
                                    {"captures", baseline.value().captures},
                                    {"reasons", baseline.value().reasons}}),
                          Good);
    std::string text;
    for (const std::string &capture : baseline.value().captures)
        text += "Capture   " + capture + "\n";
    for (const std::string &reason : baseline.value().reasons)
        text += "Accepted  " + reason + "\n";
    return finishWith(text, Good);
}

} // namespace

int baselineCommand(const Options &options)
{
    const std::string folder = options.gate.baselines.value_or(Baselines::folderOfThisUser());
    if (folder.empty())
        return complain(
            sentence("there is no folder for baselines, because HOME is not set: name one with --baselines"), Failed);
    const Baselines baselines(folder);
    const std::string &action = options.operands[0];
    if (action == "set")
        return setBaseline(options, baselines);
    if (action == "list")
        return listBaselines(options, baselines, folder);
    if (action == "show")
        return showBaseline(options, baselines);
    return complain(sentence("there is no action " + quotedWords(action) + " of baselines: take set, list or show"),
                    WrongUsage);
}

} // namespace jetscope
