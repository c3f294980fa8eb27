// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/comparison.h"
#include "core/settings/devicefacts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The kinds of memory of a probe: the memory kinds of the pipeline by their names, and the device's own memory, to
/// which the copying kinds copy.
const std::vector<std::string_view> &probeMemories();

/// What is measured of each kind of memory, in GB/s: write, first read and further read by the CPU, first and further
/// read by the GPU.
inline constexpr std::array<std::string_view, 5> kProbeAccesses{"cpu_write", "cpu_read", "cpu_reread", "gpu_read",
                                                                "gpu_reread"};

inline constexpr std::array<std::string_view, 2> kProbeDirections{"to_device", "to_host"};
inline constexpr std::array<std::size_t, 4> kProbeCopyBytes{std::size_t{64} << 10U, std::size_t{1} << 20U,
                                                            std::size_t{4} << 20U, std::size_t{16} << 20U};

/// A cost in microseconds.
struct ProbeCost {
    std::string_view key;
    std::string_view label;
};
/// In the order in which they are shown.
std::span<const ProbeCost> probeCosts();

/// "zero-copy.cpu_read", "copy.to_device.pinned.65536".
std::string memoryKey(std::string_view memory, std::string_view access);
std::string copyKey(std::string_view direction, std::string_view memory, std::size_t bytes);

/// All keys that a table may have.
const std::vector<std::string> &probeKeys();
/// Whether a key's figure is a rate in GB/s (10^9 bytes a second); otherwise it is a time in microseconds.
bool isRate(std::string_view key);

/// One figure: the median over the rounds and the interval that contains its level with a probability of 99 %.
struct ProbeFigure {
    Estimate estimate;
    std::size_t rounds = 0;  ///< 0 if unknown, as in published tables.
    std::string unavailable; ///< The reason; then there is no figure.

    bool known() const { return unavailable.empty(); }
    /// Half of the interval in percent of the figure, rounded up; empty without an interval.
    std::optional<double> noisePercent() const;
};

/// What was measured on a device: by a probe, or as published. A plain value; any thread.
struct ProbeTable {
    DeviceFacts device; ///< id, name, software, integrated, compute capability, concurrentManagedAccess and
                        ///< pageableMemoryAccess; nothing else.
    std::string driver; ///< Driver and runtime versions; may be empty.
    std::string date;   ///< UTC, "2026-01-31T12:00:00Z"; may be empty.
    std::string madeBy; ///< Program and version; may be empty.
    std::string method; ///< How the figures were measured, in sentences.
    std::string origin; ///< Where a published table comes from; empty if it was measured by Jetscope.
    int width = 0;      ///< Size of the frame, four bytes a pixel, …
    int height = 0;
    std::map<std::string, ProbeFigure> figures; ///< By key.

    std::size_t frameBytes() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4; }
    /// Null if the table has no such figure, or only the reason for its absence.
    const ProbeFigure *find(const std::string &key) const;
    /// Why there is no figure; "it was not measured" if the table has no such row.
    std::string absence(const std::string &key) const;
};

/// How b compares with a: b / a with its bounds. Figures without an interval are assumed to be right within 25 %.
/// `differs`: the intervals do not overlap, and the figures differ by 10 % at least, and
/// neither has more than 60 % noise.
struct ProbeRatio {
    Estimate ratio;
    bool differs = false;
};
ProbeRatio ratioOf(const ProbeFigure &a, const ProbeFigure &b);

/// The rate at a size, of figures at some sizes whose keys `keyOf` gives: between the two nearest sizes the times are
/// interpolated. An unknown figure with the reason if the table has none.
ProbeFigure rateOfSize(const ProbeTable &table, std::span<const std::size_t> sizes, std::size_t bytes,
                       const std::function<std::string(std::size_t)> &keyOf);

/// The rate of copies of so many bytes: between the two nearest sizes the times are interpolated. An unknown figure
/// with the reason if the table has none.
ProbeFigure copyRate(const ProbeTable &table, std::string_view direction, std::string_view memory, std::size_t bytes);

} // namespace jetscope
