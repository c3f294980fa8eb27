// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/capturethread.h"

#include "core/recording/tracer.h"
#include "core/text/numbertext.h"
#include "core/time/clock.h"
#include "gpu/paths/streaminput.h"
#include "gpu/sources/sourceuri.h"

#include <algorithm>
#include <cstring>

namespace jetscope {

namespace {

/// Frames between capture and screen: frames in flight, queued frames and the two that the view may hold.
constexpr std::size_t kPicturesKept = kMaxFramesInFlight + CaptureThread::kQueueDepth + 3;

std::string msSince(std::int64_t ns)
{
    return fixedText(static_cast<double>(nowNs() - ns) / 1e6, 1) + " ms";
}

/// The kind of the source only: a source of another size or rate of the same kind goes on in the same lane.
std::string laneDetail(const SourceInfo &source)
{
    const Result<SourceUri> uri = parseSourceUri(source.uri);
    return uri.ok() ? "thread · " + uri.value().scheme : std::string("thread");
}

} // namespace

CaptureThread::CaptureThread(std::unique_ptr<FrameSource> source, std::shared_ptr<FramePool> pool, Tracer &tracer,
                             std::function<void()> wake)
    : m_source(std::move(source)),
      m_buffers(buffersFor(*m_source)),
      m_log(std::make_shared<CameraLog>(m_source->info().uri)),
      m_tracer(tracer),
      m_wake(std::move(wake)),
      m_pool(std::move(pool)),
      m_period(m_source->info()),
      m_thread([this] { work(); })
{
}

CaptureThread::~CaptureThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_source->cancel();
    m_condition.notify_all();
    m_thread.join();
}

void CaptureThread::work()
{
    const ThreadRecorder recorder(m_tracer, LaneRole::Capture, "Capture", laneDetail(m_source->info()));
    m_source->recordTo(m_tracer);
    for (;;) {
        Result<std::optional<InputFrame>> frame = nextFrame();
        if (!frame.ok() || !frame.value()) {
            flushBuffers();
            static_cast<void>(presentTo(nullptr)); // The first error is already stored.
            const std::lock_guard lock(m_mutex);
            m_finished = true;
            if (!frame.ok())
                m_error = frame.error();
            break;
        }
        queue(std::move(*frame.value()));
    }
    m_wake();
}

Result<std::optional<InputFrame>> CaptureThread::nextFrame()
{
    for (;;) {
        const std::shared_ptr<FramePool> pool = currentPool();
        JETSCOPE_TRY(presentTo(pool));
        if (lentBuffers(*pool) > 0)
            return receiveFrame();
        flushBuffers();
        InputFrame frame = nextBuffer();
        if (!frame.buffer())
            return std::optional<InputFrame>();
        if (frame.pool() == pool)
            return pool->takesExternalBuffers() ? keepExternalBuffer(std::move(frame)) : copyFrame(std::move(frame));
    }
}

Result<std::optional<InputFrame>> CaptureThread::copyFrame(InputFrame frame)
{
    CpuWrite access = frame.buffer()->write();
    Result<std::optional<CapturedFrame>> read = m_source->read(access.data());
    access.end();
    if (!read.ok())
        return read.error();
    if (!read.value())
        return std::optional<InputFrame>();
    frame.captured = std::move(*read.value());
    return std::optional(std::move(frame));
}

Result<std::optional<InputFrame>> CaptureThread::keepExternalBuffer(InputFrame frame)
{
    flushBuffers();
    JETSCOPE_TRY_ASSIGN(std::optional<ExternalFrame> read, m_source->readExternal());
    if (!read)
        return std::optional<InputFrame>();
    frame.captured = std::move(read->captured);
    frame.buffer()->attach(std::move(*read));
    return std::optional(std::move(frame));
}

