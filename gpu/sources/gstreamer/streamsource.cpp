// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/streamtext.h"

#include "core/clock.h"
#include "core/tracer.h"
#include "gpu/sources/gstreamer/streampipeline.h"
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/sourceoptions.h"
#include "gpu/sources/v4l2/framecheck.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace jetscope {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kFirstPicture = 5s; ///< By then a first connection has a picture, or has failed.
constexpr auto kStalled = 5s;      ///< Without a picture: the stream is taken for lost.
constexpr auto kSlice = 100ms;     ///< Of a wait, so that it can be cancelled.
constexpr std::chrono::milliseconds kShortestPause = 250ms;
constexpr std::chrono::milliseconds kLongestPause = 5s;

/// A first picture within the time, with the pipeline that made it.
struct Started {
    std::unique_ptr<StreamPipeline> pipeline;
    std::optional<StreamPicture> picture;
};

Result<Started> startStream(const std::string &text, std::chrono::milliseconds patience)
{
    const auto deadline = Clock::now() + patience;
    Result<std::unique_ptr<StreamPipeline>> pipeline = StreamPipeline::start(text);
    if (!pipeline.ok())
        return pipeline.error();
    while (Clock::now() < deadline) {
        Result<std::optional<StreamPicture>> picture = pipeline.value()->next(kSlice);
        if (!picture.ok())
            return picture.error();
        if (picture.value())
            return Started{std::move(pipeline).value(), std::move(picture).value()};
    }
    return Error{"GStreamer", 0, "no picture came within " + std::to_string(patience.count() / 1000) + " seconds"};
}

/// Pictures of a GStreamer pipeline. A stream from elsewhere that is lost is fetched again; a pipeline of the user's ends when it ends.
class StreamSource final : public FrameSource {
public:
    StreamSource(SourceInfo info, std::string text, bool reconnects, Started started) :
        m_info(std::move(info)), m_text(std::move(text)), m_reconnects(reconnects), m_pipeline(std::move(started.pipeline)),
        m_picture(std::move(started.picture))
    {
    }

    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override;
    void cancel() override;
    SourceState state() const override;

private:
    Result<std::optional<StreamPicture>> nextPicture();
    Status reconnect(const std::string &reason);
    bool cancelled() const;
    void say(std::string trouble);

    const SourceInfo m_info;
    const std::string m_text;
    const bool m_reconnects;
    std::unique_ptr<StreamPipeline> m_pipeline;
    std::optional<StreamPicture> m_picture; ///< The first one, which came while the source was opened.
    TimestampCheck m_stamps;
    std::uint64_t m_next = 0;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_cancelled = false;
    std::string m_trouble;
    SourceFaults m_faults;
    std::optional<SourceGap> m_gap; ///< While the stream is lost, and until its first picture. The capture thread alone.
};

Result<std::optional<CapturedFrame>> StreamSource::read(std::byte *into)
{
    Result<std::optional<StreamPicture>> picture = nextPicture();
    if (!picture.ok())
        return picture.error();
    if (!picture.value())
        return std::optional<CapturedFrame>();
    const Result<ImageLayout> layout = picture.value()->layout();
    if (!layout.ok())
        return layout.error();
    if (!(layout.value() == m_info.layout))
        return Error{inQuotes(m_info.uri), 0,
                     "the stream changed its pictures from " + pictureText(m_info.layout) + " to " + pictureText(layout.value())
                         + ": open it again to go on with these"};
    static const NameId kCopy = internName("copy from the decoder", Category::Capture);
    SpanScope span(kCopy);
    span.setBytes(pictureBytes(m_info.layout));
    JETSCOPE_TRY(picture.value()->copyTo(m_info.layout, into));
    const std::int64_t stamp = picture.value()->captureNs();
    CapturedFrame captured{m_next++, m_stamps.captureNs(stamp, true, nowNs())};
    const std::lock_guard lock(m_mutex);
    m_faults.oddStamps = m_stamps.replaced();
    if (m_gap) {
        m_gap->untilNs = nowNs();
        captured.gaps.push_back(std::move(*m_gap));
        m_gap.reset();
        ++m_faults.gaps;
    }
    return std::optional(std::move(captured));
}

