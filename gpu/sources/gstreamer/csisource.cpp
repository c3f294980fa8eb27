// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Cameras at a Jetson's CSI connector, through nvarguscamerasrc. Written from the documentation of that element and of
// libnvbufsurface, and tested with fakes of both that enforce it. Not yet tested on a Jetson; the user is told so.
#include "gpu/sources/gstreamer/csisource.h"

#include "core/recording/tracer.h"
#include "core/text/parsenumber.h"
#include "core/time/clock.h"
#include "gpu/sources/gstreamer/presentingpipeline.h"
#include "gpu/sources/gstreamer/streamfeed.h"
#include "gpu/sources/gstreamer/streamtext.h"
#include "gpu/sources/nvbuf/externalbuffertable.h"
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/sourceoptions.h"

#include <atomic>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr const char *kUnverified = "this way has been tried against what is documented of a Jetson, not yet on one";
constexpr const char *kCameraRemedy =
    "check the ribbon cable, and restart the camera service (sudo systemctl restart nvargus-daemon); a container "
    "needs /tmp/argus_socket mounted";

constexpr std::chrono::milliseconds kCameraSlice{100}; ///< Part of a wait, so that the wait can be cancelled.
constexpr int kMaxSlices = 50; ///< After this many without a frame, the camera is considered lost.

std::string cameraText(const CsiOptions &options)
{
    return "nvarguscamerasrc sensor-id=" + std::to_string(options.camera) + " ! video/x-raw(memory:NVMM),format=NV12"
        + options.caps;
}

StreamRecipe recipeFor(const CsiOptions &options, bool inBuffers)
{
    if (inBuffers)
        return {cameraText(options), StreamMemory::Hardware};
    return {cameraText(options) + " ! nvvidconv ! video/x-raw,format=NV12", StreamMemory::Cpu};
}

/// nvvideosink accepts only I420.
std::string presentingText(const CsiOptions &options)
{
    return cameraText(options) + " ! nvvidconv ! video/x-raw(memory:NVMM),format=I420";
}

/// Returns the camera's own buffers or copies of them, depending on how it is read; each uses a different pipeline.
class CsiSource final : public FrameSource {
public:
    CsiSource(SourceInfo info, const CsiOptions &options, const Result<NvBufApi> &api, std::unique_ptr<StreamFeed> feed)
        : m_info(std::move(info)),
          m_options(options),
          m_api(api),
          m_feed(std::move(feed)),
          m_table(m_api.ok() ? m_api.value() : NvBufApi())
    {
        m_feed->onGivenUp([this] { m_table.clear(); });
    }

    const SourceInfo &info() const override { return m_info; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        JETSCOPE_TRY_ASSIGN(std::optional<StreamPicture> picture, nextPicture(false));
        if (!picture)
            return std::optional<CapturedFrame>();
        // nvvidconv may report other colours than the buffers it reads; the bytes are unchanged.
        JETSCOPE_TRY_ASSIGN(ImageLayout layout, picture->layout());
        layout.colour = m_info.layout.colour;
        if (!(layout == m_info.layout))
            return changedPictures(m_info, layout);
        JETSCOPE_TRY(picture->copyTo(m_info.layout, into));
        return std::optional(m_feed->captured(*picture));
    }

    void cancel() override
    {
        m_cancelled = true;
        m_feed->cancel();
    }

    SourceState state() const override
    {
        SourceState state;
        state.trouble = m_feed->trouble();
        state.faults = m_feed->faults();
        state.facts = m_feed->facts();
        state.remark = kUnverified;
        state.externalCopies = {"inside nvarguscamerasrc by the image compositor"};
        if (m_options.way == CsiOptions::Way::Stream) {
            state.externalCopies.emplace_back("into other planes by nvvidconv");
            state.externalCopies.emplace_back("into the EGLStream by nvvideosink");
        }
        state.copies = {"inside nvarguscamerasrc by the image compositor",
                        "from the camera's memory into the CPU's by nvvidconv",
                        "from GStreamer's buffer into the input buffer by the CPU"};
        return state;
    }

