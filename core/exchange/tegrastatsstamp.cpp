// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/tegrastatsstamp.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>

namespace jetscope {

namespace {

constexpr std::int64_t kStampSecondNs = 1'000'000'000;
constexpr std::int64_t kSecondsADay = 86'400;

bool isStampDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Reads the parts of a stamp; a part that is not there leaves the place as it was.
class StampCursor {
public:
    explicit StampCursor(std::string_view text) : m_text(text) {}

    std::size_t at() const { return m_at; }
    std::string_view rest() const { return m_text.substr(m_at); }
    bool take(std::string_view any)
    {
        if (m_at >= m_text.size() || any.find(m_text[m_at]) == std::string_view::npos)
            return false;
        ++m_at;
        return true;
    }
    void skipBlanks()
    {
        while (take(" \t")) {}
    }
    std::size_t digitsAhead() const
    {
        std::size_t count = 0;
        while (m_at + count < m_text.size() && isStampDigit(m_text[m_at + count]))
            ++count;
        return count;
    }
    /// A number of exactly so many digits.
    std::optional<std::int64_t> number(std::size_t digits)
    {
        if (digits == 0 || digits > 18 || digitsAhead() != digits)
            return std::nullopt;
        std::int64_t value = 0;
        for (std::size_t i = 0; i < digits; ++i)
            value = value * 10 + (m_text[m_at++] - '0');
        return value;
    }
    /// One of the names; its place in the list.
    template <std::size_t N>
    std::optional<int> word(const std::array<std::string_view, N> &names)
    {
        for (std::size_t i = 0; i < N; ++i)
            if (rest().starts_with(names[i])) {
                m_at += names[i].size();
                return static_cast<int>(i);
            }
        return std::nullopt;
    }
    bool atWordEnd() const
    {
        return m_at == m_text.size() || std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos;
    }
    void moveTo(std::size_t at) { m_at = at; }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

struct StampDate {
    int year = 0;
    int month = 0;
    int day = 0;
};

/// Days since 1970 of a date of the Gregorian calendar.
std::int64_t dayNumber(const StampDate &date)
{
    const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
    const std::int64_t era = year / 400;
    const std::int64_t yearOfEra = year - era * 400;
    const std::int64_t dayOfYear = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
    return era * 146'097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719'468;
}

bool isDate(const StampDate &date)
{
    return date.year >= 1970 && date.year <= 2100 && date.month >= 1 && date.month <= 12 && date.day >= 1
        && date.day <= 31;
}

/// ".123", ",123456"; in nanoseconds.
std::int64_t takeFraction(StampCursor &cursor, bool &hasFraction)
{
    const std::size_t before = cursor.at();
    const std::size_t digits = cursor.take(".,") ? cursor.digitsAhead() : 0;
    const auto value = cursor.number(digits);
    if (!value || digits > 9) {
        cursor.moveTo(before);
        return 0;
    }
    hasFraction = true;
    std::int64_t ns = *value;
    for (std::size_t i = digits; i < 9; ++i)
        ns *= 10;
    return ns;
}

/// "10:00:00.120"
std::optional<std::int64_t> takeClock(StampCursor &cursor, bool &hasFraction)
{
    const auto hours = cursor.number(2);
    const bool first = hours && cursor.take(":");
    const auto minutes = first ? cursor.number(2) : std::nullopt;
    const bool second = minutes && cursor.take(":");
    const auto seconds = second ? cursor.number(2) : std::nullopt;
    if (!seconds || *minutes > 59 || *seconds > 60)
        return std::nullopt;
    return (*hours * 3600 + *minutes * 60 + *seconds) * kStampSecondNs + takeFraction(cursor, hasFraction);
}

/// "Z", "UTC", "+01:00", "-0330" as seconds before UTC; empty for none.
std::optional<std::int64_t> takeZone(StampCursor &cursor)
{
    const std::size_t before = cursor.at();
    if (cursor.take("Z"))
        return 0;
    const bool west = cursor.rest().starts_with('-');
    if (cursor.take("+-")) {
        const std::size_t digits = cursor.digitsAhead();
        const auto number = cursor.number(digits);
        const auto minutes = digits == 2 && cursor.take(":") ? cursor.number(2) : std::nullopt;
        if (number && (digits == 4 || digits == 2)) {
            const std::int64_t zone =
                digits == 4 ? *number / 100 * 3600 + *number % 100 * 60 : *number * 3600 + minutes.value_or(0) * 60;
            return west ? -zone : zone;
        }
    }
    cursor.moveTo(before);
    return std::nullopt;
}

/// Unix time of a date and a time of day in a time zone, or in that of this machine.
std::optional<std::int64_t> unixNs(const StampDate &date, std::int64_t clockNs, std::optional<std::int64_t> zone)
{
    if (!isDate(date) || clockNs >= kSecondsADay * kStampSecondNs + kStampSecondNs)
        return std::nullopt;
    if (zone)
        return (dayNumber(date) * kSecondsADay - *zone) * kStampSecondNs + clockNs;
    std::tm time = {};
    time.tm_year = date.year - 1900;
    time.tm_mon = date.month - 1;
    time.tm_mday = date.day;
    time.tm_hour = static_cast<int>(clockNs / kStampSecondNs / 3600);
    time.tm_min = static_cast<int>(clockNs / kStampSecondNs / 60 % 60);
    time.tm_sec = static_cast<int>(clockNs / kStampSecondNs % 60);
    time.tm_isdst = -1;
    return std::mktime(&time) * kStampSecondNs + clockNs % kStampSecondNs;
}

/// "2026-03-01T10:00:00.120+01:00", "2026/03/01 10:00:00", "03/01/2026 10:00:00"
bool takeWrittenDate(StampCursor &cursor, LineStamp &stamp)
{
    const bool yearFirst = cursor.digitsAhead() == 4;
    std::array<std::int64_t, 3> parts = {};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto part = cursor.number(i == (yearFirst ? 0U : 2U) ? 4 : 2);
        if (!part || (i < 2 && !cursor.take(yearFirst ? "-/." : "/")))
            return false;
        parts[i] = *part;
    }
    const StampDate date = {static_cast<int>(parts[yearFirst ? 0 : 2]), static_cast<int>(parts[yearFirst ? 1 : 0]),
                            static_cast<int>(parts[yearFirst ? 2 : 1])};
    if (!cursor.take("T _,"))
        return false;
    cursor.skipBlanks();
    const auto clock = takeClock(cursor, stamp.hasFraction);
    const auto ns = clock ? unixNs(date, *clock, takeZone(cursor)) : std::nullopt;
    stamp.kind = LineStamp::Kind::Date;
    stamp.ns = ns.value_or(0);
    return ns.has_value();
}

/// "Mar  1 10:00:00.120", "Sun Mar 1 10:00:00 UTC 2026", and logcat's "03-01 10:00:00.120"
bool takeDayOfYear(StampCursor &cursor, LineStamp &stamp)
{
    static constexpr std::array<std::string_view, 7> kDays = {"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "};
    static constexpr std::array<std::string_view, 12> kMonths = {"Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ",
                                                                 "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "};
    StampDate date = {2000, 0, 0};
    cursor.word(kDays);
    if (const auto month = cursor.word(kMonths)) {
        date.month = *month + 1;
        cursor.skipBlanks();
        date.day = static_cast<int>(cursor.number(cursor.digitsAhead() == 1 ? 1 : 2).value_or(0));
    } else {
        date.month = static_cast<int>(cursor.number(2).value_or(0));
        date.day = static_cast<int>(cursor.take("-") ? cursor.number(2).value_or(0) : 0);
    }
    const auto clock = isDate(date) && cursor.take(" ") ? takeClock(cursor, stamp.hasFraction) : std::nullopt;
    if (!clock)
        return false;
    stamp.kind = LineStamp::Kind::DayOfYear;
    stamp.ns = (dayNumber(date) - dayNumber({2000, 1, 1})) * kSecondsADay * kStampSecondNs + *clock;
    // "date" prints the time zone and the year behind the time.
    static constexpr std::array<std::string_view, 2> kUtc = {" UTC", " GMT"};
    const std::size_t before = cursor.at();
    const bool isUtc = cursor.word(kUtc).has_value();
    cursor.take(" ");
    date.year = static_cast<int>(cursor.number(4).value_or(0));
    const auto ns =
        cursor.atWordEnd() ? unixNs(date, *clock, isUtc ? std::optional<std::int64_t>(0) : std::nullopt) : std::nullopt;
    if (ns) {
        stamp.kind = LineStamp::Kind::Date;
        stamp.ns = *ns;
    } else {
        cursor.moveTo(before);
    }
    return true;
}

/// "1709287200.123456", "1709287200123", and "12.345678" since a start
bool takeSeconds(StampCursor &cursor, LineStamp &stamp, bool inBrackets)
{
    cursor.skipBlanks();
    const std::size_t digits = cursor.digitsAhead();
    constexpr std::size_t kUnixDigits = 10;
    if (digits == 19) { // More than a cursor reads at once: nanoseconds since 1970.
        const auto seconds = StampCursor(cursor.rest().substr(0, kUnixDigits)).number(kUnixDigits);
        const auto ns = StampCursor(cursor.rest().substr(kUnixDigits, 9)).number(9);
        cursor.moveTo(cursor.at() + digits);
        stamp = {LineStamp::Kind::Date, 0, true, 0};
        return seconds && ns && !__builtin_mul_overflow(*seconds, kStampSecondNs, &stamp.ns)
            && !__builtin_add_overflow(stamp.ns, *ns, &stamp.ns);
    }
    const auto number = cursor.number(digits);
    if (!number)
        return false;
    if (digits == 13 || digits == 16) {
        stamp = {LineStamp::Kind::Date, 0, true, 0};
        return !__builtin_mul_overflow(*number, digits == 13 ? 1'000'000 : 1000, &stamp.ns);
    }
    if (digits > kUnixDigits || __builtin_mul_overflow(*number, kStampSecondNs, &stamp.ns)
        || __builtin_add_overflow(stamp.ns, takeFraction(cursor, stamp.hasFraction), &stamp.ns))
        return false;
    stamp.kind = digits == kUnixDigits ? LineStamp::Kind::Date : LineStamp::Kind::Seconds;
    return digits == kUnixDigits || inBrackets || stamp.hasFraction;
}

/// What journalctl, docker and others write between the time and the line: "orin tegrastats[812]:", "stdout F".
std::size_t ownerSize(std::string_view text)
{
    constexpr std::size_t kMaxOwnerBytes = 200;
    std::size_t first = std::string_view::npos;
    for (const std::string_view item : {"RAM ", "CPU [", "cpu ["})
        first = std::min(first, text.find(item));
    if (first > kMaxOwnerBytes) // Or none of them is there.
        return 0;
    std::string_view owner = text.substr(0, first);
    // tegrastats' own stamp is a part of its line.
    constexpr std::size_t kOwnStampBytes = 20;
    if (owner.size() >= kOwnStampBytes && isStampDigit(owner[owner.size() - kOwnStampBytes])
        && owner[owner.size() - kOwnStampBytes + 2] == '-')
        owner.remove_suffix(kOwnStampBytes);
    while (!owner.empty() && owner.back() == ' ')
        owner.remove_suffix(1);
    const bool ends = !owner.empty() && std::string_view(":|>-]").find(owner.back()) != std::string_view::npos;
    return ends || owner.ends_with("stdout F") || owner.ends_with("stderr F") ? owner.size() : 0;
}

} // namespace

LineStamp lineStampOf(std::string_view line)
{
    StampCursor cursor(line);
    cursor.skipBlanks();
    if (cursor.take("<")) { // The priority in a message of syslog.
        cursor.number(cursor.digitsAhead());
        cursor.take(">");
    }
    const bool inBrackets = cursor.take("[(");
    const std::size_t start = cursor.at();
    const auto tries = std::to_array<bool (*)(StampCursor &, LineStamp &, bool)>(
        {[](StampCursor &at, LineStamp &stamp, bool) { return takeWrittenDate(at, stamp); },
         [](StampCursor &at, LineStamp &stamp, bool) { return takeDayOfYear(at, stamp); },
         [](StampCursor &at, LineStamp &stamp, bool) {
             const auto clock = takeClock(at, stamp.hasFraction);
             stamp.kind = LineStamp::Kind::Clock;
             stamp.ns = clock.value_or(0);
             return clock.has_value();
         },
         takeSeconds});
    for (const auto takes : tries) {
        LineStamp stamp;
        cursor.moveTo(start);
        if (!takes(cursor, stamp, inBrackets))
            continue;
        cursor.take("])");
        cursor.take(":,;|");
        if (!cursor.atWordEnd())
            continue;
        stamp.size = cursor.at() + ownerSize(cursor.rest());
        return stamp;
    }
    return {};
}

} // namespace jetscope
