// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/http/mjpegsource.h"

#include "core/recording/tracer.h"
#include "gpu/sources/gstreamer/streamproblem.h"
#include "gpu/sources/gstreamer/streamtext.h"
#include "gpu/sources/http/mjpegreader.h"
#include "gpu/sources/jpegdecoder.h"
#include "gpu/sources/pictureindex.h"

#include <atomic>
#include <utility>

namespace jetscope {

namespace {

using namespace std::chrono_literals;

constexpr auto kFirstPicture = 4500ms;
constexpr std::uint64_t kManyDamaged = 20; ///< In a row; then it is said.
constexpr auto kPictureSlice = 100ms;      ///< Part of a wait, so that the wait can be cancelled.

const std::byte *bytesOf(const std::string &jpeg)
{
    return reinterpret_cast<const std::byte *>(jpeg.data());
}

/// Decodes each picture straight into the memory of the reader.
class MjpegSource final : public FrameSource {
public:
    MjpegSource(SourceInfo info, std::unique_ptr<MjpegReader> reader, std::unique_ptr<JpegDecoder> decoder,
                JpegPicture first)
        : m_info(std::move(info)), m_decoder(std::move(decoder)), m_first(std::move(first)), m_reader(std::move(reader))
    {
    }

    const SourceInfo &info() const override { return m_info; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        static const NameId kDecode = internName("decode JPEG", Category::Capture);
        while (std::optional<JpegPicture> picture = next()) {
            if (picture->gap)
                m_gaps.push_back(std::move(*picture->gap));
            const Result<ImageLayout> layout = m_decoder->layoutOf(bytesOf(picture->bytes), picture->bytes.size());
            if (layout.ok() && !(layout.value() == m_info.layout))
                return changedPictures(m_info, layout.value());
            const Status decoded = [&]() -> Status {
                if (!layout.ok())
                    return layout.error();
                SpanScope span(kDecode);
                span.setBytes(pictureBytes(m_info.layout));
                return m_decoder->decode(bytesOf(picture->bytes), picture->bytes.size(), m_info.layout, into);
            }();
            if (!decoded.ok()) {
                m_index.passOver(picture->number);
                ++m_undecodable;
                ++m_undecodableInARow;
                continue;
            }
            m_undecodableInARow = 0;
            CapturedFrame captured{m_index.indexOf(picture->number), picture->arrivalNs, std::exchange(m_gaps, {})};
            captured.lost = m_index.lost(picture->arrivalNs);
            captured.stamp = {false, 0, picture->arrivalNs, ToldClock::Arrival};
            return std::optional(std::move(captured));
        }
        return std::optional<CapturedFrame>();
    }

    void cancel() override { m_reader->cancel(); }

    SourceState state() const override
    {
        SourceState state;
        state.trouble = m_reader->trouble();
        if (m_undecodableInARow > kManyDamaged && state.trouble.empty())
            state.trouble = "the last " + std::to_string(m_undecodableInARow)
                + " pictures that came are damaged; waiting for a good one";
        state.faults = m_reader->faults();
        state.faults.damaged += m_undecodable;
        state.copies.emplace_back("decoded from the network's buffer into the input buffer by the CPU");
        state.facts.container = "HTTP, " + m_reader->type();
        state.facts.codec = "MJPEG";
        state.facts.width = m_info.layout.width;
        state.facts.height = m_info.layout.height;
        state.facts.measuredFps = m_reader->measuredFps();
        state.facts.isRatedByArrival = true;
        if (isYuv(m_info.layout.format)) {
            state.facts.color.matrix = "BT.601";
            state.facts.color.range = "full";
        }
        state.facts.fieldOrder = "progressive";
        state.facts.decoder = "libjpeg-turbo";
        state.facts.decoderKind = "software";
        state.facts.decoderReason = "it decodes into the input buffer, without another copy";
        return state;
    }

private:
    std::optional<JpegPicture> next()
    {
        static const NameId kWait = internName("wait for the stream", Category::WaitInput, Purpose::Input);
        if (!std::exchange(m_anyRead, true))
            m_index.startReading(m_reader->arrived());
        if (m_first && !m_reader->cancelled())
            return std::exchange(m_first, std::nullopt);
        const SpanScope span(kWait);
        std::optional<JpegPicture> picture;
        while (!picture && !m_reader->cancelled())
            picture = m_reader->next(kPictureSlice);
        return picture;
    }

    const SourceInfo m_info;
    const std::unique_ptr<JpegDecoder> m_decoder;
    std::optional<JpegPicture> m_first; ///< The picture that came while the source was opened.
    std::vector<SourceGap> m_gaps;      ///< Before the next frame.
    PictureIndex m_index;
    bool m_anyRead = false;
    std::atomic<std::uint64_t> m_undecodable{0};
    std::atomic<std::uint64_t> m_undecodableInARow{0};
    const std::unique_ptr<MjpegReader> m_reader;
};

} // namespace

Result<std::unique_ptr<FrameSource>> openMjpeg(const SourceUri &uri)
{
    const std::string shown = withoutPassword(uri.text);
    const auto failed = [&](const Error &problem) {
        return Error{inQuotes(shown), 0, "no picture can be had, " + problem.text};
    };
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<JpegDecoder> decoder, JpegDecoder::create());
    auto reader = std::make_unique<MjpegReader>(uri.text);
    const auto deadline = std::chrono::steady_clock::now() + kFirstPicture;
    std::optional<Error> damage;
    while (std::chrono::steady_clock::now() < deadline && !reader->failure()) {
        std::optional<JpegPicture> picture = reader->next(kPictureSlice);
        if (!picture)
            continue;
        const Result<ImageLayout> layout = decoder->layoutOf(bytesOf(picture->bytes), picture->bytes.size());
        if (!layout.ok()) {
            damage = layout.error();
            continue;
        }
        SourceInfo info = streamInfo(shown, layout.value(), 0);
        return std::unique_ptr<FrameSource>(
            std::make_unique<MjpegSource>(std::move(info), std::move(reader), std::move(decoder), std::move(*picture)));
    }
    if (damage)
        return failed(streamProblem(StreamLayer::Codec, damage->text, "check the address and the camera"));
    if (const std::optional<Error> failure = reader->failure())
        return failed(*failure);
    return failed(streamProblem(StreamLayer::Network, "no picture came within 4 seconds",
                                "check the address, the network and that the camera is on"));
}

} // namespace jetscope
