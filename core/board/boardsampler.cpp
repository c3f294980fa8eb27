// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardsampler.h"

#include "core/board/proctexts.h"
#include "core/system/sysfile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr std::int64_t kSlowPeriodNs = 1'000'000'000;
/// A file that cannot be read is opened again after so many failures.
constexpr int kFailuresBeforeReopening = 8;
constexpr std::size_t kMaxProcText = 1 << 16;
constexpr std::size_t kMaxStatusText = 64;

std::string shortNumber(double value)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

} // namespace

/// One item's files and what a change per time needs from the reading before.
struct BoardSampler::Source {
    struct File {
        Result<SysFile> file;
        int failures = 0;

        Result<long long> number()
        {
            Result<long long> result = file.ok() ? file.value().number() : Result<long long>(file.error());
            if (result.ok()) {
                failures = 0;
            } else if (++failures >= kFailuresBeforeReopening) {
                failures = 0;
                reopen();
            }
            return result;
        }
        void reopen()
        {
            Result<SysFile> again = SysFile::open(path);
            if (again.ok() || !file.ok())
                file = std::move(again);
        }
        std::string path;
    };

    const BoardItem *item = nullptr;
    std::vector<File> files;
    std::vector<double> numbers; ///< Of the files, NaN where one cannot be read.
    std::string trouble;         ///< Why the first such file cannot be read.
    std::optional<CpuTimes> cpu; ///< Of the reading before.
    std::uint64_t ownTicks = 0;  ///< Of this process, likewise.
    double lastNumber = 0;
    std::int64_t lastNs = 0; ///< 0: there was no reading before.

    void readFiles()
    {
        numbers.clear();
        trouble.clear();
        for (File &file : files) {
            const Result<long long> number = file.number();
            numbers.push_back(number.ok() ? static_cast<double>(number.value()) : std::nan(""));
            if (!number.ok() && trouble.empty())
                trouble = number.error().text;
        }
    }
    bool allKnown() const
    {
        return std::none_of(numbers.begin(), numbers.end(), [](double number) { return std::isnan(number); });
    }
    Reading<double> plausible(double value) const
    {
        value *= item->factor;
        if (std::isfinite(value) && value >= item->low && value <= item->high)
            return value;
        if (item->quantity == BoardQuantity::Temperature && value < item->low)
            return sentence("the sensor is off");
        return sentence("the reading is not plausible: " + shortNumber(value) + " " + item->unit);
    }
    Reading<double> ofNumbers(std::int64_t nowNs, std::vector<std::string> &limits);
    Reading<double> greatest() const;
    Reading<double> rate(std::int64_t nowNs);
    Reading<double> countActive(std::vector<std::string> &limits) const;
    Reading<double> countAtLimit(std::vector<std::string> &limits) const;
    Reading<double> equalPairs() const;
    Reading<double> cpuLoad(const std::string &stat, std::uint64_t ownTicksNow = 0);
    Reading<double> outsideLoad(const std::string &stat);
    Reading<double> memInfo(const std::string &info) const;
};

Reading<double> BoardSampler::Source::greatest() const
{
    double most = std::nan("");
    for (const double number : numbers)
        if (!std::isnan(number) && !(number <= most))
            most = number;
    return std::isnan(most) ? Reading<double>(sentence(trouble)) : plausible(most);
}

Reading<double> BoardSampler::Source::rate(std::int64_t nowNs)
{
    const double before = std::exchange(lastNumber, numbers[0]);
    const std::int64_t beforeNs = std::exchange(lastNs, nowNs);
    if (beforeNs == 0 || nowNs <= beforeNs)
        return sentence("it is known from the second reading on");
    double change = numbers[0] - before;
    if (change < 0 && numbers.size() > 1)
        change += numbers[1];
    return plausible(change * 1e9 / static_cast<double>(nowNs - beforeNs));
}

Reading<double> BoardSampler::Source::countActive(std::vector<std::string> &limits) const
{
    double active = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] > 0) {
            ++active;
            limits.push_back(item->labels[i]);
        }
    const bool anyKnown =
        std::any_of(numbers.begin(), numbers.end(), [](double number) { return !std::isnan(number); });
    return anyKnown ? plausible(active) : Reading<double>(sentence(trouble));
}

Reading<double> BoardSampler::Source::countAtLimit(std::vector<std::string> &limits) const
{
    double atLimit = 0;
    bool anyKnown = false;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        anyKnown = anyKnown || (!std::isnan(numbers[i]) && !std::isnan(numbers[i + 1]));
        if (numbers[i + 1] > 0 && numbers[i] >= numbers[i + 1]) {
            ++atLimit;
            limits.push_back(item->labels[i / 2]);
        }
    }
    return anyKnown ? plausible(atLimit) : Reading<double>(sentence(trouble));
}

/// A pair that is gone as a whole is a cluster whose cores are offline.
Reading<double> BoardSampler::Source::equalPairs() const
{
    bool anyKnown = false;
    bool isEqual = true;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        if (std::isnan(numbers[i]) != std::isnan(numbers[i + 1]))
            return sentence(trouble);
        anyKnown = anyKnown || !std::isnan(numbers[i]);
        isEqual = isEqual && (std::isnan(numbers[i]) || numbers[i] == numbers[i + 1]);
    }
    return anyKnown ? plausible(isEqual ? 1 : 0) : Reading<double>(sentence(trouble));
}

/// Ticks of this process do not count as load.
Reading<double> BoardSampler::Source::cpuLoad(const std::string &stat, std::uint64_t ownTicksNow)
{
    const std::optional<CpuTimes> now = cpuTimesIn(stat, item->key);
    const std::optional<CpuTimes> before = std::exchange(cpu, now);
    const std::uint64_t own = ownTicksNow - std::exchange(ownTicks, ownTicksNow);
    if (!now)
        return sentence(item->key == "cpu" ? "/proc/stat has no line of the CPU" : "the core is offline");
    if (!before)
        return sentence("it is known from the second reading on");
    if (now->all <= before->all || now->idle < before->idle)
        return sentence("the times of /proc/stat did not advance");
    const auto all = static_cast<double>(now->all - before->all);
    const auto notOutside = static_cast<double>(now->idle - before->idle + own);
    return plausible(100 * (1 - std::min(notOutside / all, 1.0)));
}

Reading<double> BoardSampler::Source::outsideLoad(const std::string &stat)
{
    std::array<char, 1024> text{};
    const Result<std::string_view> content =
        files[1].file.ok() ? files[1].file.value().read(text.data(), text.size()) : files[1].file.error();
    const std::optional<ProcessStat> own = content.ok() ? processStatIn(content.value()) : std::nullopt;
    if (!own || own->ranTicks < ownTicks)
        return sentence("/proc/self/stat has no times of this process");
    return cpuLoad(stat, own->ranTicks);
}

Reading<double> BoardSampler::Source::memInfo(const std::string &info) const
{
    const std::optional<long long> total = memInfoValue(info, item->key);
    if (!total)
        return sentence("/proc/meminfo has no value of " + item->key);
    if (item->freeKey.empty())
        return plausible(static_cast<double>(*total));
    const std::optional<long long> free = memInfoValue(info, item->freeKey);
    if (!free)
        return sentence("/proc/meminfo has no value of " + item->freeKey);
    return plausible(static_cast<double>(*total) - static_cast<double>(*free));
}

Reading<double> BoardSampler::Source::ofNumbers(std::int64_t nowNs, std::vector<std::string> &limits)
{
    readFiles();
    switch (item->formula) {
    case BoardFormula::Greatest:
        return greatest();
    case BoardFormula::CountActive:
        return countActive(limits);
    case BoardFormula::CountAtLimit:
        return countAtLimit(limits);
    case BoardFormula::EqualPairs:
        return equalPairs();
    default:
        break;
    }
    if (!allKnown()) // Part of a sum would be a wrong value.
        return sentence(trouble);
    double result = 0;
    switch (item->formula) {
    case BoardFormula::Rate:
        return rate(nowNs);
    case BoardFormula::Sum:
        for (const double number : numbers)
            result += number;
        return plausible(result);
    case BoardFormula::Product:
    case BoardFormula::SumOfProducts:
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
            result += numbers[i] * numbers[i + 1];
        return plausible(result);
    case BoardFormula::Percent:
        return numbers[1] > 0 ? plausible(numbers[0] / numbers[1]) : Reading<double>(sentence("the clock is 0"));
    default:
        return sentence("it is not read from files");
    }
}

BoardSampler::BoardSampler(BoardLayout layout) : m_layout(std::move(layout))
{
    for (const BoardItem &item : m_layout.items) {
        Source source;
        source.item = &item;
        if (item.unavailable.empty())
            for (const std::string &path : item.paths)
                source.files.push_back({SysFile::open(path), 0, path});
        m_sources.push_back(std::move(source));
        m_state.values.emplace_back();
        m_state.values.back().reason = item.unavailable.empty() ? m_state.values.back().reason : item.unavailable;
    }
}

BoardSampler::BoardSampler(const std::string &root) : BoardSampler(findBoardLayout(root)) {}

BoardSampler::~BoardSampler() = default;
BoardSampler::BoardSampler(BoardSampler &&) noexcept = default;
BoardSampler &BoardSampler::operator=(BoardSampler &&) noexcept = default;

Reading<double> BoardSampler::powerMode(const Source &source)
{
    // nvpmodel may replace the file, so it is opened each time.
    const Result<std::string> text = textOf(source.item->paths[0], kMaxStatusText);
    if (!text.ok())
        return text.error();
    const std::optional<int> id = parsePowerModeStatus(text.value());
    if (!id)
        return sentence(source.item->paths[0] + " does not hold a mode such as \"pmode:0002\"");
    m_state.powerMode = m_layout.modes.textOf(*id);
    return static_cast<double>(*id);
}

/// The content of a file of several items, read once for each sample.
const std::string &BoardSampler::sharedText(std::string &text, Source &source)
{
    if (!text.empty())
        return text;
    const Result<SysFile> &file = source.files[0].file;
    text.resize(kMaxProcText);
    const Result<std::string_view> content =
        file.ok() ? file.value().read(text.data(), text.size()) : Result<std::string_view>(file.error());
    text.resize(content.ok() ? content.value().size() : 0);
    if (text.empty())
        text = " "; // Not read again for the next item.
    return text;
}

Reading<double> BoardSampler::read(Source &source)
{
    switch (source.item->formula) {
    case BoardFormula::CpuLoad:
        return source.cpuLoad(sharedText(m_stat, source));
    case BoardFormula::OutsideLoad:
        return source.outsideLoad(sharedText(m_stat, source));
    case BoardFormula::MemInfo:
        return source.memInfo(sharedText(m_memInfo, source));
    case BoardFormula::PowerMode:
        m_state.powerMode.clear();
        return powerMode(source);
    default:
        return source.ofNumbers(m_state.timeNs, m_state.limits);
    }
}

const BoardState &BoardSampler::sample(std::int64_t nowNs, bool details)
{
    m_state.timeNs = nowNs;
    m_state.limits.clear();
    m_stat.clear();
    m_memInfo.clear();
    const bool slow = m_slowNs == 0 || nowNs - m_slowNs >= kSlowPeriodNs || nowNs < m_slowNs;
    if (slow)
        m_slowNs = nowNs;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        const BoardItem &item = m_layout.items[i];
        const bool skip = !item.unavailable.empty() || item.formula == BoardFormula::Foreign || (item.slow && !slow)
            || (item.detail && !details);
        if (!skip)
            m_state.values[i] = read(m_sources[i]);
    }
    return m_state;
}

} // namespace jetscope
