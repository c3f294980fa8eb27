// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commandline.h"
#include "app/commandline/commands.h"
#include "app/commandline/commandtable.h"
#include "app/commandline/console.h"
#include "app/commandline/help.h"
#include "app/commandline/lastwords.h"
#include "app/remote/boardrun.h"
#include "core/remote/reach/askpassname.h"
#include "core/remote/wire/buildid.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/stages/stagetrial.h"
#include "gpu/verify/verifyrun.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

int runProgram(int argc, char **argv, std::span<const std::string_view> words, const jetscope::Options &options)
{
    using namespace jetscope;
    if (options.help)
        return finishWith(helpText(options.command), Good);
    if (options.version)
        return finishWith(versionText(), Good);
    if (options.buildId)
        return finishWith(std::string(buildId()) + "\n", Good);
    if (options.manPage)
        return finishWith(manPage(), Good);
    if (options.reference)
        return finishWith(optionReference(), Good);
    // What the lab measures may need a screen of this machine.
    if (!options.hosts.empty() && options.command != Command::Window && options.command != Command::Lab)
        return runOnBoards(options, words);
    return commandRow(options.command).run(argc, argv, options);
}

} // namespace

int main(int argc, char **argv)
{
    jetscope::keepStandardFilesOpen();
    if (const std::optional<int> trial = jetscope::cuptiTrialIfAsked(argc, argv))
        return *trial;
    if (const std::optional<int> trial = jetscope::stageTrialIfAsked(argc, argv))
        return *trial;
    if (argc > 0 && std::string_view(argv[0]).ends_with(jetscope::kAskPassName))
        return jetscope::askPassCommand(argc, argv);
    jetscope::silenceLibraries();
    if (const std::optional<int> row = jetscope::verifyRowIfAsked(argc, argv))
        return *row;
    jetscope::turnSignalsIntoErrors();
    jetscope::giveLastWords();
    const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (const std::optional<std::string> completions = jetscope::completionsIfAsked(words))
        return jetscope::finishWith(*completions, jetscope::Good);
    const jetscope::Result<jetscope::Options> options = jetscope::parseCommandLine(words);
    if (!options.ok())
        return jetscope::complain(options.error(), jetscope::WrongUsage);
    return runProgram(argc, argv, words, options.value());
}
