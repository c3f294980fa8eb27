// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/sources/framepacer.h"
#include "gpu/sources/patternoptions.h"
#include "gpu/sources/sourcefamilies.h"

#include <cstring>
#include <utility>

namespace jetscope {

namespace {

constexpr std::byte kNoColour{128};

/// A grey picture in any format that the source delivers. Rows are written whole, padding included.
void writeGrey(const LumaPicture &picture, const ImageLayout &layout, std::byte *into)
{
    const auto width = static_cast<std::size_t>(picture.width);
    for (int y = 0; y < picture.height; ++y) {
        const std::uint8_t *from = picture.pixels.data() + static_cast<std::size_t>(y) * width;
        std::byte *row = into + layout.planes[0].offset + static_cast<std::size_t>(y) * layout.planes[0].pitch;
        switch (layout.format) {
        case PixelFormat::Yuyv:
            for (std::size_t x = 0; x < width; ++x) {
                row[2 * x] = static_cast<std::byte>(from[x]);
                row[2 * x + 1] = kNoColour;
            }
            break;
        case PixelFormat::Bgr8:
            for (std::size_t x = 0; x < 3 * width; ++x)
                row[x] = static_cast<std::byte>(from[x / 3]);
            break;
        default:
            std::memcpy(row, from, width);
        }
    }
    for (std::size_t plane = 1; plane < static_cast<std::size_t>(layout.planeCount); ++plane)
        std::memset(into + layout.planes[plane].offset, static_cast<int>(kNoColour),
                    layout.planes[plane].pitch * static_cast<std::size_t>(layout.planes[plane].rows));
}

/// A camera in front of a screen with the clock of Jetscope. Neither exists, but the time does: what the screen shows
/// is the present time less the delay.
class PatternSource final : public FrameSource {
public:
    PatternSource(SourceInfo info, const PatternOptions &options)
        : m_info(std::move(info)),
          m_options(options),
          m_camera(options.look, m_info.layout.width, m_info.layout.height),
          m_picture{m_info.layout.width, m_info.layout.height, {}},
          m_pacer(m_info.pacedFps, options.source.phase)
    {
        m_picture.pixels.resize(static_cast<std::size_t>(m_picture.width) * static_cast<std::size_t>(m_picture.height));
    }

    const SourceInfo &info() const override { return m_info; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        const bool ended = m_options.source.frames != 0 && m_next >= m_options.source.frames;
        if (ended || !m_pacer.wait())
            return std::optional<CapturedFrame>();
        const std::int64_t stampNs = nowNs();
        static const NameId kDraw = internName("draw pattern", Category::Capture);
        SpanScope span(kDraw);
        span.setBytes(pictureBytes(m_info.layout));
        m_camera.see(static_cast<double>(stampNs) / 1e6 - m_options.delayMs, m_picture);
        writeGrey(m_picture, m_info.layout, into);
        return std::optional(CapturedFrame{m_next++, stampNs});
    }

    void cancel() override { m_pacer.cancel(); }

    SourceState state() const override
    {
        SourceState state;
        state.facts = rawStreamFacts(m_info.layout, m_info.pacedFps);
        return state;
    }

private:
    const SourceInfo m_info;
    const PatternOptions m_options;
    ClockCamera m_camera;
    LumaPicture m_picture;
    FramePacer m_pacer;
    std::uint64_t m_next = 0;
};

} // namespace

Status checkPattern(const SourceUri &uri)
{
    const Result<PatternOptions> options = readPatternOptions(uri);
    return options.ok() ? Status() : options.error();
}

Result<std::unique_ptr<FrameSource>> openPattern(const SourceUri &uri, Pacing pacing)
{
    JETSCOPE_TRY_ASSIGN(const PatternOptions options, readPatternOptions(uri));
    return std::unique_ptr<FrameSource>(
        std::make_unique<PatternSource>(generatorInfo("Clock pattern", uri, options.source, pacing), options));
}

} // namespace jetscope