Result<std::optional<InputFrame>> CaptureThread::receiveFrame()
{
    {
        std::unique_lock lock(m_mutex);
        m_condition.wait(lock, [this] { return !m_held || m_stopping; });
    }
    if (!m_queuedBuffers.empty() && m_queuedBuffers.front().frame.pool() != currentPool())
        flushBuffers();
    if (const Status queued = queueBuffers(); !queued.ok()) {
        flushBuffers();
        // The source may have switched to copies.
        return lentBuffers(*currentPool()) > 0 ? Result<std::optional<InputFrame>>(queued.error()) : nextFrame();
    }
    if (m_queuedBuffers.empty()) // The thread is stopping, or the kind of buffers changed.
        return stopping() ? std::optional<InputFrame>() : nextFrame();
    JETSCOPE_TRY_ASSIGN(std::optional<QueuedFrame> read, m_source->readQueued());
    if (!read)
        return std::optional<InputFrame>();
    const auto filled = std::find_if(m_queuedBuffers.begin(), m_queuedBuffers.end(),
                                     [&](const QueuedBuffer &each) { return each.access.data() == read->memory; });
    if (filled == m_queuedBuffers.end())
        return Error{"capture", 0, "the source filled a buffer that was not queued"};
    filled->access.end();
    InputFrame frame = std::move(filled->frame);
    m_queuedBuffers.erase(filled);
    frame.captured = std::move(read->captured);
    return std::optional(std::move(frame));
}

std::size_t CaptureThread::lentBuffers(const FramePool &pool) const
{
    if (pool.takesExternalBuffers())
        return 0;
    return pool.hasDmabufs() && m_source->dmabufsWanted() > 0 ? m_source->dmabufsWanted() : m_source->buffersWanted();
}

Status CaptureThread::queueBuffers()
{
    while (m_queuedBuffers.size() < lentBuffers(*currentPool())) {
        // With two buffers the camera can continue, so do not wait for more.
        InputFrame frame = m_queuedBuffers.size() < 2 ? nextBuffer() : spareBuffer();
        if (!frame.buffer())
            return {};
        if (!m_queuedBuffers.empty() && frame.pool() != m_queuedBuffers.front().frame.pool())
            flushBuffers();
        if (frame.pool()->takesExternalBuffers())
            return {};
        CpuWrite access = frame.buffer()->write();
        const bool imports = frame.pool()->hasDmabufs() && m_source->dmabufsWanted() > 0;
        JETSCOPE_TRY(imports ? m_source->queueDmabuf(access.data(), frame.buffer()->dmabuf())
                             : m_source->queue(access.data()));
        m_queuedBuffers.push_back({std::move(frame), std::move(access)});
    }
    return {};
}

void CaptureThread::flushBuffers()
{
    if (m_queuedBuffers.empty())
        return;
    m_source->flush();
    m_queuedBuffers.clear();
}

/// Holds the pool while the source presents to its EGLStream, because the producer must be destroyed before the
/// consumer.
Status CaptureThread::presentTo(const std::shared_ptr<FramePool> &pool)
{
    const StreamInput *stream = pool ? pool->presentedTo() : nullptr;
    if (stream == (m_presentedTo ? m_presentedTo->presentedTo() : nullptr))
        return {};
    const Status presented =
        stream ? m_source->presentTo(stream->display(), stream->native()) : m_source->presentTo(nullptr, nullptr);
    m_presentedTo = stream ? pool : nullptr;
    return presented;
}

std::shared_ptr<FramePool> CaptureThread::currentPool() const
{
    const std::lock_guard lock(m_mutex);
    return m_pool;
}

bool CaptureThread::stopping() const
{
    const std::lock_guard lock(m_mutex);
    return m_stopping;
}

InputFrame CaptureThread::spareBuffer()
{
    const std::lock_guard lock(m_mutex);
    if (m_stopping || m_held)
        return {};
    TransferBuffer *buffer = m_pool->take();
    return buffer ? InputFrame(m_pool, buffer) : InputFrame();
}

