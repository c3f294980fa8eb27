// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/board/machinereport.h"
#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

#include <filesystem>

namespace jetscope {

int doctorCommand(const Options &options)
{
    CameraSurvey survey;
    survey.root = options.sysroot.value_or("/");
    std::error_code error;
    if (!std::filesystem::is_directory(survey.root, error))
        return complain(sentence("--sysroot: there is no folder " + quotedWords(survey.root)), WrongUsage);
    MachineReport report = examineMachine(survey);
    std::string trouble = report.trouble();
    if (options.source) {
        report.stream =
            examineStream(*options.source, [](const std::string &uri) { return openSource(uri, Pacing::Real); });
        if (trouble.empty())
            trouble = report.stream->error;
    }
    if (!trouble.empty())
        complain(trouble);
    return finishWith(options.json ? jsonLine(doctorJson(report)) : doctorText(report),
                      trouble.empty() ? Good : Failed);
}

} // namespace jetscope
