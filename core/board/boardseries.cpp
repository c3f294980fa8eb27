// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardseries.h"

#include "core/enumtable.h"
#include "core/text/numbertext.h"
#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

using Role = BoardCurve::Role;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kTemperaturePrefix = "temperature ";

constexpr auto kGroupNames =
    std::to_array<std::string_view>({"CPU", "GPU", "Memory bus", "Memory", "Temperature", "Power", "Engines", "Fan"});

struct CurvePlace {
    BoardGroup group;
    Role role;
    std::string label;
    int core = -1;
};

struct NamedPlace {
    std::string_view name;
    std::string_view unit;
    BoardGroup group;
    Role role;
    std::string_view label;
};
constexpr auto kNamedPlaces = std::to_array<NamedPlace>({
    {kCpuLoadCounter, "%", BoardGroup::Cpu, Role::Load, "mean of cores"},
    {"CPU clock", "Hz", BoardGroup::Cpu, Role::Clock, "highest clock"},
    {kGpuLoadCounter, "%", BoardGroup::Gpu, Role::Load, "load"},
    {"GPU clock", "Hz", BoardGroup::Gpu, Role::Clock, "clock"},
    {"memory controller load", "%", BoardGroup::MemoryBus, Role::Load, "load"},
    {"memory load", "%", BoardGroup::MemoryBus, Role::Load, "load"},
    {"memory clock", "Hz", BoardGroup::MemoryBus, Role::Clock, "clock"},
    {"memory used", "B", BoardGroup::Memory, Role::Bytes, "used"},
    {"memory total", "B", BoardGroup::Memory, Role::Most, "all of memory"},
    {"GPU memory used", "B", BoardGroup::Memory, Role::Bytes, "used by the GPU"},
    {"swap used", "B", BoardGroup::Memory, Role::Bytes, "swap used"},
    {"fan speed", "rpm", BoardGroup::Fan, Role::Speed, "speed"},
    {"fan", "%", BoardGroup::Fan, Role::Load, "drive"},
});

/// The core of "CPU 3 load"; -1 for anything else.
int coreOf(std::string_view name, std::string_view what)
{
    constexpr std::string_view kCpu = "CPU ";
    if (!name.starts_with(kCpu) || !name.ends_with(what) || name.size() <= kCpu.size() + what.size())
        return -1;
    name.remove_prefix(kCpu.size());
    name.remove_suffix(what.size());
    return parseNumber<int>(name).value_or(-1);
}

std::optional<CurvePlace> placeOf(const CounterInfo &info)
{
    const std::string_view name = info.name;
    if (info.lane)
        return std::nullopt;
    for (const NamedPlace &row : kNamedPlaces)
        if (name == row.name && info.unit == row.unit)
            return CurvePlace{row.group, row.role, std::string(row.label)};
    if (const int core = coreOf(name, " load"); core >= 0 && info.unit == "%")
        return CurvePlace{BoardGroup::Cpu, Role::CoreLoad, "core " + std::to_string(core), core};
    if (info.unit == "°C" && name.starts_with(kTemperaturePrefix) && !name.ends_with(" highest"))
        return CurvePlace{BoardGroup::Temperature, Role::Temperature,
                          std::string(name.substr(kTemperaturePrefix.size()))};
    if (info.unit == "W" && name.starts_with(kRailPrefix) && !name.ends_with(" average") && !name.ends_with(" highest")
        && name != kSumOfRailsCounter && !isUnusedRail(name.substr(kRailPrefix.size())))
        return CurvePlace{BoardGroup::Power, Role::Inner, std::string(name.substr(kRailPrefix.size()))};
    if (info.unit == "Hz" && name.starts_with("GPU ") && name.ends_with(" clock"))
        return CurvePlace{BoardGroup::Gpu, Role::Clock, std::string(name.substr(4))};
    if (info.unit == "Hz" && name.ends_with(" clock") && coreOf(name, " clock") < 0)
        return CurvePlace{BoardGroup::Engines, Role::Clock, std::string(name.substr(0, name.size() - 6))};
    return std::nullopt;
}

/// Values that are not drawn but that events and sums are made of.
bool isBehindCurves(const CounterInfo &info)
{
    constexpr auto kEvents =
        std::to_array<std::string_view>({kPowerModeCounter, kThrottlingCounter, kOverCurrentCounter, kRailLimitCounter,
                                         kGpuThrottlingCounter, kGpuPowerCapCounter});
    return std::find(kEvents.begin(), kEvents.end(), info.name) != kEvents.end()
        || (coreOf(info.name, " clock") >= 0 && info.unit == "Hz");
}

/// What is looked at first: the junction, GPU and CPU, then the others.
int rankOfTemperature(const std::string &label)
{
    constexpr auto kFirst = std::to_array<std::string_view>({"tj", "gpu", "cpu"});
    const std::string lower = lowerCase(label);
    for (std::size_t i = 0; i < kFirst.size(); ++i)
        if (lower == kFirst[i] || lower.starts_with(std::string(kFirst[i]) + "-"))
            return static_cast<int>(i);
    return static_cast<int>(kFirst.size());
}

std::vector<CounterSample> samplesInOrder(const std::vector<CounterTrack> &tracks, std::size_t count,
                                          std::int64_t fromNs)
{
    std::vector<CounterSample> samples;
    for (std::size_t i = 0; i < std::min(count, tracks.size()); ++i) {
        const CounterTrack &track = tracks[i];
        if (const std::optional<double> held = track.valueAt(fromNs))
            samples.push_back({fromNs, *held, track.info().id});
        for (std::uint64_t k = track.firstIndex(); k < track.endIndex(); ++k)
            if (const auto [ns, value] = track.at(k); ns > fromNs || fromNs == std::numeric_limits<std::int64_t>::min())
                samples.push_back({ns, value, track.info().id});
    }
    std::stable_sort(samples.begin(), samples.end(),
                     [](const CounterSample &a, const CounterSample &b) { return a.timeNs < b.timeNs; });
    return samples;
}

} // namespace

std::string_view groupName(BoardGroup group)
{
    static_assert(kGroupNames.size() == enumCount<BoardGroup>());
    return kGroupNames[static_cast<std::size_t>(group)];
}

BoardSeries::BoardSeries(const std::vector<CounterInfo> &counters)
{
    for (const CounterInfo &info : counters) {
        if (m_infos.size() >= kMaxCounters || (!placeOf(info) && !isBehindCurves(info)))
            continue;
        if (m_trackOf.size() <= info.id)
            m_trackOf.resize(info.id + std::size_t{1});
        m_infos.push_back(info);
        m_trackOf[info.id] = m_infos.size();
        m_infos.back().id = static_cast<CounterId>(m_infos.size() - 1);
    }
    m_measured = m_infos.size();
    placeCurves();
    placePower();
    m_now.assign(m_infos.size(), kNothing);
    m_trace.setCounters(m_infos);
    std::sort(m_charts.begin(), m_charts.end(),
              [](const BoardChart &a, const BoardChart &b) { return a.group < b.group; });
}

BoardChart &BoardSeries::chart(BoardGroup group)
{
    for (BoardChart &each : m_charts)
        if (each.group == group)
            return each;
    m_charts.push_back({group, {}});
    return m_charts.back();
}

void BoardSeries::addSum(BoardGroup group, Sum::Kind kind, std::vector<std::size_t> of, const CounterInfo &info,
                         BoardCurve::Role role)
{
    m_infos.push_back(info);
    m_infos.back().id = static_cast<CounterId>(m_infos.size() - 1);
    m_sums.push_back({kind, std::move(of), m_infos.size() - 1});
    chart(group).curves.insert(chart(group).curves.begin(), {role, m_infos.size() - 1, info.name, -1});
}

void BoardSeries::placeCurves()
{
    std::vector<std::size_t> loads;
    std::vector<std::size_t> clocks;
    bool hasClock = false;
    for (std::size_t i = 0; i < m_measured; ++i) {
        if (coreOf(m_infos[i].name, " clock") >= 0)
            clocks.push_back(i);
        const std::optional<CurvePlace> place = placeOf(m_infos[i]);
        if (!place)
            continue;
        hasClock = hasClock || (place->group == BoardGroup::Cpu && place->role == Role::Clock);
        if (place->role == Role::CoreLoad)
            loads.push_back(i);
        chart(place->group).curves.push_back({place->role, i, place->label, place->core});
    }
    for (BoardChart &each : m_charts) {
        if (each.group == BoardGroup::Temperature)
            std::stable_sort(each.curves.begin(), each.curves.end(), [](const BoardCurve &a, const BoardCurve &b) {
                return rankOfTemperature(a.label) < rankOfTemperature(b.label);
            });
        if (each.group == BoardGroup::Cpu)
            std::stable_sort(each.curves.begin(), each.curves.end(),
                             [](const BoardCurve &a, const BoardCurve &b) { return a.core < b.core; });
    }
    if (!clocks.empty() && !hasClock)
        addSum(BoardGroup::Cpu, Sum::Kind::Most, clocks, {0, "highest clock", "Hz", {}}, Role::Clock);
    if (loads.empty())
        return;
    const bool hasMean = std::any_of(m_infos.begin(), m_infos.end(),
                                     [](const CounterInfo &info) { return info.name == kCpuLoadCounter; });
    addSum(BoardGroup::Cpu, Sum::Kind::Most, loads, {0, "busiest core", "%", {}}, Role::Load);
    if (std::vector<BoardCurve> &curves = chart(BoardGroup::Cpu).curves; hasMean)
        std::swap(curves[0], curves[1]);
    if (!hasMean)
        addSum(BoardGroup::Cpu, Sum::Kind::Mean, loads, {0, "mean of cores", "%", {}}, Role::Load);
}

