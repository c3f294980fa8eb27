// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/tegrastatslog.h"

#include "core/text/parsenumber.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

namespace jetscope {

namespace {

constexpr double kUnknownValue = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kSecondNs = 1'000'000'000;
/// tegrastats prints a line a second unless it is started with --interval.
constexpr std::int64_t kDefaultIntervalNs = kSecondNs;
constexpr std::int64_t kDayNs = 86'400 * kSecondNs;
/// Items of one name in a line, such as unused rails, which are all named "NC".
constexpr int kMaxRepeats = 8;

bool sameValue(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// Unix time of "MM-DD-YYYY HH:MM:SS" in the time zone of this machine; none for an impossible date.
std::optional<std::int64_t> unixSeconds(std::string_view stamp)
{
    const auto part = [stamp](std::size_t at, std::size_t size) {
        return parseNumber<int>(stamp.substr(at, size)).value_or(0);
    };
    std::tm time = {};
    time.tm_mon = part(0, 2) - 1;
    time.tm_mday = part(3, 2);
    time.tm_year = part(6, 4) - 1900;
    time.tm_hour = part(11, 2);
    time.tm_min = part(14, 2);
    time.tm_sec = part(17, 2);
    time.tm_isdst = -1;
    constexpr int kMaxYears = 200; // The range of times in nanoseconds.
    if (time.tm_mon < 0 || time.tm_mon > 11 || time.tm_mday < 1 || time.tm_mday > 31 || time.tm_year < 70
        || time.tm_year > kMaxYears || time.tm_hour > 23 || time.tm_min > 59 || time.tm_sec > 60)
        return std::nullopt;
    return std::mktime(&time);
}

std::string counterKey(const TegrastatsReading &reading, int repeat)
{
    std::string key(reading.item);
    for (const int part : {static_cast<int>(reading.quantity), reading.index, repeat})
        key += ' ' + std::to_string(part);
    return key += ' ' + std::string(reading.unit);
}

/// The time between two lines that is usual in a log; the longest possible one if it has a single line.
std::int64_t usualStep(const std::vector<std::int64_t> &times)
{
    std::vector<std::int64_t> steps;
    for (std::size_t i = 1; i < times.size(); ++i)
        if (times[i] > times[i - 1])
            steps.push_back(times[i] - times[i - 1]);
    if (steps.empty())
        return kMaxTraceNs / 4;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return std::min(*middle, kMaxTraceNs / 4);
}

} // namespace

bool TegrastatsLog::Counter::is(const TegrastatsReading &reading) const
{
    return quantity == reading.quantity && index == reading.index && item == reading.item;
}

void TegrastatsLog::take(std::string_view line, bool isComplete)
{
    while (true) {
        m_line.parse(line);
        const std::string_view rest = m_line.rest;
        if (m_line.isOurs)
            takeOne(!isComplete && rest.empty());
        else
            m_otherLines += line.find_first_not_of(" \t\r") != std::string_view::npos ? 1 : 0;
        if (rest.empty())
            return;
        line = rest;
    }
}

void TegrastatsLog::UsualItem::remember(std::string_view item)
{
    constexpr std::size_t kMaxNames = 64;
    auto known = m_counts.find(item);
    if (known == m_counts.end()) {
        if (m_counts.size() >= kMaxNames)
            return;
        known = m_counts.emplace(item, 0).first;
    }
    ++known->second;
    if (m_usual.empty() || (item != m_usual && known->second > m_counts.find(m_usual)->second))
        m_usual = item;
}

/// A line that is no longer than usual and begins or ends with another item was cut off, possibly within that item: the
/// item is not used. Returns whether there was one.
bool TegrastatsLog::dropIncomplete(bool isCut)
{
    std::vector<TegrastatsReading> &readings = m_line.readings;
    const bool mayBeCut = readings.size() <= m_usualReadings;
    const std::string_view first = readings.front().item;
    // Number and kind of its values belong to the name: a cut item can still have a value.
    std::string last(readings[m_line.lastItem].item);
    for (std::size_t i = m_line.lastItem; i < readings.size(); ++i)
        last += ' ' + std::to_string(static_cast<int>(readings[i].quantity));
    const bool beginsLate = mayBeCut && !m_firstItem.is(first);
    const bool endsEarly = isCut || (mayBeCut && !m_lastItem.is(last));
    if (!beginsLate && !endsEarly) {
        m_firstItem.remember(first);
        m_lastItem.remember(last);
        m_usualReadings = readings.size();
        return false;
    }
    if (endsEarly)
        readings.resize(m_line.lastItem);
    if (beginsLate)
        readings.erase(readings.begin(),
                       readings.begin() + static_cast<std::ptrdiff_t>(std::min(m_line.secondItem, readings.size())));
    return true;
}

void TegrastatsLog::takeOne(bool isCut)
{
    m_cutLines += dropIncomplete(isCut) ? 1 : 0;
    const std::vector<TegrastatsReading> &readings = m_line.readings;
    if (readings.empty()) {
        ++m_emptiedLines;
        return;
    }
    ++m_lines;
    countUnread();
    rememberStamp();
    m_next = 0;
    for (const TegrastatsReading &reading : readings)
        add(reading);
    // What a line lacks is unknown at its time.
    for (std::size_t i = 0; i < m_counters.size(); ++i)
        if (Counter &counter = m_counters[i]; counter.line != m_lines && !std::isnan(counter.last)) {
            counter.last = kUnknownValue;
            m_samples.push_back({static_cast<std::int64_t>(m_lines - 1), kUnknownValue, static_cast<CounterId>(i)});
        }
}

void TegrastatsLog::countUnread()
{
    constexpr std::size_t kMaxNames = 8;
    for (const std::string_view name : m_line.unread)
        if (const auto known = m_unread.find(name); known != m_unread.end())
            ++known->second;
        else if (m_unread.size() < kMaxNames)
            m_unread.emplace(name, 1);
}

void TegrastatsLog::rememberStamp()
{
    if (!m_line.stamp.empty() && m_line.stamp != m_stamp)
        if (const std::optional<std::int64_t> seconds = unixSeconds(m_line.stamp)) {
            m_stamp = m_line.stamp;
            m_stampNs = *seconds * kSecondNs;
        }
    m_times.push_back({m_stampNs, m_line.outerStamp});
}

void TegrastatsLog::add(const TegrastatsReading &reading)
{
    const std::optional<std::size_t> place = counterOf(reading);
    if (!place) {
        ++m_withoutCounter;
        return;
    }
    m_next = *place + 1;
    Counter &counter = m_counters[*place];
    const bool isFirst = counter.line == 0;
    counter.line = m_lines;
    // A value holds until the next sample; power is integrated over its readings.
    if (!isFirst && sameValue(counter.last, reading.value) && reading.quantity != TegrastatsQuantity::Power)
        return;
    counter.last = reading.value;
    m_samples.push_back({static_cast<std::int64_t>(m_lines - 1), reading.value, static_cast<CounterId>(*place)});
}

std::optional<std::size_t> TegrastatsLog::counterOf(const TegrastatsReading &reading)
{
    // Lines have the same items in the same order almost always.
    if (m_next < m_counters.size() && m_counters[m_next].line != m_lines && m_counters[m_next].is(reading)
        && reading.unit.empty())
        return m_next;
    for (int repeat = 0; repeat < kMaxRepeats; ++repeat) {
        const std::string key = counterKey(reading, repeat);
        const auto known = m_counterOf.find(key);
        if (known == m_counterOf.end())
            return addCounter(reading, repeat, key);
        if (m_counters[known->second].line != m_lines)
            return known->second;
    }
    return std::nullopt;
}

std::optional<std::size_t> TegrastatsLog::addCounter(const TegrastatsReading &reading, int repeat,
                                                     const std::string &key)
{
    if (m_counters.size() >= kMaxCounters)
        return std::nullopt;
    const std::size_t place = m_counters.size();
    m_counters.push_back({reading.quantity, reading.index, repeat, std::string(reading.item)});
    m_counterOf.emplace(key, place);
    m_infos.push_back({static_cast<CounterId>(place),
                       tegrastatsCounterName(reading) + (repeat > 0 ? " (" + std::to_string(repeat + 1) + ")" : ""),
                       tegrastatsCounterUnit(reading), std::nullopt});
    return place;
}

/// tegrastats' own stamps count whole seconds: those of another program are better if they have more, or if there are
/// no others. Stamps of another kind than most are text of other tools.
void TegrastatsLog::chooseStamps()
{
    std::array<std::size_t, kLineStampKinds> counts = {};
    std::array<bool, kLineStampKinds> fractions = {};
    for (const LineTime &time : m_times) {
        const auto kind = static_cast<std::size_t>(time.outer.kind);
        ++counts[kind];
        fractions[kind] = fractions[kind] || time.outer.hasFraction;
    }
    counts[static_cast<std::size_t>(LineStamp::Kind::None)] = 0;
    const auto most = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    const bool isMost = counts[most] * 2 > m_times.size();
    if (isMost && (fractions[most] || !m_stampNs)) {
        m_chosen = static_cast<LineStamp::Kind>(most);
        m_hasFractions = fractions[most];
    }
    m_hasStamps = m_stampNs || m_chosen != LineStamp::Kind::None;
}

/// The stamp of a line, or of the nearest line before it that has one, or of the first that has.
std::int64_t TegrastatsLog::stampOf(std::size_t line) const
{
    const LineTime &time = m_times[line];
    return m_chosen == LineStamp::Kind::None ? time.printedNs.value_or(0) : time.outer.ns;
}

/// Stamps without a year are of a leap year if they have its day; as are all from LineStamp. Returns the year's length.
std::int64_t TegrastatsLog::setYear(std::vector<std::int64_t> &stamps)
{
    constexpr std::int64_t kLeapDay = 59; // Counted from 0.
    constexpr std::int64_t kYearDays = 365;
    const bool isLeap =
        std::any_of(stamps.begin(), stamps.end(), [](std::int64_t ns) { return ns / kDayNs == kLeapDay; });
    for (std::int64_t &ns : stamps)
        ns -= !isLeap && ns / kDayNs > kLeapDay ? kDayNs : 0;
    return (kYearDays + (isLeap ? 1 : 0)) * kDayNs;
}

/// Nanoseconds since the first line. Lines of the same whole second are spread over it. A clock that is set back goes
/// on from the line before; one without a date goes on behind midnight or new year.
std::vector<std::int64_t> TegrastatsLog::stampedTimes()
{
    const auto hasStamp = [this](const LineTime &time) {
        return m_chosen == LineStamp::Kind::None ? time.printedNs.has_value() : time.outer.kind == m_chosen;
    };
    std::vector<std::int64_t> stamps(m_times.size());
    const auto firstStamped = std::find_if(m_times.begin(), m_times.end(), hasStamp) - m_times.begin();
    std::int64_t last = stampOf(static_cast<std::size_t>(firstStamped));
    for (std::size_t line = 0; line < stamps.size(); ++line)
        stamps[line] = last = hasStamp(m_times[line]) ? stampOf(line) : last;
    std::int64_t roundNs = m_chosen == LineStamp::Kind::Clock ? kDayNs : 0;
    if (m_chosen == LineStamp::Kind::DayOfYear)
        roundNs = setYear(stamps);
    const std::int64_t start = stamps.front();
    const std::int64_t pieceNs = m_hasFractions ? 0 : kSecondNs;
    std::vector<std::int64_t> times(stamps.size());
    std::int64_t shift = 0;
    std::int64_t nextNs = 0;
    for (std::size_t first = 0; first < stamps.size();) {
        std::size_t end = first;
        while (end < stamps.size() && stamps[end] == stamps[first])
            ++end;
        const std::int64_t stampNs = stamps[first] - start;
        if (first > 0 && stamps[first] < stamps[first - 1]) {
            const bool goesRound = roundNs > 0 && stamps[first - 1] - stamps[first] > roundNs / 2;
            m_setBack += goesRound ? 0 : 1;
            shift = goesRound ? shift + roundNs : nextNs - stampNs;
        }
        std::int64_t ns = 0;
        if (__builtin_add_overflow(stampNs, shift, &ns) || ns > kMaxTraceNs - kSecondNs)
            ns = kMaxTraceNs - kSecondNs;
        const auto count = static_cast<std::int64_t>(end - first);
        for (std::int64_t i = 0; i < count; ++i)
            times[first + static_cast<std::size_t>(i)] = ns + i * pieceNs / count;
        nextNs = ns + pieceNs;
        first = end;
    }
    if (m_chosen == LineStamp::Kind::None || m_chosen == LineStamp::Kind::Date)
        m_startUnixNs = start;
    return times;
}

void TegrastatsLog::finish(std::optional<std::int64_t> intervalNs)
{
    if (empty())
        return;
    std::vector<std::int64_t> times;
    std::int64_t stepNs = intervalNs.value_or(kDefaultIntervalNs);
    chooseStamps();
    if (m_hasStamps) {
        times = stampedTimes();
        if (times.size() > 1)
            stepNs = std::max<std::int64_t>(1, times.back() / static_cast<std::int64_t>(times.size() - 1));
    } else {
        m_guessedInterval = !intervalNs && m_lines > 1;
        for (std::int64_t line = 0; static_cast<std::uint64_t>(line) < m_lines; ++line)
            times.push_back(std::min(line, kMaxTraceNs / stepNs) * stepNs);
    }
    placeSamples(times);
    // A value holds for the time of a line; behind the log nothing is known.
    m_durationNs = times.back() + stepNs;
    for (std::size_t i = 0; i < m_counters.size(); ++i)
        if (!std::isnan(m_counters[i].last))
            m_samples.push_back({m_durationNs, kUnknownValue, static_cast<CounterId>(i)});
}

/// Replaces lines by times. Where lines are missing nothing is known: a value holds for the time of a line only.
void TegrastatsLog::placeSamples(const std::vector<std::int64_t> &times)
{
    const std::int64_t usualNs = usualStep(times);
    std::vector<double> last(m_counters.size(), kUnknownValue);
    std::vector<CounterSample> placed;
    placed.reserve(m_samples.size());
    std::size_t next = 0;
    for (std::size_t line = 0; line < times.size(); ++line) {
        const bool isBehindHole = line > 0 && times[line] - times[line - 1] > usualNs / 2 * 5;
        if (isBehindHole) {
            ++m_holes;
            for (std::size_t i = 0; i < last.size(); ++i)
                if (!std::isnan(last[i]))
                    placed.push_back({times[line - 1] + usualNs, kUnknownValue, static_cast<CounterId>(i)});
        }
        for (; next < m_samples.size() && m_samples[next].timeNs == static_cast<std::int64_t>(line); ++next) {
            const CounterSample &sample = m_samples[next];
            last[sample.counter] = sample.value;
            if (!isBehindHole)
                placed.push_back({times[line], sample.value, sample.counter});
        }
        for (std::size_t i = 0; isBehindHole && i < last.size(); ++i) // Also what did not change is known again.
            if (!std::isnan(last[i]))
                placed.push_back({times[line], last[i], static_cast<CounterId>(i)});
    }
    m_samples = std::move(placed);
}

ImportAccount TegrastatsLog::account() const
{
    constexpr const char *kLines = "lines of tegrastats";
    constexpr const char *kOthers = "other lines";
    ImportAccount account;
    account.count(account.rowShown(kLines, "counters"), m_lines);
    account.count(account.rowLeftOut(kLines, "nothing is left of them but the item at which they are cut off"),
                  m_emptiedLines);
    account.count(account.rowLeftOut(kOthers, "they are not of tegrastats, or cut off before the first items"),
                  m_otherLines);
    account.count(account.rowLeftOut(kOthers, "they are longer than 64 KiB"), m_overlongLines);
    account.setRead(m_lines + m_emptiedLines + m_otherLines + m_overlongLines);
    return account;
}

std::vector<std::string> TegrastatsLog::notes() const
{
    std::vector<std::string> notes;
    if (m_guessedInterval)
        notes.emplace_back("the lines of the log have no time stamps: they are taken as one second apart, the default "
                           "of tegrastats; give another interval with --log-interval");
    addCount(notes, m_cutLines, "lines of the log that are cut off lose the item at the cut");
    addCount(notes, m_withoutCounter, "values of the log beyond 512 different items are left out");
    for (const auto &[name, count] : m_unread)
        addCount(notes, count, "values of " + name + " cannot be read and are left out");
    addCount(notes, m_setBack,
             "times that the board's clock was set back, so that later lines go on from the line before");
    addCount(notes, m_holes, "times without lines, in which nothing is known");
    return notes;
}

} // namespace jetscope
