// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/tegrastatsline.h"

#include "core/enumtable.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace jetscope {

namespace {

using Quantity = TegrastatsQuantity;

constexpr double kTurnedOff = std::numeric_limits<double>::quiet_NaN();

/// The factor to the counter's unit, and the range of plausible values; other values are unknown.
struct LineMeasure {
    double factor;
    double low;
    double high;

    double operator()(double value) const { return value >= low && value <= high ? value * factor : kTurnedOff; }
};
constexpr LineMeasure kLinePercent = {1, 0, 100};
constexpr LineMeasure kLineMegahertz = {1e6, 0, 1e5};
constexpr LineMeasure kLineDegrees = {1, -100, 250};       // A sensor that is off reads -256.
constexpr LineMeasure kLineMilliwatts = {1e-3, -1e7, 1e7}; // A monitor without load can read less than nothing.
constexpr LineMeasure kAnyNumber = {1, -1e15, 1e15};

/// What a counter's name has before and behind its subject, and its unit; empty: that of the reading.
struct QuantityWords {
    Quantity quantity;
    std::string_view before;
    std::string_view behind;
    std::string_view unit;
};
constexpr auto kQuantityWords = std::to_array<QuantityWords>({
    {Quantity::Load, "", " load", "%"},
    {Quantity::Clock, "", " clock", "Hz"},
    {Quantity::Used, "", " used", "B"},
    {Quantity::Total, "", " total", "B"},
    {Quantity::Cached, "", " cached", "B"},
    {Quantity::LargestFreeBlock, "", " largest free block", "B"},
    {Quantity::LargestFreeBlocks, "", " free blocks of that size", ""},
    {Quantity::Temperature, "temperature ", "", "°C"},
    {Quantity::HighestTemperature, "temperature ", " highest", "°C"},
    {Quantity::Power, "power ", "", "W"},
    {Quantity::AveragePower, "power ", " average", "W"},
    {Quantity::HighestPower, "power ", " highest", "W"},
    {Quantity::Plain, "", "", ""},
});
static_assert(hasEveryRow(kQuantityWords, &QuantityWords::quantity));

bool isItemBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}
bool isDecimalDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isLatinLetter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Reads a text from left to right.
class TegrastatsCursor {
public:
    explicit TegrastatsCursor(std::string_view text) : m_text(text) {}

    std::size_t at() const { return m_at; }
    std::string_view rest() const { return m_text.substr(m_at); }
    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool atEnd() const { return m_at == m_text.size(); }
    /// Whether a value may end here.
    bool atWordEnd() const { return atEnd() || isItemBlank(peek()); }

