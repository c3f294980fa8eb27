// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/recordingwatch.h"

#include "app/commandline/console.h"
#include "app/commandline/textlayout.h"
#include "core/system/besidedatabase.h"

#include <utility>

namespace jetscope {

void RecordingWatch::look(const TraceFileWriter &writer)
{
    const RecordingProgress progress = writer.progress();
    const bool isWaiting = !progress.waiting.empty();
    if (isWaiting != std::exchange(m_waiting, isWaiting) && isWaiting)
        complain(progress.waiting);
    if (!progress.failure.empty())
        sayFailure(endedEarly(progress.failure));
}

void RecordingWatch::sayFailure(const std::string &failure)
{
    if (!std::exchange(m_saidFailure, true))
        complain(failure);
}

std::string endedEarly(const std::string &failure)
{
    return "the recording ended early: " + failure;
}

std::string lacksValues(std::uint64_t lost, const RecordingProgress &progress)
{
    return "the recording lacks " + counted(lost, "value") + ", because "
        + (progress.hasWaited ? "another program held the file locked" : "the machine was too busy");
}

Status makeRoomForCapture(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const std::string moved, moveLeftOversAway(path));
    if (!moved.empty())
        complain(moved);
    return {};
}

} // namespace jetscope
