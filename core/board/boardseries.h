// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardlayout.h"
#include "core/board/boardrails.h"
#include "core/figures/overlap.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A curve of a chart.
struct BoardCurve {
    enum class Role : std::uint8_t {
        CoreLoad, ///< Of one core: a strip of its own.
        Load,
        Clock,
        Bytes,
        Most, ///< A limit that the bytes are part of, as all of memory.
        Temperature,
        Rail,  ///< A part of the total power, which is the sum of these.
        Inner, ///< A rail that is not added to the total.
        Total, ///< The total power.
        Speed, ///< Of a fan.
    };
    Role role = Role::Load;
    std::size_t counter = 0; ///< In the tracks of the series.
    std::string label;       ///< "load", "VDD_IN", "tj"
    int core = -1;           ///< Of CoreLoad.
};

/// The order of display.
enum class BoardGroup : std::uint8_t { Cpu, Gpu, MemoryBus, Memory, Temperature, Power, Engines, Fan };

/// The curves of one part of a board, which share a chart.
struct BoardChart {
    BoardGroup group = BoardGroup::Cpu;
    std::vector<BoardCurve> curves;
};

/// "CPU", "Memory bus"
std::string_view groupName(BoardGroup group);

/// The values of a board over time, by groups, with what follows from them: the mean and the busiest of the cores, and
/// the total power. Of a log, of the counters of a trace, or of a machine that is being read. Not thread-safe.
class BoardSeries {
public:
    static constexpr std::size_t kMaxCounters = 600;

    BoardSeries() = default;
    /// Counters that are no values of a board are left out. Their ids are those of the samples.
    explicit BoardSeries(const std::vector<CounterInfo> &counters);

    /// Samples in order of time; those of one time are one reading of the board.
    void add(std::span<const CounterSample> samples);
    /// Forgets what is older.
    void keepFrom(std::int64_t ns);

    /// Has the counters only, with indices as ids.
    const Trace &trace() const { return m_trace; }
    void setOrigin(TraceOrigin origin) { m_trace.setOrigin(std::move(origin)); }
    const std::vector<CounterTrack> &tracks() const { return m_trace.counters(); }
    /// Charts without curves are left out.
    const std::vector<BoardChart> &charts() const { return m_charts; }
    const BoardRails &rails() const { return m_rails; }
    /// Of a machine that tells them; a log names none.
    void setLimits(std::vector<BoardLimit> limits) { m_limits = std::move(limits); }
    const std::vector<BoardLimit> &limits() const { return m_limits; }
    /// The track of the total power.
    std::optional<std::size_t> totalPower() const { return m_total; }
    /// Tracks by the names of their counters: "GPU load", "power mode".
    const CounterTrack *find(std::string_view counter) const;
    /// Times at which nothing was known, between two readings.
    const std::vector<Interval> &gaps() const { return m_gaps; }
    /// From the first reading to the end of the last one.
    Interval time() const { return {m_trace.oldestNs(), m_trace.newestNs()}; }
    /// How many readings there were; a reading without a change is counted if it has a sample.
    std::uint64_t readings() const { return m_readings; }
    /// "Jetson AGX Orin, told from its rails; 12 cores, 65.9 GB"; empty if nothing tells it.
    std::string boardWords() const;

private:
    struct Sum {
        enum class Kind : std::uint8_t { Mean, Most, Total };
        Kind kind;
        std::vector<std::size_t> of;
        std::size_t to;
    };
    void placeCurves();
    void placePower();
    void addSum(BoardGroup group, Sum::Kind kind, std::vector<std::size_t> of, const CounterInfo &info,
                BoardCurve::Role role);
    BoardChart &chart(BoardGroup group);
    void endReading(std::int64_t ns, std::vector<CounterSample> &batch);
    double valueOf(const Sum &sum) const;

    Trace m_trace;
    std::vector<CounterInfo> m_infos;
    std::vector<std::size_t> m_trackOf; ///< By id of the samples: index plus 1, or 0.
    std::size_t m_measured = 0;         ///< The first infos; the others are sums of them.
    std::vector<BoardChart> m_charts;
    BoardRails m_rails;
    std::vector<BoardLimit> m_limits;
    std::optional<std::size_t> m_total;
    std::vector<Sum> m_sums;
    std::vector<double> m_now;               ///< By track; NaN: unknown.
    std::size_t m_known = 0;                 ///< How many of the measured ones are known.
    std::optional<std::int64_t> m_unknownNs; ///< Since when nothing is known.
    std::vector<Interval> m_gaps;
    std::uint64_t m_readings = 0;
};

/// Whether a temperature's label is that of the regulator, which has the same value on every board and at all times: it
/// is not measured.
bool isConstantZone(std::string_view label);

/// The counters of a trace as the series of a board: of a log of tegrastats or of a capture.
BoardSeries boardSeriesOf(const Trace &trace);
/// Whether the trace is a log of a board: it has values of one, and neither spans nor frames.
bool isBoardLog(const Trace &trace);

} // namespace jetscope