    Result<ExternalBufferView> externalBuffers() const override
    {
        if (m_options.way == CsiOptions::Way::Stream)
            return ExternalBufferView::Stream;
        if (m_options.way == CsiOptions::Way::Copies)
            return Error{inQuotes(m_info.uri), 0, "the camera was opened with via=copy: open it without"};
        if (!m_api.ok())
            return m_api.error();
        return ExternalBufferView::Picture;
    }

    Result<std::optional<ExternalFrame>> readExternal() override
    {
        if (m_options.way == CsiOptions::Way::Stream)
            return m_presenting ? nextPresented()
                                : Error{inQuotes(m_info.uri), 0, "there is no EGLStream to present frames to"};
        JETSCOPE_TRY_ASSIGN(std::optional<StreamPicture> picture, nextPicture(true));
        if (!picture)
            return std::optional<ExternalFrame>();
        JETSCOPE_TRY_ASSIGN(std::shared_ptr<MappedPicture> mapped, picture->map());
        auto *buffer = static_cast<nvbuf::Surface *>(mapped->data());
        JETSCOPE_TRY_ASSIGN(const ImageLayout layout, layoutOf(buffer, mapped->bytes()));
        if (!(layout == m_info.layout))
            return changedPictures(m_info, layout);
        ExternalFrame frame;
        frame.captured = m_feed->captured(*picture);
        frame.buffer = m_table.externalBufferOf(buffer, m_feed->pipeline());
        frame.hold = std::move(mapped);
        return std::optional(std::move(frame));
    }

    Status presentTo(void *display, void *stream) override
    {
        m_presenting.reset();
        if (!stream)
            return {};
        m_feed->suspend(); // Only one client can use the camera.
        m_stamps.restart();
        Result<std::unique_ptr<PresentingPipeline>> presenting =
            PresentingPipeline::start(presentingText(m_options), display, stream);
        if (!presenting.ok())
            return Error{inQuotes(m_info.uri), 0,
                         "the camera presents no frames to an EGLStream (" + presenting.error().text
                             + "): take via=nvbuf"};
        m_presenting = std::move(presenting).value();
        return {};
    }

private:
    Result<std::optional<StreamPicture>> nextPicture(bool inBuffers)
    {
        if (StreamRecipe wanted = recipeFor(m_options, inBuffers); !(wanted == m_feed->recipe()))
            JETSCOPE_TRY(m_feed->change(std::move(wanted)));
        return m_feed->next();
    }

    /// A lost producer cannot reconnect to its EGLStream, so losing the camera is an error here.
    Result<std::optional<ExternalFrame>> nextPresented()
    {
        static const NameId kWait = internName("wait for the camera", Category::WaitInput, Purpose::Input);
        const SpanScope span(kWait);
        for (int slice = 0; slice < kMaxSlices; ++slice) {
            if (m_cancelled)
                return std::optional<ExternalFrame>();
            const Result<std::optional<std::int64_t>> came = m_presenting->next(kCameraSlice);
            if (!came.ok())
                return Error{inQuotes(m_info.uri), 0,
                             "the camera was lost (" + came.error().text
                                 + "): open it again, or take via=nvbuf, which waits for it"};
            if (!came.value())
                continue;
            ExternalFrame frame;
            const std::int64_t ns = nowNs();
            frame.captured = {m_presented++, m_stamps.captureNs(*came.value(), true, ns)};
            frame.captured.stamp = {*came.value() >= 0, *came.value(), ns, ToldClock::Monotonic};
            return std::optional(std::move(frame));
        }
        return Error{inQuotes(m_info.uri), 0,
                     "no picture came for 5 seconds: open the camera again, or take via=nvbuf, which waits for it"};
    }

    const SourceInfo m_info;
    const CsiOptions m_options;
    const Result<NvBufApi> m_api;
    const std::unique_ptr<StreamFeed> m_feed;
    ExternalBufferTable m_table;                      ///< Destroyed before the feed.
    std::unique_ptr<PresentingPipeline> m_presenting; ///< Null unless frames go into an EGLStream.
    TimestampCheck m_stamps;                          ///< For frames of m_presenting, like the next member.
    std::uint64_t m_presented = 0;
    std::atomic<bool> m_cancelled{false};
};

