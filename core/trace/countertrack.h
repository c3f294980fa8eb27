// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

using CounterId = std::uint16_t;

/// A quantity that changes with time: GPU load, a clock, a temperature, power, the depth of a queue.
struct CounterInfo {
    CounterId id = 0;
    std::string name;           ///< "GPU load"
    std::string unit;           ///< "%", "Hz", "°C", "W", "frames", "ns"
    std::optional<LaneId> lane; ///< The lane that it is about, such as a stream whose times are this uncertain.
};

struct CounterSample {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC (core/time/clock.h).
    double value = 0;        ///< In the counter's unit; holds until the next sample. NaN: unknown from here on.
    CounterId counter = 0;
};

/// Lowest and highest of a column's samples and of the value in force where it begins; low > high when nothing is
/// known. Where a column has many samples, those within half a column of its edges may be shown on both sides.
struct CounterColumn {
    double low = 1;
    double high = 0;
    double last = 0; ///< In force at the column's end; NaN while unknown.
};

struct ColumnWindow;

/// The samples of one counter, sorted by time, with a pyramid of extremes. Indices are stable. One thread.
class CounterTrack {
public:
    explicit CounterTrack(CounterInfo info);
    ~CounterTrack();
    CounterTrack(CounterTrack &&) noexcept;
    CounterTrack &operator=(CounterTrack &&) noexcept;

    const CounterInfo &info() const { return m_info; }

    /// False, and nothing added, when it is older than the last sample.
    bool append(std::int64_t timeNs, double value);

    std::uint64_t firstIndex() const;
    std::uint64_t endIndex() const;
    std::pair<std::int64_t, double> at(std::uint64_t index) const;
    /// The value in force at a time; none before the first sample and where it is unknown.
    std::optional<double> valueAt(std::int64_t ns) const;
    /// Over all samples kept; none without any.
    std::optional<std::pair<double, double>> extremes() const;

    void query(const ColumnWindow &window, std::vector<CounterColumn> &columns) const;

    void dropBefore(std::int64_t ns);
    std::uint64_t memoryBytes() const;

private:
    struct Parts;
    CounterInfo m_info;
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope
