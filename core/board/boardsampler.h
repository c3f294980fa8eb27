// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardlayout.h"
#include "core/board/reading.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// The values of a machine at one time.
struct BoardState {
    std::int64_t timeNs = 0;             ///< CLOCK_MONOTONIC.
    std::vector<Reading<double>> values; ///< In the order of the items, in their units.
    std::string powerMode;               ///< "15W (2)"; empty if unknown.
    std::vector<std::string> limits;     ///< What limits the clocks now: "cpu-throttle-alert", "VDD_IN".
};

/// Reads the values of a machine. The files stay open and are read in place; a file that fails is opened again now and
/// then, because cores and zones come and go with the power mode. Reading takes microseconds, or milliseconds if a
/// sensor is on a slow bus: not for threads that must not block. Not thread-safe.
class BoardSampler {
public:
    explicit BoardSampler(BoardLayout layout);
    explicit BoardSampler(const std::string &root = "/");
    ~BoardSampler();
    BoardSampler(BoardSampler &&) noexcept;
    BoardSampler &operator=(BoardSampler &&) noexcept;

    const BoardLayout &layout() const { return m_layout; }
    const std::vector<BoardItem> &items() const { return m_layout.items; }

    /// Reads all values, without `details` only those of items that are no details (the others keep their values).
    /// Values that need two readings, such as CPU load, are known from the second call on. The result is valid until
    /// the next call.
    const BoardState &sample(std::int64_t nowNs, bool details = true);
    /// For the owner of foreign items: sets a value in the state of the last sample.
    void set(std::size_t item, Reading<double> value) { m_state.values.at(item) = std::move(value); }
    /// The same for what limits the clocks.
    void addLimit(std::string limit) { m_state.limits.push_back(std::move(limit)); }
    const BoardState &state() const { return m_state; }

private:
    struct Source;

    Reading<double> read(Source &source);
    Reading<double> powerMode(const Source &source);
    static const std::string &sharedText(std::string &text, Source &source);

    BoardLayout m_layout;
    std::vector<Source> m_sources; ///< In the order of the items.
    BoardState m_state;
    std::string m_stat;        ///< /proc/stat of this sample; empty if it is not read yet.
    std::string m_memInfo;     ///< /proc/meminfo.
    std::int64_t m_slowNs = 0; ///< When the slow values were read; 0: never.
};

} // namespace jetscope