/// The layout of the first frame.
Result<ImageLayout> layoutOfFirst(const StreamFeed &feed)
{
    if (feed.recipe().memory == StreamMemory::Cpu)
        return feed.first()->layout();
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<MappedPicture> mapped, feed.first()->map());
    return layoutOf(static_cast<const nvbuf::Surface *>(mapped->data()), mapped->bytes());
}

Status checkElements(const SourceUri &uri, const CsiOptions &options)
{
    if (!hasElement("nvarguscamerasrc"))
        return Error{inQuotes(uri.text), 0,
                     "cameras at a Jetson's CSI connector need its element nvarguscamerasrc, which is not installed "
                     "here: on a Jetson, "
                     "install nvidia-l4t-gstreamer; elsewhere use a USB camera (v4l2:)"};
    if (options.buffersOnly)
        return {};
    Result<std::string> found = needing(uri, {{"nvvidconv", "nvidia-l4t-gstreamer"}}, {});
    if (found.ok() && options.way == CsiOptions::Way::Stream)
        found = needing(uri, {{"nvvideosink", "nvidia-l4t-gstreamer"}}, {});
    return found.ok() ? Status() : Status(found.error());
}

} // namespace

Result<CsiOptions> readCsiOptions(const SourceUri &uri)
{
    CsiOptions options;
    const std::optional<int> camera = parseNumber<int>(uri.path, 0, 15);
    if (!camera)
        return Error{inQuotes(uri.text), 0, "write csi:N with the number of the camera's connector, as in csi:0"};
    options.camera = *camera;
    for (const SourceUri::Option &option : uri.options) {
        const auto size = option.key == "size" ? readPictureSize(option.value) : std::nullopt;
        const auto fps = option.key == "fps" ? readPictureRate(option.value) : std::nullopt;
        if (size) {
            options.caps += ",width=" + std::to_string(size->first) + ",height=" + std::to_string(size->second);
        } else if (fps) {
            // As a fraction with two decimal places.
            options.caps += ",framerate=" + std::to_string(std::lround(*fps * 100)) + "/100";
        } else if (option.key == "via"
                   && (option.value == "nvbuf" || option.value == "copy" || option.value == "eglstream")) {
            options.buffersOnly = option.value == "nvbuf";
            options.way = options.buffersOnly ? CsiOptions::Way::Buffers
                : option.value == "copy"      ? CsiOptions::Way::Copies
                                              : CsiOptions::Way::Stream;
        } else {
            return Error{inQuotes(uri.text), 0,
                         "a csi: source has the options size=WIDTHxHEIGHT, fps=RATE and via=nvbuf, eglstream or copy, "
                         "as in csi:0?size=1280x720&fps=30"};
        }
    }
    return options;
}

Status checkCsi(const SourceUri &uri)
{
    JETSCOPE_TRY_ASSIGN(const CsiOptions options, readCsiOptions(uri));
    if (options.buffersOnly && !realNvBufApi().ok())
        return realNvBufApi().error();
    return checkElements(uri, options);
}

Result<std::unique_ptr<FrameSource>> openCsi(const SourceUri &uri, Pacing)
{
    JETSCOPE_TRY(checkCsi(uri));
    return openCsi(realNvBufApi(), uri);
}

Result<std::unique_ptr<FrameSource>> openCsi(const Result<NvBufApi> &api, const SourceUri &uri)
{
    JETSCOPE_TRY_ASSIGN(const CsiOptions options, readCsiOptions(uri));
    const bool inBuffers = api.ok() && options.way == CsiOptions::Way::Buffers;
    const auto failed = [&](const Error &error) {
        return Error{inQuotes(uri.text), 0, "no picture can be had (" + error.text + "): " + kCameraRemedy};
    };
    Result<std::unique_ptr<StreamFeed>> feed = StreamFeed::start({uri.text, recipeFor(options, inBuffers), true});
    if (!feed.ok())
        return failed(feed.error());
    const Result<ImageLayout> layout = layoutOfFirst(*feed.value());
    if (!layout.ok())
        return failed(layout.error());
    SourceInfo info = streamInfo(uri.text, layout.value(), feed.value()->first()->rate());
    info.description += " · not verified on hardware";
    return std::unique_ptr<FrameSource>(
        std::make_unique<CsiSource>(std::move(info), options, api, std::move(feed).value()));
}

} // namespace jetscope