    void skipBlanks()
    {
        while (!atEnd() && isItemBlank(m_text[m_at]))
            ++m_at;
    }
    void skipWord()
    {
        while (!atWordEnd())
            ++m_at;
    }
    void skip(std::size_t count) { m_at += count; }
    bool take(char c)
    {
        if (atEnd() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    bool takeWord(std::string_view word)
    {
        if (!rest().starts_with(word))
            return false;
        m_at += word.size();
        return true;
    }
    template <class Belongs>
    std::string_view takeWhile(Belongs belongs)
    {
        const std::size_t from = m_at;
        while (!atEnd() && belongs(m_text[m_at]))
            ++m_at;
        return m_text.substr(from, m_at - from);
    }
    std::string_view takeName()
    {
        if (!isLatinLetter(peek()))
            return {};
        return takeWhile(
            [](char c) { return isLatinLetter(c) || isDecimalDigit(c) || c == '_' || c == '-' || c == '.'; });
    }
    std::string_view takeUnit()
    {
        return takeWhile([](char c) { return isLatinLetter(c) || c == '%'; });
    }

    /// Passes a word in place of a number, such as "N/A". False if there is none.
    bool skipLetters()
    {
        return !takeWhile([](char c) { return isLatinLetter(c) || c == '/'; }).empty();
    }

    /// A decimal number of at most 15 digits, which is exact; none if there is another text or a longer number.
    std::optional<double> takeNumber()
    {
        const bool negative = take('-');
        std::uint64_t digits = 0;
        int count = 0;
        int decimals = 0;
        bool any = false;
        for (bool point = false; !atEnd(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '.' && !point) {
                point = true;
                continue;
            }
            if (!isDecimalDigit(c))
                break;
            any = true;
            digits = count < kMaxDigits ? digits * 10 + static_cast<std::uint64_t>(c - '0') : digits;
            count += digits > 0 || count > 0 ? 1 : 0;
            decimals += point ? 1 : 0;
        }
        if (!any || count > kMaxDigits || decimals > kMaxDigits)
            return std::nullopt;
        const double value = static_cast<double>(digits) / kPowers[static_cast<std::size_t>(decimals)];
        return negative ? -value : value;
    }

private:
    static constexpr int kMaxDigits = 15;
    static constexpr std::array<double, kMaxDigits + 1> kPowers = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    std::string_view m_text;
    std::size_t m_at = 0;
};

constexpr std::size_t kStampSize = 19;

/// "MM-DD-YYYY HH:MM:SS" at the start of a text.
bool startsWithStamp(std::string_view text)
{
    constexpr std::string_view kPattern = "00-00-0000 00:00:00";
    static_assert(kPattern.size() == kStampSize);
    if (text.size() < kStampSize || (text.size() > kStampSize && !isItemBlank(text[kStampSize])))
        return false;
    for (std::size_t i = 0; i < kStampSize; ++i)
        if (kPattern[i] == '0' ? !isDecimalDigit(text[i]) : text[i] != kPattern[i])
            return false;
    return true;
}

std::optional<double> bytesPer(std::string_view unit)
{
    constexpr double kKibi = 1024;
    if (unit == "B")
        return 1;
    if (unit == "kB" || unit == "KB" || unit == "kb")
        return kKibi;
    if (unit == "MB")
        return kKibi * kKibi;
    if (unit == "GB")
        return kKibi * kKibi * kKibi;
    return std::nullopt;
}

/// Whether a number behind this name is a clock in MHz: an engine such as "NVDEC1", or a name that ended in "_FREQ".
bool isEngine(std::string_view name)
{
    constexpr auto kEngines =
        std::to_array<std::string_view>({"APE", "DLA", "ISP", "MSENC", "NVCSI", "NVDEC", "NVDLA", "NVENC", "NVJPG",
                                         "OFA", "PVA", "SE", "TSEC", "TSECB", "VI", "VIC"});
    while (!name.empty() && (isDecimalDigit(name.back()) || name.back() == '_'))
        name.remove_suffix(1);
    return std::find(kEngines.begin(), kEngines.end(), name) != kEngines.end();
}

constexpr std::string_view kCpuItem = "CPU";

/// Reads the items of one line. A function that returns false leaves unreadable readings to its caller.
class TegrastatsItems {
public:
    TegrastatsItems(TegrastatsCursor &cursor, std::vector<TegrastatsReading> &readings)
        : m_cursor(cursor), m_readings(readings)
    {
    }

    bool item(std::string_view name)
    {
        constexpr std::string_view kFrequency = "_FREQ";
        m_item = name;
        m_isClock = name.ends_with(kFrequency);
        if (m_isClock)
            m_item.remove_suffix(kFrequency.size());
        if (m_cursor.take('@'))
            return temperature() && m_cursor.atWordEnd();
        if (!m_cursor.atWordEnd())
            return false;
        m_cursor.skipBlanks();
        if (isCpuList(name)) {
            m_item = kCpuItem;
            return cores() && m_cursor.atWordEnd();
        }
        if (name == "MTS")
            return shares();
        return value();
    }

private:
    bool isCpuList(std::string_view name) const
    {
        return (name == kCpuItem || name == "cpu") && m_cursor.peek() == '['; // AGX Xavier has a rail "CPU".
    }

    void add(Quantity quantity, double value, int index = -1, std::string_view unit = {})
    {
        m_readings.push_back({m_item, unit, quantity, index, value});
    }

    /// "40C", "42.5C/99C"
    bool temperature()
    {
        for (const Quantity quantity : {Quantity::Temperature, Quantity::HighestTemperature}) {
            const std::optional<double> degrees = m_cursor.takeNumber();
            const std::string_view unit = m_cursor.takeUnit();
            if (!degrees || unit.empty())
                return false;
            if (unit == "C")
                add(quantity, kLineDegrees(*degrees));
            else
                add(Quantity::Plain, kAnyNumber(*degrees), quantity == Quantity::Temperature ? -1 : 1, unit);
            if (!m_cursor.take('/'))
                return true;
        }
        return false;
    }

    /// "[5%@1224,off,3%]", with or without "@1224" behind it.
    bool cores()
    {
        constexpr int kMaxCores = 1024;
        if (!m_cursor.take('['))
            return false;
        for (int core = 0; core < kMaxCores; ++core) {
            if (m_cursor.takeWord("off")) {
                add(Quantity::Load, kTurnedOff, core);
                add(Quantity::Clock, kTurnedOff, core);
            } else if (!load(core)) {
                return false;
            }
            if (m_cursor.take(']'))
                return !m_cursor.take('@') || clock(-1);
            if (!nextInList())
                return false;
        }
        return false;
    }

    /// Goes on behind a comma; other programs that print the list again put a blank there.
    bool nextInList()
    {
        if (!m_cursor.take(','))
            return false;
        m_cursor.skipBlanks();
        return true;
    }

    /// "5%" or "5%@1224"; a clock that is no number, as in "5%@N/A", is unknown, and the load is not.
    bool load(int index)
    {
        const std::optional<double> percent = m_cursor.takeNumber();
        if (!percent || !m_cursor.take('%'))
            return false;
        add(Quantity::Load, kLinePercent(*percent), index);
        if (!m_cursor.take('@') || clock(index))
            return true;
        add(Quantity::Clock, kTurnedOff, index);
        return m_cursor.skipLetters();
    }

    bool clock(int index)
    {
        const std::optional<double> megahertz = m_cursor.takeNumber();
        if (!megahertz)
            return false;
        add(Quantity::Clock, kLineMegahertz(*megahertz), index);
        return true;
    }

    /// "1224", "[305]" or "[305,306]"; the parts of a GPU have clocks of their own.
    bool clocks()
    {
        constexpr int kMaxClocks = 64;
        if (!m_cursor.take('['))
            return clock(-1);
        for (int part = 0; part < kMaxClocks; ++part) {
            if (!clock(part == 0 ? -1 : part))
                return false;
            if (m_cursor.take(']'))
                return true;
            if (!nextInList())
                return false;
        }
        return false;
    }

    /// "fg 0% bg 1%"
    bool shares()
    {
        int part = 0;
        for (const std::string_view name : {"fg", "bg"}) {
            if (!m_cursor.takeWord(name))
                return false;
            m_cursor.skipBlanks();
            if (!load(part++) || !m_cursor.atWordEnd())
                return false;
            m_cursor.skipBlanks();
        }
        return true;
    }

    /// What stands behind a name and a blank.
    bool value()
    {
        const bool isUpper = std::none_of(m_item.begin(), m_item.end(), [](char c) { return c >= 'a' && c <= 'z'; });
        if (isUpper && (m_cursor.takeWord("off") || m_cursor.takeWord("OFF"))) {
            add(Quantity::Clock, kTurnedOff);
            return m_cursor.atWordEnd();
        }
        if (m_cursor.take('@'))
            return clocks() && m_cursor.atWordEnd();
        const std::optional<double> number = m_cursor.takeNumber();
        if (!number)
            return false;
        if (m_cursor.take('%')) {
            add(Quantity::Load, kLinePercent(*number));
            if (!m_cursor.take('@') || clocks())
                return m_cursor.atWordEnd();
            add(Quantity::Clock, kTurnedOff); // No number, as in "20%@N/A".
            return m_cursor.skipLetters() && m_cursor.atWordEnd();
        }
        const std::string_view unit = m_cursor.takeUnit();
        if (m_cursor.peek() == '/')
            return list(*number, unit);
        if (unit.empty() && (m_isClock || isEngine(m_item)))
            add(Quantity::Clock, kLineMegahertz(*number));
        else if (unit == "mW") // Without an average.
            add(Quantity::Power, kLineMilliwatts(*number));
        else
            add(Quantity::Plain, kAnyNumber(*number), -1, unit);
        return m_cursor.atWordEnd();
    }

    /// "1923/3964MB (lfb 2x2MB)", "1750/1628", "5704mW/5704mW", "5704mW/5704mW/6000mW". The unit may stand at the last
    /// number only.
    bool list(double first, std::string_view unit)
    {
        std::array<double, 3> values = {first};
        std::size_t count = 1;
        while (count < values.size() && m_cursor.take('/')) {
            const std::optional<double> next = m_cursor.takeNumber();
            const std::string_view nextUnit = m_cursor.takeUnit();
            if (!next || (!unit.empty() && nextUnit != unit))
                return false;
            values[count++] = *next;
            unit = nextUnit;
        }
        if (const std::optional<double> factor = bytesPer(unit); factor && count == 2) {
            const LineMeasure bytes = {*factor, 0, 1e15 / *factor};
            add(Quantity::Used, bytes(values[0]));
            add(Quantity::Total, bytes(values[1]));
            return memoryDetails();
        }
        constexpr std::array<Quantity, 3> kPowers = {Quantity::Power, Quantity::AveragePower, Quantity::HighestPower};
        for (std::size_t i = 0; i < count; ++i) {
            if (unit.empty() || unit == "mW")
                add(kPowers[i], kLineMilliwatts(values[i]));
            else
                add(Quantity::Plain, kAnyNumber(values[i]), i == 0 ? -1 : static_cast<int>(i), unit);
        }
        return m_cursor.atWordEnd();
    }

    /// Optional, with or without a blank before it: "(lfb 2x2MB)", "(cached 6MB)".
    bool memoryDetails()
    {
        TegrastatsCursor ahead = m_cursor;
        ahead.skipBlanks();
        if (!ahead.take('('))
            return m_cursor.atWordEnd();
        const std::string_view what = ahead.takeName();
        ahead.skipBlanks();
        std::optional<double> number = ahead.takeNumber();
        std::optional<double> blocks;
        if (number && ahead.take('x')) {
            blocks = number;
            number = ahead.takeNumber();
        }
        const std::optional<double> factor = bytesPer(ahead.takeUnit());
        if (!number || !factor || !ahead.take(')'))
            return false;
        const LineMeasure bytes = {*factor, 0, 1e15 / *factor};
        if (what == "cached") {
            add(Quantity::Cached, bytes(*number));
        } else if (what == "lfb") {
            add(Quantity::LargestFreeBlock, bytes(*number));
            if (blocks)
                add(Quantity::LargestFreeBlocks, kAnyNumber(*blocks));
        }
        m_cursor = ahead;
        return m_cursor.atWordEnd();
    }

    TegrastatsCursor &m_cursor;
    std::vector<TegrastatsReading> &m_readings;
    std::string_view m_item;
    bool m_isClock = false;
};

std::string numberedItem(const std::string &name, int index)
{
    return index < 0 ? name : name + " " + std::to_string(index);
}

/// The item in words, with the number of its part.
std::string subjectOf(const TegrastatsReading &reading)
{
    if (reading.item == "GR3D" || reading.item == "GR3D2") {
        const std::string name = reading.item == "GR3D" ? "GPU" : "GPU 2";
        return reading.index < 0 ? name : name + " part " + std::to_string(reading.index + 1);
    }
    if (reading.item == "RAM")
        return "memory";
    if (reading.item == "SWAP")
        return "swap";
    if (reading.item == "EMC")
        return reading.quantity == Quantity::Load ? "memory controller" : "memory";
    if (reading.item == "MTS")
        return reading.index == 0 ? "MTS foreground" : "MTS background";
    return numberedItem(std::string(reading.item), reading.index);
}

/// Whether what follows a name looks like its value, and the line goes on behind it: the last item may be cut off.
bool hasValue(std::string_view behindName)
{
    const bool isAtName = behindName.starts_with('@');
    const std::size_t from = isAtName ? 1 : behindName.find_first_not_of(' ');
    return from != std::string_view::npos && from > 0 && from < behindName.size()
        && (isDecimalDigit(behindName[from]) || behindName[from] == '[')
        && behindName.find(' ', from) != std::string_view::npos;
}

} // namespace

void TegrastatsLine::parse(std::string_view text)
{
    readings.clear();
    stamp = rest = {};
    secondItem = lastItem = 0;
    unread.clear();
    isOurs = false;
    bool hasMemory = false;
    TegrastatsCursor cursor(text);
    TegrastatsItems items(cursor, readings);
    outerStamp = lineStampOf(text);
    cursor.skip(outerStamp.size);
    for (cursor.skipBlanks(); !cursor.atEnd(); cursor.skipBlanks()) {
        const std::size_t from = cursor.at();
        if (startsWithStamp(cursor.rest())) {
            if (isOurs) {
                rest = text.substr(from);
                return;
            }
            readings.clear(); // Other output before the line.
            stamp = cursor.rest().substr(0, kStampSize);
            cursor.skip(kStampSize);
            continue;
        }
        const std::string_view name = cursor.takeName();
        if (name == "RAM" && hasMemory) {
            rest = text.substr(from);
            return;
        }
        const std::size_t before = readings.size();
        const TegrastatsCursor behindName = cursor;
        if (name.empty() || !items.item(name)) {
            readings.resize(before);
            if (name == "MTS")
                return;          // Cut off; its parts have names of their own.
            cursor = behindName; // A name without a value may stand before another name.
            if (!name.empty() && hasValue(cursor.rest()))
                unread.push_back(name);
            cursor.skipWord();
            continue;
        }
        lastItem = before;
        if (before == 0)
            secondItem = readings.size();
        hasMemory = hasMemory || name == "RAM";
        isOurs = isOurs || name == "RAM"
            || (readings[before].item == kCpuItem && readings[before].quantity == Quantity::Load);
    }
}

std::string tegrastatsCounterName(const TegrastatsReading &reading)
{
    const QuantityWords &words = kQuantityWords[static_cast<std::size_t>(reading.quantity)];
    const std::string subject = subjectOf(reading);
    const bool isShare = reading.quantity == Quantity::Load && reading.item == "MTS"; // Its name says it.
    return std::string(words.before) + subject + (isShare ? "" : std::string(words.behind));
}

std::string tegrastatsCounterUnit(const TegrastatsReading &reading)
{
    const std::string_view unit = kQuantityWords[static_cast<std::size_t>(reading.quantity)].unit;
    return std::string(unit.empty() ? reading.unit : unit);
}

bool looksLikeTegrastats(std::string_view beginning)
{
    TegrastatsLine line;
    while (!beginning.empty()) {
        const std::size_t end = std::min(beginning.find('\n'), beginning.size());
        line.parse(beginning.substr(0, end));
        if (line.isOurs)
            return true;
        beginning.remove_prefix(std::min(end + 1, beginning.size()));
    }
    return false;
}

} // namespace jetscope
