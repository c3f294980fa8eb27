// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/stretchbytes.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

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
            if (!read(value) || !std::isfinite(value))
                return false;
        return true;
    }

    bool isAtEnd() const { return m_left.empty(); }

private:
    std::span<const std::byte> m_left;
};

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
    for (const std::vector<double> &batches : figures.batches)
        appendAll(bytes, batches);
    appendAll(bytes, figures.frameMs);
    appendAll(bytes, figures.latencyMs);
    eachSum(figures.pooled, [&](std::int64_t ns) {
        append(bytes, ns);
        return true;
    });
    return bytes;
}

std::optional<StretchFigures> stretchOf(std::span<const std::byte> bytes)
{
    Reader reader(bytes);
    StretchFigures figures;
    bool good = true;
    for (std::vector<double> &batches : figures.batches)
        good = good && reader.readAll(batches);
    good = good && reader.readAll(figures.frameMs) && reader.readAll(figures.latencyMs);
    good = good && eachSum(figures.pooled, [&](std::int64_t &ns) { return reader.read(ns) && ns >= 0; });
    return good && reader.isAtEnd() ? std::optional(std::move(figures)) : std::nullopt;
}

} // namespace jetscope