InputFrame CaptureThread::nextBuffer()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        if (m_stopping)
            return {};
        const bool live = m_source->info().live;
        const bool full = m_queue.size() >= kQueueDepth;
        if (!m_held && !m_resting && (!full || live)) {
            if (TransferBuffer *buffer = m_pool->take())
                return {m_pool, buffer};
            if (live && !m_queue.empty()) {
                // The camera does not wait, so drop the oldest queued frame.
                dropOldest();
                continue;
            }
        }
        m_condition.wait(lock);
    }
}

void CaptureThread::queue(InputFrame frame)
{
    bool keep = false;
    bool wanted = false;
    std::shared_ptr<InputWatch> watch;
    {
        const std::lock_guard lock(m_mutex);
        keep = m_picturesWanted;
        watch = m_watch;
        wanted = !m_paused; // While paused, the pipeline checks the queue only when the user steps.
    }
    m_log->add({frame.captured.index, frame.captured.captureNs, frame.captured.stamp}, frame.captured.lost);
    if (keep && frame.buffer()->memory())
        keepPicture(frame);
    if (watch)
        show(frame, *watch);
    {
        const std::lock_guard lock(m_mutex);
        m_period.add(frame.captured);
        m_stamps.add({frame.captured.index, frame.captured.stamp});
        noteGap(frame.captured);
        m_heldWords.clear();
        m_lastIndex = frame.captured.index;
        m_anyFrame = true;
        frame.captured.gaps.insert(frame.captured.gaps.begin(), m_gaps.begin(), m_gaps.end());
        m_gaps.clear();
        m_queue.push_back(std::move(frame));
        if (m_source->info().live && m_queue.size() > kQueueDepth)
            dropOldest();
    }
    if (wanted)
        m_wake();
}

/// Call with the mutex locked. Moves the gaps of the dropped frame to the next frame.
void CaptureThread::dropOldest()
{
    std::vector<SourceGap> gaps = std::move(m_queue.front().captured.gaps);
    if (!m_paused)
        append(m_lost,
               {m_queue.front().captured.index, 1, LossCause::Overtaken, nowNs(),
                m_takenNs == 0 ? "the pipeline had not taken any frame yet"
                               : "the pipeline took no frame for " + msSince(m_takenNs)},
               kMostLossRows);
    m_queue.pop_front();
    std::vector<SourceGap> &heir = m_queue.empty() ? m_gaps : m_queue.front().captured.gaps;
    heir.insert(heir.begin(), std::make_move_iterator(gaps.begin()), std::make_move_iterator(gaps.end()));
}

/// Call with the mutex locked. Notes what is missing before a frame; before the first one what its source tells.
void CaptureThread::noteGap(const CapturedFrame &captured)
{
    const std::uint64_t first = m_anyFrame ? m_lastIndex + 1
        : captured.lost.empty()            ? captured.index
                                           : captured.lost.front().first;
    if (m_paused || captured.index <= first)
        return;
    for (LostFrames &lost : accountedFor(first, captured.index - first, captured.lost, captured.captureNs)) {
        if (!m_heldWords.empty()) {
            lost.cause = LossCause::Unwanted;
            lost.evidence = m_heldWords;
        }
        append(m_lost, std::move(lost), kMostLossRows);
    }
}

std::vector<LostFrames> CaptureThread::takeLost()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_lost, {});
}

std::vector<LostFrames> CaptureThread::queuedAsLost(const std::string &why) const
{
    const std::lock_guard lock(m_mutex);
    std::vector<LostFrames> lost;
    for (const InputFrame &frame : m_queue)
        if (!m_paused)
            append(lost, {frame.captured.index, 1, LossCause::Unwanted, nowNs(), why}, kMostLossRows);
    return lost;
}

std::vector<OpenCamera> CaptureThread::cameras() const
{
    std::vector<OpenCamera> cameras = m_source->cameras();
    if (cameras.empty())
        cameras.push_back({m_log, m_source->info().description, m_source->state().trouble, true});
    return cameras;
}

