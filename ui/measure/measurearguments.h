// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepplan.h"

#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

/// What to measure on.
struct MeasuredOn {
    std::string source;
    std::string deviceId;
};

/// A sweep that the user asked for.
struct SweepWish {
    MeasuredOn on;
    SweepChoices choices; ///< With lists of names; `all` is not used.
    std::optional<std::uint64_t> rounds;
    std::optional<std::uint64_t> seconds;
    QString file;
};

// Arguments of the program for a child process, which prints its progress and its result as JSON lines.

QStringList sweepArguments(const SweepWish &wish);
/// Goes on with a file.
/// With the source that the user has seen and allowed; empty if it needs none.
QStringList resumeArguments(const QString &file, const std::string &allowedSource);
QStringList experimentArguments(const QString &experiment, const std::string &deviceId);
QStringList probeArguments(const std::string &deviceId);
/// `deviceId` empty: the best one of the machine.
QStringList verifyArguments(const std::string &deviceId);
/// Searches from these choices for at most so many seconds.
QStringList tuneArguments(const MeasuredOn &on, const PipelineConfig &from, std::uint64_t seconds);

} // namespace jetscope
