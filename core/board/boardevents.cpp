// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardevents.h"

#include "core/board/boardlayout.h"
#include "core/board/curvestatistics.h"
#include "core/board/energy.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <tuple>

namespace jetscope {

namespace {

using Kind = BoardEvent::Kind;
using Events = std::vector<BoardEvent>;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr double kFullLoad = 90;      ///< Percent; the governor then asks for the highest clock.
constexpr double kFallenClock = 0.93; ///< Of the highest clock under full load: below the usual steps of a governor.
constexpr std::int64_t kLeastSlowNs = 3 * kSecond;
constexpr std::int64_t kLongestDipNs = 5 * kSecond; ///< A shorter pause of the load does not end what was slow.
constexpr std::int64_t kLeastOffNs = 10 * kSecond;  ///< Cores that are off for less were put to sleep.
constexpr std::int64_t kLeastPauseNs = 2 * kSecond; ///< Between two times of throttling.
constexpr double kHot = 80;                         ///< Degrees; no Jetson throttles by heat below this.

std::string megahertz(double hertz)
{
    return fixedText(hertz / 1e6, 0);
}

/// The pieces in which a counter has the property; the last one may end with the series.
std::vector<Interval> timesWhere(const CounterTrack &track, std::int64_t endNs, const std::function<bool(double)> &has)
{
    std::vector<Interval> times;
    for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
        const auto [ns, value] = track.at(i);
        if (!std::isfinite(value) || !has(value))
            continue;
        const std::int64_t untilNs = i + 1 < track.endIndex() ? track.at(i + 1).first : endNs;
        if (!times.empty() && ns - times.back().endNs <= kLeastPauseNs)
            times.back().endNs = std::max(times.back().endNs, untilNs);
        else
            times.push_back({ns, untilNs});
    }
    return times;
}

void addMissing(const BoardSeries &series, Events &events)
{
    for (const Interval &gap : series.gaps())
        events.push_back({Kind::Missing, gap, false, "no readings",
                          "nothing was read for " + lengthWords(gap.endNs - gap.startNs)
                              + "; the curves are broken here and nothing is filled in",
                          true});
}

/// What the board itself counts.
void addReported(const BoardSeries &series, Events &events)
{
    struct Reported {
        const char *counter;
        const char *what;
        const char *seenBy;
    };
    constexpr auto kReported = std::to_array<Reported>({
        {kThrottlingCounter, "clocks throttled", "the kernel's cooling devices that limit clocks were active"},
        {kGpuThrottlingCounter, "GPU throttled", "NVML names reasons for a lower clock"},
        {kRailLimitCounter, "a rail at its limit of current",
         "the monitor of the rails compares them with their limits"},
        {kGpuPowerCapCounter, "GPU at its power cap", "NVML says that the power cap limits the clock"},
    });
    const std::int64_t endNs = series.time().endNs;
    for (const Reported &row : kReported)
        if (const CounterTrack *track = series.find(row.counter))
            for (const Interval &time : timesWhere(*track, endNs, [](double value) { return value > 0; }))
                events.push_back({Kind::Throttled, time, time.endNs >= endNs, row.what, row.seenBy, true});
}

/// Changes of a counter that is a number or a count.
void addChanges(const BoardSeries &series, const char *counter, Kind kind, const std::string &what,
                const std::string &seenBy, Events &events)
{
    const CounterTrack *track = series.find(counter);
    std::optional<double> last;
    for (std::uint64_t i = track ? track->firstIndex() : 0; track && i < track->endIndex(); ++i) {
        const auto [ns, value] = track->at(i);
        if (!std::isfinite(value))
            continue;
        if (last && *last != value)
            events.push_back(
                {kind, {ns, ns}, false, what + " " + fixedText(*last, 0) + " → " + fixedText(value, 0), seenBy, true});
        last = value;
    }
}

/// A core that goes off or on for long.
struct CoreSwitch {
    std::int64_t ns;
    bool isOff;
    int core;
    bool operator<(const CoreSwitch &other) const
    {
        return std::tie(ns, isOff, core) < std::tie(other.ns, other.isOff, other.core);
    }
};

bool anyKnownAt(const std::vector<const CounterTrack *> &tracks, std::int64_t ns)
{
    return std::any_of(tracks.begin(), tracks.end(),
                       [ns](const CounterTrack *track) { return track->valueAt(ns).has_value(); });
}

void addSwitches(const CounterTrack &track, int core, const std::vector<const CounterTrack *> &all, std::int64_t endNs,
                 std::vector<CoreSwitch> &switches)
{
    std::int64_t offNs = 0;
    bool isOff = false;
    bool wasOn = false;
    for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
        const auto [ns, value] = track.at(i);
        if (!std::isfinite(value)) {
            if (!isOff && anyKnownAt(all, ns)) {
                isOff = true;
                offNs = ns;
            }
            continue;
        }
        if (isOff && ns - offNs >= kLeastOffNs) {
            if (wasOn)
                switches.push_back({offNs, true, core});
            switches.push_back({ns, false, core});
        }
        isOff = false;
        wasOn = true;
    }
    if (isOff && wasOn && endNs - offNs >= kLeastOffNs)
        switches.push_back({offNs, true, core});
}

