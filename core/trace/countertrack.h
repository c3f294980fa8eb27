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

/// A quantity over time: GPU load, a clock rate, a temperature, power, the length of a queue.
struct CounterInfo {
    CounterId id = 0;
    std::string name;           ///< "GPU load"
    std::string unit;           ///< "%", "Hz", "°C", "W", "frames", "ns"
    std::optional<LaneId> lane; ///< The lane that it describes, for example a stream and its timing uncertainty.
};

struct CounterSample {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC (core/time/clock.h).
    double value = 0;        ///< In the counter's unit; holds until the next sample. NaN: unknown from here on.
    CounterId counter = 0;
};

/// Minimum and maximum of a column's samples and of the value at its start; low > high if no value is known. In a
/// column with many samples, samples within half a column of an edge may count for both sides.
struct CounterColumn {
    double low = 1;
    double high = 0;
    double last = 0; ///< The value at the column's end; NaN while unknown.
};

struct ColumnWindow;

/// The samples of one counter, sorted by time, with a pyramid of minima and maxima. Indices are stable. Not
/// thread-safe.
class CounterTrack {
public:
    explicit CounterTrack(CounterInfo info);
    ~CounterTrack();
    CounterTrack(const CounterTrack &other); ///< Shares what is stored: BlockList.
    CounterTrack(CounterTrack &&) noexcept;
    CounterTrack &operator=(CounterTrack &&) noexcept;

    const CounterInfo &info() const { return m_info; }

    /// Returns false and adds nothing if the sample is older than the last one.
    bool append(std::int64_t timeNs, double value);

    std::uint64_t firstIndex() const;
    std::uint64_t endIndex() const;
    std::pair<std::int64_t, double> at(std::uint64_t index) const;
    /// The value at a time; empty before the first sample and while the value is unknown.
    std::optional<double> valueAt(std::int64_t ns) const;
    /// Minimum and maximum of all samples kept; empty without samples.
    std::optional<std::pair<double, double>> extremes() const;
    /// Of samples that lie elsewhere.
    void setExtremes(std::pair<double, double> extremes) { m_elsewhere = extremes; }

    void query(const ColumnWindow &window, std::vector<CounterColumn> &columns) const;

    void dropBefore(std::int64_t ns);
    std::uint64_t memoryBytes() const;

private:
    struct Parts;
    CounterInfo m_info;
    std::optional<std::pair<double, double>> m_elsewhere;
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope
