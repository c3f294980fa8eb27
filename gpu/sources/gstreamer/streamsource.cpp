// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streamtext.h"

#include "core/recording/tracer.h"
#include "gpu/sources/gstreamer/streamfeed.h"
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/sourceoptions.h"

#include <utility>

namespace jetscope {

namespace {

/// Pictures of a GStreamer pipeline. A lost network stream is reconnected; the user's own pipeline ends the source when
/// it ends.
class StreamSource final : public FrameSource {
public:
    StreamSource(SourceInfo info, std::unique_ptr<StreamFeed> feed) : m_info(std::move(info)), m_feed(std::move(feed))
    {
    }

    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override;
    void cancel() override { m_feed->cancel(); }
    SourceState state() const override;

private:
    const SourceInfo m_info;
    const std::unique_ptr<StreamFeed> m_feed;
};

Result<std::optional<CapturedFrame>> StreamSource::read(std::byte *into)
{
    JETSCOPE_TRY_ASSIGN(std::optional<StreamPicture> picture, m_feed->next());
    if (!picture)
        return std::optional<CapturedFrame>();
    JETSCOPE_TRY(copyPicture(*picture, m_info, into));
    return std::optional(m_feed->captured(*picture));
}

SourceState StreamSource::state() const
{
    SourceState state;
    state.trouble = m_feed->trouble();
    state.faults = m_feed->faults();
    state.copies.emplace_back("from GStreamer's buffer into the input buffer by the CPU");
    return state;
}

} // namespace

Status copyPicture(const StreamPicture &picture, const SourceInfo &info, std::byte *into)
{
    JETSCOPE_TRY_ASSIGN(const ImageLayout layout, picture.layout());
    if (!(layout == info.layout))
        return changedPictures(info, layout);
    static const NameId kCopy = internName("copy from the decoder", Category::Capture);
    SpanScope span(kCopy);
    span.setBytes(pictureBytes(info.layout));
    return picture.copyTo(info.layout, into);
}

Error changedPictures(const SourceInfo &info, const ImageLayout &now)
{
    return Error{inQuotes(info.uri), 0,
                 "the stream changed its pictures from " + pictureText(info.layout) + " to " + pictureText(now)
                     + ": open it again to go on with these"};
}

SourceInfo streamInfo(const std::string &shown, const ImageLayout &layout, double fps)
{
    SourceInfo info;
    info.uri = shown;
    info.layout = layout;
    info.fps = fps;
    info.live = true;
    info.description =
        shown + " · " + pictureText(info.layout) + (info.fps > 0 ? " · " + rateText(info.fps) + " fps" : "");
    return info;
}

Status checkStream(const SourceUri &uri)
{
    const Result<std::string> text = pipelineTextOf(uri);
    return text.ok() ? Status() : text.error();
}

Result<std::unique_ptr<FrameSource>> openStream(const SourceUri &uri, Pacing)
{
    JETSCOPE_TRY_ASSIGN(const std::string text, pipelineTextOf(uri));
    const std::string shown = withoutPassword(uri.text);
    const auto failed = [&](const Error &error) {
        const char *remedy = uri.scheme == "gst" ? "check the pipeline with gst-launch-1.0"
                                                 : "check the address, the network and that the camera is on";
        return Error{inQuotes(shown), 0, "no picture can be had (" + error.text + "): " + remedy};
    };
    const bool own = uri.scheme == "gst";
    const StreamRecipe recipe{text, StreamMemory::Cpu, own ? StreamOrigin::User : StreamOrigin::Network};
    Result<std::unique_ptr<StreamFeed>> feed = StreamFeed::start({shown, recipe, !own});
    if (!feed.ok())
        return failed(feed.error());
    const Result<ImageLayout> layout = feed.value()->first()->layout();
    if (!layout.ok())
        return failed(layout.error());
    SourceInfo info = streamInfo(shown, layout.value(), feed.value()->first()->rate());
    return std::unique_ptr<FrameSource>(std::make_unique<StreamSource>(std::move(info), std::move(feed).value()));
}

} // namespace jetscope