std::string coreWords(const std::vector<int> &cores)
{
    if (cores.size() == 1)
        return "core " + std::to_string(cores.front());
    const bool isRow = cores.back() - cores.front() == static_cast<int>(cores.size()) - 1;
    std::string words = "cores ";
    if (isRow)
        return words + std::to_string(cores.front()) + (cores.size() > 2 ? " to " : " and ")
            + std::to_string(cores.back());
    for (std::size_t i = 0; i < cores.size(); ++i)
        words += (i > 0 ? ", " : "") + std::to_string(cores[i]);
    return words;
}

/// Power modes switch cores off, and nothing else does for long.
void addCores(const BoardSeries &series, Events &events)
{
    std::vector<const CounterTrack *> all;
    std::vector<int> numbers;
    for (const BoardChart &chart : series.charts())
        for (const BoardCurve &curve : chart.curves)
            if (curve.role == BoardCurve::Role::CoreLoad) {
                all.push_back(&series.tracks()[curve.counter]);
                numbers.push_back(curve.core);
            }
    std::vector<CoreSwitch> switches;
    for (std::size_t i = 0; i < all.size(); ++i)
        addSwitches(*all[i], numbers[i], all, series.time().endNs, switches);
    std::sort(switches.begin(), switches.end());
    for (std::size_t i = 0; i < switches.size();) {
        std::vector<int> cores;
        const CoreSwitch &first = switches[i];
        for (; i < switches.size() && switches[i].ns == first.ns && switches[i].isOff == first.isOff; ++i)
            cores.push_back(switches[i].core);
        const std::string which = coreWords(cores);
        events.push_back({Kind::PowerMode,
                          {first.ns, first.ns},
                          false,
                          "another power mode: " + which + (first.isOff ? " off" : " on"),
                          which + (first.isOff ? " stay off for 10 s or more" : " were off for 10 s or more"),
                          false});
    }
}

struct Hottest {
    std::string label;
    double degrees = 0;
};

std::optional<Hottest> hottestOf(const BoardSeries &series, Interval time)
{
    std::optional<Hottest> hottest;
    for (const BoardChart &chart : series.charts())
        for (const BoardCurve &curve : chart.curves) {
            if (curve.role != BoardCurve::Role::Temperature || isConstantZone(curve.label))
                continue;
            const CounterTrack &track = series.tracks()[curve.counter];
            const std::optional<CurveStatistics> found = statisticsOf(track, time);
            if (found && (!hottest || found->max > hottest->degrees))
                hottest = Hottest{curve.label, found->max};
        }
    return hottest;
}

/// Follows load and clock of the GPU.
class SlowGpu {
public:
    SlowGpu(const BoardSeries &series, Events &events)
        : m_series(series), m_events(events), m_ever(hottestOf(series, series.time()))
    {
    }

    void take(std::int64_t ns, std::int64_t untilNs, std::optional<double> load, std::optional<double> clock)
    {
        if (!load || !clock)
            return end();
        if (*load < kFullLoad) {
            if (m_since && ns - m_untilNs > kLongestDipNs)
                end();
            return;
        }
        if (*clock >= kFallenClock * m_fast) {
            end();
            m_fast = std::max(m_fast, *clock);
            return;
        }
        if (!m_since) {
            m_since = ns;
            m_lowest = *clock;
        }
        m_lowest = std::min(m_lowest, *clock);
        m_untilNs = untilNs;
    }

    /// Another power mode has another highest clock.
    void forget()
    {
        end();
        m_fast = 0;
    }

    void end()
    {
        if (!m_since)
            return;
        const Interval time = {*m_since, m_untilNs};
        m_since.reset();
        if (time.endNs - time.startNs < kLeastSlowNs)
            return;
        const std::optional<Hottest> hottest = hottestOf(m_series, time);
        constexpr double kNearHottest = 4;
        const bool isHot = hottest && hottest->degrees >= kHot && hottest->degrees >= m_ever->degrees - kNearHottest;
        std::string seenBy = "load " + fixedText(kFullLoad, 0) + " % or more, clock " + megahertz(m_fast) + " → "
            + megahertz(m_lowest) + " MHz";
        if (hottest)
            seenBy += ", " + hottest->label + " up to " + fixedText(hottest->degrees, 1) + " °C";
        m_events.push_back({isHot ? Kind::Throttled : Kind::Slowed, time, time.endNs >= m_series.time().endNs,
                            isHot ? "GPU throttled by heat" : "GPU clock lower under full load", seenBy, false});
    }

private:
    const BoardSeries &m_series;
    Events &m_events;
    const std::optional<Hottest> m_ever; ///< Of the whole series.
    double m_fast = 0;                   ///< The highest clock so far under full load.
    double m_lowest = 0;
    std::optional<std::int64_t> m_since;
    std::int64_t m_untilNs = 0;
};