/// None after `cancel`, and at the end of a pipeline that ends.
Result<std::optional<StreamPicture>> StreamSource::nextPicture()
{
    if (m_picture)
        return std::exchange(m_picture, std::nullopt);
    static const NameId kWait = internName("wait for the stream", Category::WaitInput);
    auto since = Clock::now();
    while (!cancelled()) {
        Result<std::optional<StreamPicture>> picture = [&] {
            const SpanScope span(kWait);
            return m_pipeline->next(kSlice);
        }();
        if (picture.ok() && picture.value())
            return picture;
        const bool ended = !picture.ok() && picture.error().code == StreamPipeline::kEnded;
        if (ended && !m_reconnects)
            break;
        const bool stalled = picture.ok() && m_reconnects && Clock::now() - since >= kStalled;
        if (picture.ok() && !stalled)
            continue;
        if (!m_reconnects)
            return Error{inQuotes(m_info.uri), 0, "the pipeline failed (" + picture.error().text + "): check its elements and what they read"};
        JETSCOPE_TRY(reconnect(stalled ? "no picture came for 5 seconds" : picture.error().text));
        if (m_picture)
            return std::exchange(m_picture, std::nullopt);
        since = Clock::now();
    }
    return std::optional<StreamPicture>();
}

/// Until the stream is there again, or `cancel`.
Status StreamSource::reconnect(const std::string &reason)
{
    static const NameId kLost = internName("stream lost", Category::WaitInput);
    const SpanScope span(kLost);
    m_pipeline.reset();
    m_stamps.restart();
    std::chrono::milliseconds pause = kShortestPause;
    const std::string what = "the stream was lost (" + reason + ")";
    if (!m_gap)
        m_gap = SourceGap{nowNs(), 0, what};
    say(what + "; connecting again");
    while (!cancelled()) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, pause, [this] { return m_cancelled; });
        }
        if (cancelled())
            break;
        Result<Started> started = startStream(m_text, kFirstPicture);
        if (started.ok()) {
            m_pipeline = std::move(started.value().pipeline);
            m_picture = std::move(started.value().picture);
            say({});
            return {};
        }
        pause = std::min(2 * pause, kLongestPause);
        say("the stream was lost (" + started.error().text + "); connecting again");
    }
    return {};
}

void StreamSource::cancel()
{
    {
        const std::lock_guard lock(m_mutex);
        m_cancelled = true;
    }
    m_wake.notify_all();
}

bool StreamSource::cancelled() const
{
    const std::lock_guard lock(m_mutex);
    return m_cancelled;
}

void StreamSource::say(std::string trouble)
{
    const std::lock_guard lock(m_mutex);
    m_trouble = std::move(trouble);
}

SourceState StreamSource::state() const
{
    const std::lock_guard lock(m_mutex);
    SourceState state;
    state.trouble = m_trouble;
    state.faults = m_faults;
    if (m_text.rfind("nvarguscamerasrc", 0) == 0)
        state.copies = {"inside nvarguscamerasrc by the image compositor", "from the camera's memory into the CPU's by nvvidconv"};
    state.copies.emplace_back("from GStreamer's buffer into the input buffer by the CPU");
    return state;
}

std::string remedyFor(const std::string &scheme)
{
    if (scheme == "gst")
        return "check the pipeline with gst-launch-1.0";
    if (scheme == "csi")
        return "check the ribbon cable, and restart the camera service (sudo systemctl restart nvargus-daemon); a container needs "
               "/tmp/argus_socket mounted";
    return "check the address, the network and that the camera is on";
}

} // namespace

Status checkStream(const SourceUri &uri)
{
    const Result<std::string> text = pipelineTextOf(uri);
    return text.ok() ? Status() : text.error();
}

Result<std::unique_ptr<FrameSource>> openStream(const SourceUri &uri, Pacing)
{
    const Result<std::string> text = pipelineTextOf(uri);
    if (!text.ok())
        return text.error();
    const std::string shown = withoutPassword(uri.text);
    const auto failed = [&](const Error &error) {
        return Error{inQuotes(shown), 0, "no picture can be had (" + error.text + "): " + remedyFor(uri.scheme)};
    };
    Result<Started> started = startStream(text.value(), kFirstPicture - 500ms);
    if (!started.ok())
        return failed(started.error());
    const Result<ImageLayout> layout = started.value().picture->layout();
    if (!layout.ok())
        return failed(layout.error());
    SourceInfo info;
    info.uri = shown;
    info.layout = layout.value();
    info.fps = started.value().picture->rate();
    info.live = true;
    info.description = shown + " · " + pictureText(info.layout) + (info.fps > 0 ? " · " + rateText(info.fps) + " fps" : "");
    return std::unique_ptr<FrameSource>(
        std::make_unique<StreamSource>(std::move(info), text.value(), uri.scheme != "gst", std::move(started).value()));
}

} // namespace jetscope
