// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace jetscope {

/// Values queued for writing into a capture. Bounded: `add` returns the number of rejected values, which is either all
/// of them or 0. Not thread-safe.
struct TraceFileBatch {
    /// Written in about a quarter of a second; pipelines take many seconds to record this much.
    static constexpr std::uint64_t kMostBytes = 16 << 20;

    std::vector<LaneInfo> lanes; ///< New ones, and perhaps known ones again. The same applies to counters.
    std::vector<CounterInfo> counters;
    std::vector<Span> spans;
    std::vector<FrameFigures> figures;
    std::vector<FrameNumber> numbers;
    std::vector<PathPiece> path;
    std::vector<CounterSample> samples;
    std::vector<TraceMark> marks;
    std::vector<Thumbnail> thumbnails;
    std::uint64_t bytes = 0; ///< Approximate size of the values.

    std::uint64_t add(std::vector<Span> more) { return addAll(spans, std::move(more)); }
    std::uint64_t add(std::vector<FrameFigures> more) { return addAll(figures, std::move(more)); }
    std::uint64_t add(std::vector<FrameNumber> more) { return addAll(numbers, std::move(more)); }
    std::uint64_t add(std::vector<PathPiece> more) { return addAll(path, std::move(more)); }
    std::uint64_t add(std::vector<CounterSample> more) { return addAll(samples, std::move(more)); }
    std::uint64_t add(TraceMark mark);
    std::uint64_t add(Thumbnail thumbnail);

private:
    bool take(std::uint64_t size)
    {
        if (bytes + size > kMostBytes)
            return false;
        bytes += size;
        return true;
    }

    template <class T>
    std::uint64_t addAll(std::vector<T> &to, std::vector<T> more)
    {
        if (!take(more.size() * sizeof(T)))
            return more.size();
        if (to.empty())
            to = std::move(more);
        else
            to.insert(to.end(), more.begin(), more.end());
        return 0;
    }
};

inline std::uint64_t TraceFileBatch::add(TraceMark mark)
{
    if (!take(sizeof(mark) + mark.text.size() + mark.rule.size() + mark.fix.size() + mark.memory.size()))
        return 1;
    marks.push_back(std::move(mark));
    return 0;
}

inline std::uint64_t TraceFileBatch::add(Thumbnail thumbnail)
{
    if (!take(sizeof(thumbnail) + thumbnail.encoded.size()))
        return 1;
    thumbnails.push_back(std::move(thumbnail));
    return 0;
}

} // namespace jetscope