void BoardSeries::placePower()
{
    std::vector<std::string> names;
    for (const BoardChart &each : m_charts)
        for (const BoardCurve &curve : each.curves)
            if (each.group == BoardGroup::Power)
                names.push_back(curve.label);
    if (names.empty())
        return;
    m_rails = railsOf(names);
    std::vector<std::size_t> of;
    for (BoardCurve &curve : chart(BoardGroup::Power).curves)
        if (std::find(m_rails.summed.begin(), m_rails.summed.end(), curve.label) != m_rails.summed.end()) {
            curve.role = m_rails.summed.size() == 1 ? Role::Total : Role::Rail;
            of.push_back(curve.counter);
        }
    if (of.size() == 1)
        m_total = of.front();
    if (of.size() < 2)
        return;
    addSum(BoardGroup::Power, Sum::Kind::Total, of, {0, "total", "W", {}}, Role::Total);
    m_total = m_infos.size() - 1;
}

double BoardSeries::valueOf(const Sum &sum) const
{
    double total = 0;
    double most = kNothing;
    std::size_t known = 0;
    for (const std::size_t part : sum.of) {
        const double value = m_now[part];
        if (!std::isfinite(value))
            continue;
        ++known;
        total += value;
        most = std::isnan(most) ? value : std::max(most, value);
    }
    switch (sum.kind) {
    case Sum::Kind::Mean:
        return known > 0 ? total / static_cast<double>(known) : kNothing;
    case Sum::Kind::Most:
        return most;
    case Sum::Kind::Total: // A total that lacks a part is none.
        return known == sum.of.size() ? total : kNothing;
    }
    return kNothing;
}

void BoardSeries::endReading(std::int64_t ns, std::vector<CounterSample> &batch)
{
    for (const Sum &sum : m_sums) {
        const double value = valueOf(sum);
        double &last = m_now[sum.to];
        if (value == last || (std::isnan(value) && std::isnan(last)))
            continue;
        last = value;
        batch.push_back({ns, value, static_cast<CounterId>(sum.to)});
    }
    if (m_known == 0 && !m_unknownNs)
        m_unknownNs = ns;
    if (m_known > 0 && m_unknownNs) {
        if (m_readings > 0)
            m_gaps.push_back({*m_unknownNs, ns});
        m_unknownNs.reset();
    }
    m_readings += m_known > 0 ? 1 : 0;
}

void BoardSeries::add(std::span<const CounterSample> samples)
{
    std::vector<CounterSample> batch;
    batch.reserve(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const CounterSample &sample = samples[i];
        const std::size_t track = sample.counter < m_trackOf.size() ? m_trackOf[sample.counter] : 0;
        if (track > 0) {
            double &now = m_now[track - 1];
            m_known -= std::isfinite(now) ? 1 : 0;
            m_known += std::isfinite(sample.value) ? 1 : 0;
            now = sample.value;
            batch.push_back({sample.timeNs, sample.value, static_cast<CounterId>(track - 1)});
        }
        if (i + 1 == samples.size() || samples[i + 1].timeNs != sample.timeNs)
            endReading(sample.timeNs, batch);
    }
    m_trace.add(batch);
}

void BoardSeries::keepFrom(std::int64_t ns)
{
    if (m_trace.empty() || ns <= m_trace.oldestNs())
        return;
    const std::vector<CounterSample> samples = samplesInOrder(tracks(), m_measured, ns);
    std::vector<CounterInfo> infos(m_infos.begin(), m_infos.begin() + static_cast<std::ptrdiff_t>(m_measured));
    const TraceOrigin origin = m_trace.origin();
    std::vector<BoardLimit> limits = std::move(m_limits);
    *this = BoardSeries(infos);
    m_trace.setOrigin(origin);
    m_limits = std::move(limits);
    add(samples);
}

const CounterTrack *BoardSeries::find(std::string_view counter) const
{
    for (const CounterTrack &track : tracks())
        if (track.info().name == counter)
            return &track;
    return nullptr;
}

std::string BoardSeries::boardWords() const
{
    if (m_rails.board.empty())
        return {};
    std::size_t cores = 0;
    for (const BoardChart &each : m_charts)
        cores +=
            static_cast<std::size_t>(std::count_if(each.curves.begin(), each.curves.end(), [](const BoardCurve &curve) {
                return curve.role == Role::CoreLoad;
            }));
    std::string words = m_rails.board + ", told from its rails";
    if (cores > 0)
        words += "; " + std::to_string(cores) + " cores";
    if (const CounterTrack *total = find("memory total"))
        if (const auto bytes = total->extremes())
            words += ", " + threeFigures(bytes->second / 1e9) + " GB";
    return words;
}

BoardSeries boardSeriesOf(const Trace &trace)
{
    std::vector<CounterInfo> infos;
    for (const CounterTrack &track : trace.counters())
        infos.push_back(track.info());
    BoardSeries series(infos);
    series.setOrigin(trace.origin());
    series.add(samplesInOrder(trace.counters(), trace.counters().size(), std::numeric_limits<std::int64_t>::min()));
    return series;
}

bool isConstantZone(std::string_view label)
{
    return label == "PMIC" || label == "PMIC-Die";
}

bool isBoardLog(const Trace &trace)
{
    return trace.spanCount() == 0 && trace.frames().empty() && trace.lanes().empty()
        && std::any_of(trace.counters().begin(), trace.counters().end(),
                       [](const CounterTrack &track) { return placeOf(track.info()).has_value(); });
}

} // namespace jetscope
