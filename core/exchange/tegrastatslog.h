// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/tegrastatsline.h"
#include "core/trace/countertrack.h"
#include "core/trace/importaccount.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The content of a tegrastats log, collected line by line. Not thread-safe.
class TegrastatsLog {
public:
    static constexpr std::size_t kMaxCounters = 512;

    /// Takes one line without its line feed. `isComplete` is false for the end of a file without a line feed.
    void take(std::string_view line, bool isComplete);
    /// Takes a line that is too long to be one of tegrastats.
    void takeOverlong() { ++m_overlongLines; }

    /// Resolves the times of all lines; call once, behind the last line. `intervalNs` is the time between two lines
    /// without a time stamp.
    void finish(std::optional<std::int64_t> intervalNs);

    bool empty() const { return m_lines == 0; }
    const std::vector<CounterInfo> &counters() const { return m_infos; }
    /// In order of time, once finished: nanoseconds since the first line.
    const std::vector<CounterSample> &samples() const { return m_samples; }
    /// Unix time of the first line; empty if the lines have no time stamps.
    std::optional<std::int64_t> startUnixNs() const { return m_startUnixNs; }
    /// Whether the times come from stamps, which may lack a date.
    bool hasStamps() const { return m_hasStamps; }
    /// Each line with a text is an event.
    ImportAccount account() const;
    std::int64_t durationNs() const { return m_durationNs; }
    /// One sentence for everything that was repaired, guessed or skipped.
    std::vector<std::string> notes() const;

private:
    struct Counter {
        TegrastatsQuantity quantity;
        int index;
        int repeat; ///< 1 for the second item of this name in a line, and so on.
        std::string item;
        std::uint64_t line = 0; ///< The last line that had a value.
        double last = 0;        ///< Its value; meaningless before the first one.

        bool is(const TegrastatsReading &reading) const;
    };

    /// The name of the item that most lines begin or end with.
    class UsualItem {
    public:
        void remember(std::string_view item);
        bool is(std::string_view item) const { return item == m_usual; }

    private:
        std::map<std::string, std::uint64_t, std::less<>> m_counts;
        std::string m_usual;
    };

    void takeOne(bool isCut);
    void add(const TegrastatsReading &reading);
    std::optional<std::size_t> counterOf(const TegrastatsReading &reading);
    std::optional<std::size_t> addCounter(const TegrastatsReading &reading, int repeat, const std::string &key);
    bool dropIncomplete(bool isCut);
    void countUnread();
    void rememberStamp();
    void chooseStamps();
    std::int64_t stampOf(std::size_t line) const;
    static std::int64_t setYear(std::vector<std::int64_t> &stamps);
    std::vector<std::int64_t> stampedTimes();
    void placeSamples(const std::vector<std::int64_t> &times);

    TegrastatsLine m_line;
    std::vector<Counter> m_counters; ///< In the order of m_infos.
    std::vector<CounterInfo> m_infos;
    std::map<std::string, std::size_t, std::less<>> m_counterOf;
    std::size_t m_next = 0; ///< The counter that the next reading probably belongs to.
    std::vector<CounterSample> m_samples;
    struct LineTime {
        std::optional<std::int64_t> printedNs; ///< Unix time that tegrastats printed; of the line before if it did not.
        LineStamp outer;
    };
    std::vector<LineTime> m_times; ///< By line.
    std::string m_stamp;
    std::optional<std::int64_t> m_stampNs;
    LineStamp::Kind m_chosen = LineStamp::Kind::None; ///< None: what tegrastats printed.
    bool m_hasFractions = false;
    UsualItem m_firstItem;
    UsualItem m_lastItem;
    std::size_t m_usualReadings = 0; ///< Of the last line that was complete.
    bool m_hasStamps = false;

    std::optional<std::int64_t> m_startUnixNs;
    std::int64_t m_durationNs = 0;
    std::uint64_t m_lines = 0;
    std::uint64_t m_otherLines = 0;
    std::uint64_t m_overlongLines = 0;
    std::uint64_t m_emptiedLines = 0; ///< Nothing of them was left behind the cut.
    std::uint64_t m_cutLines = 0;
    std::map<std::string, std::uint64_t, std::less<>> m_unread; ///< By name of the item: values that cannot be read.
    std::uint64_t m_withoutCounter = 0;
    std::uint64_t m_setBack = 0; ///< Times that the board's clock was set back.
    std::uint64_t m_holes = 0;   ///< Times at which lines are missing.
    bool m_guessedInterval = false;
};

} // namespace jetscope
