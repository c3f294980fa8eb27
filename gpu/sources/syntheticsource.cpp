// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/sources/framepacer.h"
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/sourceoptions.h"
#include "gpu/sources/testcard.h"

#include <utility>

namespace jetscope {

namespace {

/// The test card as a camera. If paced, it acts as a live camera; otherwise every frame waits for its reader.
class SyntheticSource final : public FrameSource {
public:
    SyntheticSource(SourceInfo info, const SourceOptions &options)
        : m_info(std::move(info)),
          m_options(options),
          m_card(m_info.layout, m_info.fps),
          m_pacer(m_info.pacedFps, options.phase)
    {
    }

    const SourceInfo &info() const override { return m_info; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        const bool ended = m_options.frames != 0 && m_next >= m_options.frames && !m_options.loop;
        if (ended || m_pacer.cancelled())
            return std::optional<CapturedFrame>();
        {
            static const NameId kDraw = internName("draw test card", Category::Capture);
            SpanScope span(kDraw);
            span.setBytes(pictureBytes(m_info.layout));
            m_card.draw(m_options.frames == 0 ? m_next : m_next % m_options.frames, into);
        }
        if (!m_pacer.wait())
            return std::optional<CapturedFrame>();
        CapturedFrame captured{m_next++, nowNs()};
        captured.stamp = {true, captured.captureNs, captured.captureNs, ToldClock::Monotonic, ToldEdge::End};
        return std::optional(std::move(captured));
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
    const SourceOptions m_options;
    const TestCard m_card;
    FramePacer m_pacer;
    std::uint64_t m_next = 0;
};

Result<SourceOptions> readTestCardOptions(const SourceUri &uri)
{
    if (!uri.path.empty())
        return Error{inQuotes(uri.text), 0,
                     "the test card has no path, but " + inQuotes(uri.path)
                         + " is given: options follow a '?', as in synthetic:?size=1280x720"};
    return readSourceOptions(uri, {"size", "fps", "format", "rate", "frames", "loop", "via", "phase"});
}

} // namespace

Status checkSynthetic(const SourceUri &uri)
{
    const Result<SourceOptions> options = readTestCardOptions(uri);
    return options.ok() ? Status() : options.error();
}

Result<std::unique_ptr<FrameSource>> openSynthetic(const SourceUri &uri, Pacing pacing)
{
    JETSCOPE_TRY_ASSIGN(const SourceOptions options, readTestCardOptions(uri));
    SourceInfo info = generatorInfo("Synthetic test card", uri, options, pacing);
    info.throughStream = options.throughStream;
    if (info.throughStream)
        info.description += " · through an EGLStream";
    return std::unique_ptr<FrameSource>(std::make_unique<SyntheticSource>(std::move(info), options));
}

} // namespace jetscope
