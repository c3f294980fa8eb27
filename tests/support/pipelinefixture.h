// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/time/clock.h"
#include "gpu/pipeline/pipeline.h"
#include "tests/gpu/referencefilters.h"
#include "tests/support/gpufixture.h"

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace jetscope::testing {

/// A source of random pictures, different in every frame and identical in every run. Stores which frames were read.
class RandomSource final : public FrameSource {
public:
    RandomSource(PixelFormat format, int width, int height, std::uint64_t frames) : m_frames(frames)
    {
        m_info.uri = "random:";
        m_info.description = "random pictures " + std::to_string(width) + "x" + std::to_string(height);
        m_info.layout = makeImageLayout(format, width, height);
    }

    const SourceInfo &info() const override { return m_info; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        if (m_cancelled || m_next >= m_frames)
            return std::optional<CapturedFrame>();
        fill(into, m_next);
        return std::optional<CapturedFrame>(CapturedFrame{m_next++, nowNs()});
    }

    void cancel() override { m_cancelled = true; }

    void fill(std::byte *into, std::uint64_t index) const
    {
        auto random = static_cast<std::uint32_t>(index * 2654435761u + 17);
        for (std::size_t i = 0; i < m_info.layout.bytes; ++i)
            into[i] = static_cast<std::byte>((random = random * 1664525 + 1013904223) >> 24);
    }

    /// Expected result of the filter chain for a frame, computed by the reference implementation: RGBA8 rows without
    /// padding.
    std::vector<std::byte> expected(std::uint64_t index, const std::vector<Filter> &filters) const
    {
        const auto bytes = reference::bytesOf(filtered(index, filters));
        std::vector<std::byte> out(bytes.size());
        std::memcpy(out.data(), bytes.data(), bytes.size());
        return out;
    }

    /// Expected input of the CPU stage: half-size grey rows without padding.
    std::vector<std::byte> expectedResult(std::uint64_t index, const std::vector<Filter> &filters) const
    {
        return reference::halfGrey(filtered(index, filters));
    }

private:
    reference::Image filtered(std::uint64_t index, const std::vector<Filter> &filters) const
    {
        std::vector<std::byte> frame(m_info.layout.bytes);
        fill(frame.data(), index);
        return reference::applyAll(filters, reference::convert(m_info.layout, frame.data()));
    }

    SourceInfo m_info;
    const std::uint64_t m_frames;
    std::uint64_t m_next = 0;
    std::atomic<bool> m_cancelled{false};
};

/// Stores the pixels that GL reads from every output. The tap runs on the GL queue.
class OutputLog {
public:
    OutputTap tap()
    {
        return [this](std::uint32_t frame, const std::byte *rgba, int width, int height) {
            const std::lock_guard lock(m_mutex);
            m_numbers.push_back(frame);
            if (m_keepPixels)
                m_pixels[frame].assign(rgba,
                                       rgba + static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
        };
    }
    void keepPixels() { m_keepPixels = true; }
    const std::vector<std::uint32_t> &numbers() const { return m_numbers; }
    std::map<std::uint32_t, std::vector<std::byte>> &pixels() { return m_pixels; }

private:
    std::mutex m_mutex;
    bool m_keepPixels = false;
    std::vector<std::uint32_t> m_numbers;
    std::map<std::uint32_t, std::vector<std::byte>> m_pixels;
};

/// Text of the first hazard that is more than a legal cost, or an empty string.
inline QString brokenRule(const PipelineUpdate &update)
{
    for (const PipelineNotice &notice : update.notices)
        if (notice.kind == PipelineNotice::Kind::Violation && notice.level <= HazardLevel::Luck)
            return QString::fromStdString(notice.rule + ": " + notice.text);
    return {};
}

/// Text of the first notice of a kind, or an empty string.
inline QString noticeText(const PipelineUpdate &update, PipelineNotice::Kind kind)
{
    for (const PipelineNotice &notice : update.notices)
        if (notice.kind == kind)
            return QString::fromStdString(notice.text);
    return {};
}

} // namespace jetscope::testing
