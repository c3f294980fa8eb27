// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include "app/console.h"
#include "app/doctor/doctorjson.h"
#include "app/doctor/doctortext.h"
#include "app/jsonvalues.h"

namespace jetscope {

int doctorCommand(const Options &options)
{
    const MachineReport report = examineMachine();
    const std::string trouble = report.trouble();
    if (!trouble.empty())
        complain(trouble);
    return finishWith(options.json ? jsonLine(doctorJson(report)) : doctorText(report),
                      trouble.empty() ? Good : Failed);
}

} // namespace jetscope
