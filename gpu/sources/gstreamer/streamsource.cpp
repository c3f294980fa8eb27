// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streamtext.h"

#include "core/recording/tracer.h"
#include "gpu/sources/gstreamer/streamfeed.h"
#include "gpu/sources/gstreamer/streamproblem.h"
#include "gpu/sources/http/mjpegsource.h"
#include "gpu/sources/nvbuf/externalbuffertable.h"
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/sourceoptions.h"

#include <utility>

namespace jetscope {

namespace {

constexpr int kRtspPort = 554;

/// Pictures of a GStreamer pipeline. A lost network stream is reconnected; the user's own pipeline ends the source when
/// it ends. Pictures in a Jetson's hardware buffers are handed in as they are, if they are wanted so.
class StreamSource final : public FrameSource {
public:
    StreamSource(SourceInfo info, std::string container, const Result<NvBufApi> &api, std::unique_ptr<StreamFeed> feed)
        : m_info(std::move(info)),
          m_container(std::move(container)),
          m_api(api),
          m_inBuffers(feed->pipeline()->decodedMemory() == "memory:NVMM"),
          m_memory(feed->pipeline()->decodedMemory()),
          m_feed(std::move(feed)),
          m_table(m_api.ok() ? m_api.value() : NvBufApi())
    {
        m_feed->onGivenUp([this] { m_table.clear(); });
    }

    const SourceInfo &info() const override { return m_info; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        JETSCOPE_TRY_ASSIGN(std::optional<StreamPicture> picture, nextIn(StreamMemory::Cpu));
        if (!picture)
            return std::optional<CapturedFrame>();
        JETSCOPE_TRY(copyPicture(*picture, m_info, into));
        return std::optional(m_feed->captured(*picture));
    }

    void cancel() override { m_feed->cancel(); }

    SourceState state() const override
    {
        SourceState state;
        state.trouble = m_feed->trouble();
        state.faults = m_feed->faults();
        state.facts = m_feed->facts();
        state.facts.container = m_container;
        if (m_inBuffers)
            state.remark =
                "that the decoder's buffers are read in place has been tried with stand-ins, not yet on a Jetson";
        if (!m_memory.empty())
            state.copies.emplace_back("from the decoder's memory (" + m_memory + ") into the CPU's by GStreamer");
        state.copies.emplace_back("from GStreamer's buffer into the input buffer by the CPU");
        return state;
    }

    Result<ExternalBufferView> externalBuffers() const override
    {
        if (!m_inBuffers)
            return FrameSource::externalBuffers();
        if (!m_api.ok())
            return m_api.error();
        return ExternalBufferView::Picture;
    }

    Result<std::optional<ExternalFrame>> readExternal() override
    {
        JETSCOPE_TRY_ASSIGN(std::optional<StreamPicture> picture, nextIn(StreamMemory::Hardware));
        if (!picture)
            return std::optional<ExternalFrame>();
        JETSCOPE_TRY_ASSIGN(std::shared_ptr<MappedPicture> mapped, picture->map());
        auto *buffer = static_cast<nvbuf::Surface *>(mapped->data());
        JETSCOPE_TRY_ASSIGN(ImageLayout layout, layoutOf(buffer, mapped->bytes()));
        // The copies may have other colours and planes; the size is that of the stream.
        if (layout.width != m_info.layout.width || layout.height != m_info.layout.height)
            return changedPictures(m_info, layout);
        ExternalFrame frame;
        frame.captured = m_feed->captured(*picture);
        frame.buffer = m_table.externalBufferOf(buffer, m_feed->pipeline());
        frame.hold = std::move(mapped);
        return std::optional(std::move(frame));
    }

private:
    /// Each memory needs another end of the pipeline, so the stream is opened again when the user switches.
    Result<std::optional<StreamPicture>> nextIn(StreamMemory memory)
    {
        if (StreamRecipe recipe = m_feed->recipe(); recipe.memory != memory) {
            recipe.memory = memory;
            JETSCOPE_TRY(m_feed->change(std::move(recipe)));
        }
        return m_feed->next();
    }

    const SourceInfo m_info;
    const std::string m_container;
    const Result<NvBufApi> m_api;
    const bool m_inBuffers; ///< Whether the decoder leaves its pictures in a Jetson's hardware buffers.
    const std::string m_memory;
    const std::unique_ptr<StreamFeed> m_feed;
    ExternalBufferTable m_table; ///< Destroyed before the feed.
};

/// What stopped a stream: the elements tell some layers, and a connection of our own tells the rest.
Error noPicture(const SourceUri &uri, const Error &error)
{
    const std::string shown = inQuotes(withoutPassword(uri.text));
    if (isStreamProblem(error))
        return Error{shown, 0, "no picture can be had, " + error.text};
    if (uri.scheme == "gst")
        return Error{shown, 0, "no picture can be had (" + error.text + "): check the pipeline with gst-launch-1.0"};
    const Status connected = probeConnection(withoutLogin(uri.text), kRtspPort);
    const Error problem = connected.ok()
        ? streamProblem(StreamLayer::Container, "what answers there does not speak RTSP as expected, " + error.text,
                        "check the address, its port and that the camera is on")
        : connected.error();
    return Error{shown, 0, "no picture can be had, " + problem.text};
}

} // namespace

Status copyPicture(const StreamPicture &picture, const SourceInfo &info, std::byte *into)
{
    JETSCOPE_TRY_ASSIGN(const ImageLayout layout, picture.layout());
    if (!(layout == info.layout))
        return changedPictures(info, layout);
    static const NameId kCopy = internName("copy from the decoder", Category::Capture, Purpose::CaptureCopy);
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
    return openStream(realNvBufApi(), uri);
}

Result<std::unique_ptr<FrameSource>> openStream(const Result<NvBufApi> &api, const SourceUri &uri)
{
    if (uri.scheme == "http" || uri.scheme == "https") {
        JETSCOPE_TRY(checkStream(uri));
        return openMjpeg(uri);
    }
    JETSCOPE_TRY_ASSIGN(const std::string text, pipelineTextOf(uri));
    const std::string shown = withoutPassword(uri.text);
    const bool own = uri.scheme == "gst";
    const int port = own ? 0 : portOf(uri.text, kRtspPort);
    const StreamRecipe recipe{text, StreamMemory::Cpu, own ? StreamOrigin::User : StreamOrigin::Network, port,
                              own ? StreamLogin() : loginOf(uri.text)};
    Result<std::unique_ptr<StreamFeed>> feed = StreamFeed::start({shown, recipe, !own});
    if (!feed.ok())
        return noPicture(uri, feed.error());
    const Result<ImageLayout> layout = feed.value()->first()->layout();
    if (!layout.ok())
        return noPicture(uri, layout.error());
    SourceInfo info = streamInfo(shown, layout.value(), feed.value()->first()->rate());
    return std::unique_ptr<FrameSource>(
        std::make_unique<StreamSource>(std::move(info), own ? "" : "RTSP", api, std::move(feed).value()));
}

} // namespace jetscope
