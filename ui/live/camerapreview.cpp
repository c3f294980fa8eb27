// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/camerapreview.h"

#include "ui/live/inputconverter.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace jetscope {

namespace {

/// Pause between two pictures.
constexpr std::chrono::milliseconds kPause{200};
constexpr int kShownWidth = 240;
constexpr int kMinPreviewWidth = 160;
constexpr double kMinRate = 5;

/// Prefers small sizes, which need less bandwidth, but not below kMinPreviewWidth.
bool isBetter(const CameraSize &a, const CameraSize &b)
{
    const bool wide = a.width >= kMinPreviewWidth;
    if (wide != (b.width >= kMinPreviewWidth))
        return wide;
    return a.width * a.height < b.width * b.height;
}

bool isCompressed(const CameraFormat &format)
{
    return format.name == "MJPEG" || format.name == "JPEG";
}

} // namespace

/// One preview from the request until the camera is closed.
struct CameraPreview::Job {
    std::string uri;
    std::mutex mutex;
    std::condition_variable wake;
    bool stopped = false;
    FrameSource *source = nullptr; ///< Set while it is read.

    void stop()
    {
        const std::lock_guard lock(mutex);
        stopped = true;
        if (source)
            source->cancel();
        wake.notify_all();
    }
    /// False if the job was stopped meanwhile.
    bool hold(FrameSource *now)
    {
        const std::lock_guard lock(mutex);
        source = now;
        return !stopped;
    }
    bool pause()
    {
        std::unique_lock lock(mutex);
        return !wake.wait_for(lock, kPause, [this] { return stopped; });
    }
};

/// Tells about one preview, unless another camera was requested meanwhile. `preview` is not touched on the job's
/// thread.
class CameraPreview::Teller {
public:
    Teller(CameraPreview &preview, std::shared_ptr<Job> job, Worker::Reply reply)
        : m_preview(preview), m_job(std::move(job)), m_reply(std::move(reply))
    {
    }
    void say(const QString &text) const
    {
        tell([text](CameraPreview &preview) { emit preview.said(text); });
    }
    void show(const QImage &picture) const
    {
        tell([picture](CameraPreview &preview) { emit preview.pictured(picture); });
    }

private:
    void tell(std::function<void(CameraPreview &)> what) const
    {
        m_reply.post([&preview = m_preview, job = m_job, what = std::move(what)] {
            if (preview.m_job == job)
                what(preview);
        });
    }

    CameraPreview &m_preview;
    std::shared_ptr<Job> m_job;
    Worker::Reply m_reply;
};

CameraPreview::CameraPreview(SourceOpener open, QObject *parent) : QObject(parent), m_open(std::move(open)) {}

CameraPreview::~CameraPreview()
{
    stop();
}

void CameraPreview::show(const CameraInfo &camera)
{
    stop();
    m_job = std::make_shared<Job>();
    m_job->uri = previewUri(camera);
    ++m_running;
    m_thread.start([this, open = m_open, job = m_job](const Worker::Reply &reply) {
        run(open, job, Teller(*this, job, reply));
        reply.post([this] { finished(); });
    });
}

void CameraPreview::stop(std::function<void()> then)
{
    if (m_job)
        std::exchange(m_job, nullptr)->stop();
    if (then)
        m_then = std::move(then);
    if (m_running == 0 && m_then)
        std::exchange(m_then, nullptr)();
}

void CameraPreview::finished()
{
    if (--m_running == 0 && m_then)
        std::exchange(m_then, nullptr)();
}

void CameraPreview::run(const SourceOpener &open, const std::shared_ptr<Job> &job, const Teller &tell)
{
    const auto setTrouble = [&](const Error &error) { tell.say(QString::fromStdString(error.text)); };
    if (!job->hold(nullptr))
        return;
    Result<std::unique_ptr<FrameSource>> opened = open(job->uri);
    if (!opened.ok())
        return setTrouble(opened.error());
    FrameSource &source = *opened.value();
    ChainExecutor executor;
    InputPicture picture;
    picture.layout = source.info().layout;
    picture.bytes.resize(picture.layout.bytes);
    for (bool goOn = job->hold(&source); goOn; goOn = job->pause()) {
        const Result<std::optional<CapturedFrame>> read = source.read(picture.bytes.data());
        if (!read.ok())
            setTrouble(read.error());
        if (!read.ok() || !read.value())
            break;
        const QImage image =
            InputConverter::toImage(executor, picture).scaledToWidth(kShownWidth, Qt::SmoothTransformation);
        tell.show(image);
    }
    job->hold(nullptr);
}

std::string previewUri(const CameraInfo &camera)
{
    const CameraFormat *best = nullptr;
    for (const CameraFormat &format : camera.formats)
        if (format.readable.available && !format.sizes.empty()
            && (!best || (isCompressed(*best) && !isCompressed(format))))
            best = &format;
    std::string uri = camera.uri + "?io=mmap";
    if (!best)
        return uri;
    const CameraSize &size = *std::min_element(best->sizes.begin(), best->sizes.end(), isBetter);
    uri += "&size=" + std::to_string(size.width) + "x" + std::to_string(size.height) + "&format=" + best->name;
    for (auto rate = size.rates.rbegin(); rate != size.rates.rend(); ++rate)
        if (*rate >= kMinRate)
            return uri + "&fps=" + QString::number(*rate, 'g', 4).toStdString();
    return uri;
}

} // namespace jetscope
