// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/pipelineconfig.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

struct SweepSize {
    int width = 0;
    int height = 0;

    std::string text() const { return std::to_string(width) + "x" + std::to_string(height); }
    bool operator==(const SweepSize &) const = default;
};
inline constexpr int kMaxSweepSide = 16384;

/// One combination that a sweep measures. A size of 0x0 is the source's own.
struct SweepCell {
    PipelineConfig config;
    int width = 0;
    int height = 0;

    SweepSize size() const { return {width, height}; }
    bool operator==(const SweepCell &) const = default;
};

/// The values of one setting, as SettingRow::text gives them with '+'.
struct SweepValues {
    std::vector<std::string> named; ///< Named explicitly, which also allows unsafe values.
    bool all = false; ///< Every value of the choice, except unsafe ones that are not named. Of filters each as a chain.

    bool operator==(const SweepValues &) const = default;
};

/// What a sweep varies. `base` has the settings that are not varied.
struct SweepChoices {
    PipelineConfig base;
    std::map<std::string, SweepValues, std::less<>> lists; ///< By the key of a setting that a sweep varies.
    std::vector<SweepSize> sizes;                          ///< Empty: the source's own.

    /// No values if the setting is not varied.
    const SweepValues &of(std::string_view key) const;
};

/// Sets one list from the command line. Keys: those of the settings that a sweep varies (settingtable.h), and sizes.
/// Values are separated by ','; "all" stands for every value and may be followed by names ("all,none"). Chains of
/// filters are separated by '/', their filters by ',' or '+'; sizes are WIDTHxHEIGHT. The error is one sentence with
/// the legal values.
Status setSweepChoice(SweepChoices &choices, std::string_view key, std::string_view text);

/// A combination that is not measured, with the reason in one sentence.
struct LeftOutCell {
    SweepCell cell;
    std::string reason;
};

/// A reason and the number of combinations that it affects.
struct LeftOutReason {
    std::string reason;
    std::size_t cells = 0;
};

struct SweepPlan {
    std::vector<SweepCell> cells; ///< All different. Sizes change slowest, then filters; the wait policy fastest.
    std::vector<LeftOutCell> leftOut;

    /// In the order of the first cell with each reason.
    std::vector<LeftOutReason> reasons() const;
};
/// A plan has at most this many combinations, with those left out.
inline constexpr std::size_t kMaxSweepCells = 20'000;
/// A combination is measured for so long at least in each round.
inline constexpr std::int64_t kLeastStretchNs = 300'000'000;

/// Every combination of the choices. A cell is left out if it is unavailable on the device; or unsafe, unless the
/// unsafe value of each choice was named; or if its wait policy makes no difference: `autoMeans` is the policy that
/// Auto stands for on this device, and where that one is in the list, too, Auto is left out. Nothing else is dropped.
/// An error is one sentence with the remedy: no combination can be measured, or there are too many.
Result<SweepPlan> planSweep(const SweepChoices &choices, const DeviceFacts &facts,
                            std::optional<WaitPolicy> autoMeans = std::nullopt);

/// What a cell computes, and on what size: cells with equal keys may be compared.
std::string workKey(const SweepCell &cell);

/// "memory=pinned output=eglimage sync=event wait=auto …", with every setting and the size; for finding a cell again
/// when a sweep is resumed.
std::string cellKey(const SweepCell &cell);

} // namespace jetscope
