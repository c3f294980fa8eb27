// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/share/runcommand.h"

#include "core/measure/report/reporttext.h"
#include "gpu/remote/sessionrequest.h"
#include "gpu/sources/framesource.h"

namespace jetscope {

namespace {

/// The choices of `jetscope run` for options that are not given.
PipelineConfig choicesOfRun(OutputKind output, const DeviceFacts &facts)
{
    PipelineConfig config = nearestLegal(PipelineConfig(), facts);
    config.sync = bestSyncMode(output, facts);
    return config;
}

} // namespace

std::string runCommand(const RunChoices &choices, const DeviceFacts &facts)
{
    std::string command = "jetscope run --source " + shellWord(sourceAtItsRate(choices.source)) + " --device "
        + shellWord(choices.deviceId);
    const SettingValues usual = settingsOf(choicesOfRun(choices.config.output, facts));
    const SettingValues values = settingsOf(choices.config);
    // Without an option, a run takes the buffers of a source that has its own.
    const bool hasOwnBuffers = availability(MemoryKind::NvBuf, choices.config, facts).legal();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto &[key, value] = values[i];
        if (value != usual[i].second || (key == "memory" && hasOwnBuffers))
            command += " --" + key + " " + shellWord(value);
    }
    if (!choices.scene.empty())
        command += " --scene " + shellWord(choices.scene);
    if (choices.frameLimit > 0)
        command += " --frames " + std::to_string(choices.frameLimit);
    return command;
}

} // namespace jetscope