void CaptureThread::keepPicture(const InputFrame &frame)
{
    static const NameId kCopy = internName("copy for the view", Category::Tool);
    const SpanScope span(kCopy);
    auto picture = std::make_shared<InputPicture>();
    picture->sourceIndex = frame.captured.index;
    picture->layout = m_source->info().layout;
    picture->bytes.resize(picture->layout.bytes);
    {
        const CpuRead read = frame.buffer()->read();
        std::memcpy(picture->bytes.data(), read.data(), picture->layout.bytes);
    }
    const std::lock_guard lock(m_mutex);
    m_pictures.push_back(std::move(picture));
    if (m_pictures.size() > kPicturesKept)
        m_pictures.pop_front();
}

void CaptureThread::show(const InputFrame &frame, InputWatch &watch) const
{
    if (!frame.buffer()->memory())
        return watch.arrived(frame.captured, m_source->info().layout, nullptr);
    const CpuRead read = frame.buffer()->read();
    watch.arrived(frame.captured, m_source->info().layout, read.data());
}

void CaptureThread::watch(std::shared_ptr<InputWatch> watch)
{
    const std::lock_guard lock(m_mutex);
    m_watch = std::move(watch);
}

void CaptureThread::setPool(std::shared_ptr<FramePool> pool)
{
    {
        const std::lock_guard lock(m_mutex);
        m_pool = std::move(pool);
    }
    m_condition.notify_all();
}

void CaptureThread::setHeld(bool held)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_held && !held)
            m_heldWords = "the pipeline took none for " + msSince(m_heldNs) + " while it was changed";
        if (!m_held && held)
            m_heldNs = nowNs();
        m_held = held;
    }
    m_condition.notify_all();
}

void CaptureThread::setPaused(bool paused)
{
    const std::lock_guard lock(m_mutex);
    m_paused = paused;
}

void CaptureThread::setResting(bool resting)
{
    const bool rests = resting && m_source->info().live && m_source->info().pacedFps > 0;
    {
        const std::lock_guard lock(m_mutex);
        if (rests == m_resting)
            return;
        m_resting = rests;
        const bool paused = std::exchange(m_paused, true); // Frames that were not wanted are not missing.
        while (!rests && !m_queue.empty())
            dropOldest();
        m_paused = paused;
    }
    m_condition.notify_all();
}

std::int64_t CaptureThread::sourcePeriodNs() const
{
    const std::lock_guard lock(m_mutex);
    return m_period.ns();
}

SourceState CaptureThread::state() const
{
    SourceState state = m_source->state();
    const std::lock_guard lock(m_mutex);
    if (m_stamps.finding())
        state.facts.stamps = stampWords(*m_stamps.finding());
    return state;
}

std::size_t CaptureThread::queued() const
{
    const std::lock_guard lock(m_mutex);
    return m_queue.size();
}

std::optional<InputFrame> CaptureThread::take()
{
    std::optional<InputFrame> frame;
    {
        const std::lock_guard lock(m_mutex);
        if (m_queue.empty())
            return frame;
        frame = std::move(m_queue.front());
        m_queue.pop_front();
        m_takenNs = nowNs();
    }
    m_condition.notify_all();
    return frame;
}

bool CaptureThread::ended() const
{
    const std::lock_guard lock(m_mutex);
    return m_finished && m_queue.empty();
}

std::optional<Error> CaptureThread::error() const
{
    const std::lock_guard lock(m_mutex);
    return m_error;
}

void CaptureThread::wantPictures(bool wanted)
{
    const std::lock_guard lock(m_mutex);
    m_picturesWanted = wanted;
    if (!wanted)
        m_pictures.clear();
}

std::shared_ptr<InputPicture> CaptureThread::pictureOf(std::uint64_t sourceIndex) const
{
    const std::lock_guard lock(m_mutex);
    for (const std::shared_ptr<InputPicture> &picture : m_pictures)
        if (picture->sourceIndex == sourceIndex)
            return picture;
    return nullptr;
}

} // namespace jetscope
