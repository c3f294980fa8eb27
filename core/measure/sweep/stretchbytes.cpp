// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/stretchbytes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace jetscope {

static_assert(std::endian::native == std::endian::little, "the numbers must be turned around on this machine");

namespace {

template <class T>
void append(std::vector<std::byte> &bytes, const T &value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const auto *first = reinterpret_cast<const std::byte *>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
}

template <class T>
void appendAll(std::vector<std::byte> &bytes, const std::vector<T> &values)
{
    append(bytes, static_cast<std::uint32_t>(values.size()));
    for (const T &value : values)
        append(bytes, value);
}

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : m_left(bytes) {}

    template <class T>
    bool read(T &value)
    {
        if (m_left.size() < sizeof(T))
            return false;
        std::memcpy(&value, m_left.data(), sizeof(T));
        m_left = m_left.subspan(sizeof(T));
        return true;
    }

    /// The count must fit into the bytes that are left, so a wrong one allocates no memory.
    template <class T>
    bool readAll(std::vector<T> &values)
    {
        std::uint32_t count = 0;
        if (!read(count) || count > m_left.size() / sizeof(T))
            return false;
        values.resize(count);
        for (T &value : values)
            if (!read(value) || !std::isfinite(static_cast<double>(value)))
                return false;
        return true;
    }

    bool isAtEnd() const { return m_left.empty(); }

private:
    std::span<const std::byte> m_left;
};

/// The figures that the bytes begin with, in this order. Figures that sweeps got later follow at the end, each with its
/// name, so that bytes of every version can be read.
constexpr Figure kFirstFigures[] = {Figure::Period,  Figure::FrameP50, Figure::FrameP99, Figure::Latency,
                                    Figure::Overlap, Figure::Headroom, Figure::Blocked,  Figure::BytesCopied,
                                    Figure::CpuUse,  Figure::Energy};

std::vector<double> &stretchBatches(StretchFigures &stretch, Figure figure)
{
    return stretch.batches[static_cast<std::size_t>(figure)];
}

std::vector<Figure> laterFigures()
{
    std::vector<Figure> later;
    for (const Figure figure : sweepFigures())
        if (std::find(std::begin(kFirstFigures), std::end(kFirstFigures), figure) == std::end(kFirstFigures))
            later.push_back(figure);
    return later;
}

bool readLaterFigures(Reader &reader, StretchFigures &stretch)
{
    const std::vector<Figure> known = laterFigures();
    while (!reader.isAtEnd()) {
        std::vector<char> name;
        std::vector<double> batches;
        if (!reader.readAll(name) || !reader.readAll(batches))
            return false;
        const auto found = std::find_if(known.begin(), known.end(), [&](Figure figure) {
            return rowOf(figure).name == std::string_view(name.data(), name.size());
        });
        if (found != known.end())
            stretchBatches(stretch, *found) = std::move(batches);
    }
    return true;
}

/// The same list for both ways.
template <class Pooled, class Each>
bool eachSum(Pooled &pooled, Each each)
{
    return each(pooled.periodNs) && each(pooled.cpuNs) && each(pooled.gpuNs) && each(pooled.bothNs)
        && each(pooled.idleNs) && each(pooled.gpuBoundedNs) && each(pooled.bothBoundedNs);
}

} // namespace

std::vector<std::byte> bytesOf(const StretchFigures &figures)
{
    std::vector<std::byte> bytes;
    for (const Figure figure : kFirstFigures)
        appendAll(bytes, figures.batches[static_cast<std::size_t>(figure)]);
    appendAll(bytes, figures.frameMs);
    appendAll(bytes, figures.latencyMs);
    eachSum(figures.pooled, [&](std::int64_t ns) {
        append(bytes, ns);
        return true;
    });
    for (const Figure figure : laterFigures()) {
        const std::string_view name = rowOf(figure).name;
        appendAll(bytes, std::vector<char>(name.begin(), name.end()));
        appendAll(bytes, figures.batches[static_cast<std::size_t>(figure)]);
    }
    return bytes;
}

std::optional<StretchFigures> stretchOf(std::span<const std::byte> bytes)
{
    Reader reader(bytes);
    StretchFigures figures;
    bool good = true;
    for (const Figure figure : kFirstFigures)
        good = good && reader.readAll(stretchBatches(figures, figure));
    good = good && reader.readAll(figures.frameMs) && reader.readAll(figures.latencyMs);
    good = good && eachSum(figures.pooled, [&](std::int64_t &ns) { return reader.read(ns) && ns >= 0; });
    return good && readLaterFigures(reader, figures) ? std::optional(std::move(figures)) : std::nullopt;
}

} // namespace jetscope