void addSlowGpu(const BoardSeries &series, Events &events)
{
    const CounterTrack *load = series.find(kGpuLoadCounter);
    const CounterTrack *clock = series.find(kGpuClockCounter);
    if (!load || !clock)
        return;
    std::vector<std::int64_t> times;
    for (const CounterTrack *track : {load, clock})
        for (std::uint64_t i = track->firstIndex(); i < track->endIndex(); ++i)
            times.push_back(track->at(i).first);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    std::vector<std::int64_t> modes;
    for (const BoardEvent &event : events)
        if (event.kind == Kind::PowerMode)
            modes.push_back(event.time.startNs);
    std::sort(modes.begin(), modes.end());
    SlowGpu slow(series, events);
    std::size_t mode = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        for (; mode < modes.size() && modes[mode] <= times[i]; ++mode)
            slow.forget();
        slow.take(times[i], i + 1 < times.size() ? times[i + 1] : series.time().endNs, load->valueAt(times[i]),
                  clock->valueAt(times[i]));
    }
    slow.end();
}

std::string powerSentence(const BoardSeries &series, const CurveStatistics &power)
{
    return "At most " + threeFigures(power.max) + " W, " + energyWords(power.integral()) + " in "
        + lengthWords(power.knownNs) + " (" + joined(series.rails().summed, " + ") + ").";
}

} // namespace

std::vector<BoardEvent> boardEvents(const BoardSeries &series)
{
    Events events;
    addMissing(series, events);
    addReported(series, events);
    addChanges(series, kPowerModeCounter, Kind::PowerMode, "power mode", "nvpmodel says so", events);
    addChanges(series, kOverCurrentCounter, Kind::Throttled, "over-current events", "the kernel counts them", events);
    const bool knowsMode = series.find(kPowerModeCounter) != nullptr;
    if (!knowsMode)
        addCores(series, events);
    const bool knowsThrottling = series.find(kThrottlingCounter) || series.find(kGpuThrottlingCounter);
    if (!knowsThrottling)
        addSlowGpu(series, events);
    std::stable_sort(events.begin(), events.end(),
                     [](const BoardEvent &a, const BoardEvent &b) { return a.time.startNs < b.time.startNs; });
    return events;
}

BoardHeadline headlineOf(const BoardSeries &series, const std::vector<BoardEvent> &events, Interval time)
{
    std::vector<std::string> parts;
    std::int64_t throttledNs = 0;
    bool isMeasured = true;
    for (const BoardEvent &event : events)
        if (event.kind == Kind::Throttled) {
            throttledNs += std::max<std::int64_t>(
                0, std::min(event.time.endNs, time.endNs) - std::max(event.time.startNs, time.startNs));
            isMeasured = isMeasured && event.isMeasured;
        }
    const double whole = static_cast<double>(std::max<std::int64_t>(time.endNs - time.startNs, 1));
    BoardHeadline headline;
    if (throttledNs > 0) {
        headline.isWarning = true;
        parts.push_back(std::string(isMeasured ? "Clocks were limited" : "The GPU was probably throttled") + " for "
                        + lengthWords(throttledNs) + ", " + percentNumber(static_cast<double>(throttledNs) / whole)
                        + " % of the time.");
    }
    if (const std::optional<std::size_t> total = series.totalPower())
        if (const auto power = statisticsOf(series.tracks()[*total], time)) {
            parts.push_back(threeFigures(power->mean) + " W on average"
                            + (series.rails().mayCountTwice ? ", if no rail counts twice." : "."));
            parts.push_back(powerSentence(series, *power));
        }
    if (const std::optional<Hottest> hottest = hottestOf(series, time))
        parts.push_back("Hottest: " + hottest->label + " with " + fixedText(hottest->degrees, 1) + " °C.");
    if (parts.empty())
        parts.push_back(counted(series.readings(), "reading") + " in " + lengthWords(time.endNs - time.startNs)
                        + ", without a power or a temperature.");
    headline.first = parts.front();
    parts.erase(parts.begin());
    headline.rest = joined(parts, " ");
    return headline;
}

std::string lengthWords(std::int64_t ns)
{
    const double seconds = static_cast<double>(ns) / 1e9;
    if (seconds < 9.95)
        return fixedText(seconds, 1) + " s";
    const long long whole = std::llround(seconds);
    if (whole < 60)
        return std::to_string(whole) + " s";
    const auto twoDigits = [](long long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + twoDigits(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + twoDigits(whole / 60 % 60) + " min";
}

std::string energyWords(double joules)
{
    if (std::abs(joules) < 999.5)
        return threeFigures(joules) + " J";
    if (std::abs(joules) < 999.5e3)
        return threeFigures(joules / 1e3) + " kJ";
    return threeFigures(joules / 1e6) + " MJ";
}

} // namespace jetscope
