// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/camerasource.h"

#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/sources/sourceoptions.h"
#include "gpu/sources/v4l2/camerafacts.h"
#include "gpu/sources/v4l2/cameraframes.h"
#include "gpu/sources/v4l2/camerasession.h"
#include "gpu/sources/v4l2/externalbufferexchange.h"
#include "gpu/sources/v4l2/fieldweave.h"
#include "gpu/sources/v4l2/framecheck.h"
#include "gpu/sources/v4l2/lentbuffers.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <utility>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTimeout = 500; ///< Milliseconds per wait for a frame.
constexpr std::chrono::seconds kFirstFrame{5};
constexpr std::chrono::seconds kStalled{10};       ///< After this time without a frame, the stream is restarted.
constexpr std::chrono::milliseconds kAbsence{250}; ///< After a longer pause between reads, queued frames are stale.
constexpr int kShortestPause = 50; ///< Milliseconds between attempts to reopen a camera; doubles up to the longest.
constexpr int kLongestPause = 1000;
constexpr int kMaxFailures = 12; ///< Attempts with a connected camera that does not work.

std::string damageOf(const FilledBuffer &filled)
{
    if (filled.corrupted)
        return "the driver marks it as damaged; " + std::to_string(filled.bytes) + " bytes came";
    return "only " + std::to_string(filled.bytes) + " bytes came";
}

/// A V4L2 camera: reads it, and handles disconnects and reconnects.
class CameraSource final : public FrameSource {
public:
    CameraSource(V4l2Syscalls &kernel, SourceInfo info, const CameraOptions &options, const DmabufApi &api)
        : m_syscalls(kernel), m_info(std::move(info)), m_options(options), m_api(api)
    {
    }

    /// Takes ownership of the session; opens the camera first.
    Status begin(std::unique_ptr<CameraSession> session);

    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override;
    void cancel() override { m_wake.raise(); }
    SourceState state() const override;

    std::size_t buffersWanted() const override { return m_lent.takes(Lent::Addresses) ? kLentBuffers : 0; }
    Status queue(std::byte *buffer) override { return queueAs(Lent::Addresses, {buffer, -1}); }
    std::size_t dmabufsWanted() const override { return m_lent.takes(Lent::Dmabufs) ? kLentBuffers : 0; }
    Status queueDmabuf(std::byte *buffer, int file) override { return queueAs(Lent::Dmabufs, {buffer, file}); }
    Result<std::optional<QueuedFrame>> readQueued() override;
    void flush() override;

    Result<ExternalBufferView> externalBuffers() const override;
    void tryExternalBuffers(const std::function<Status(ExternalBuffer &, const std::byte *)> &trial) override;
    Result<std::optional<ExternalFrame>> readExternal() override;

    WakeSignal &wake() { return m_wake; }

private:
    static constexpr std::size_t kLentBuffers = 4;

    Status queueAs(Lent lent, const LentBuffers::Buffer &buffer);
    void lend(Lent lent);

    Result<std::optional<FilledBuffer>> nextFrame();
    /// Why it is damaged; empty if it is stored.
    Result<std::string> storeFrame(const FilledBuffer &filled, std::byte *into);
    Status countBad(CameraSession::Condition condition, const std::string &why);
    Status startStream();
    bool handsBuffersIn() const { return m_options.memory == CameraOptions::Memory::Dmabuf; }
    Status takeBack();
    Result<std::optional<FilledBuffer>> newest();
    Status discardOld();
    Status giveBack(std::uint32_t index);
    CapturedFrame capturedFrom(const FilledBuffer &filled);
    void isGood(CapturedFrame &captured);
    Status noFrame(Clock::time_point since);
    Status lose(const Error &error);
    Status reconnect();
    Result<std::unique_ptr<CameraSession>> reopen();
    void setTrouble(std::string trouble);
    void useCopies();

    V4l2Syscalls &m_syscalls;
    const SourceInfo m_info;
    CameraOptions m_options;
    const DmabufApi &m_api;
    CameraInfo m_camera;
    WakeSignal m_wake;
    std::shared_ptr<CameraSession> m_session;           ///< Null while disconnected. Its external buffers hold it too.
    std::unique_ptr<ExternalBufferExchange> m_exchange; ///< Created with the session's first external buffer.
    std::optional<Error> m_noExternalBuffers;           ///< The error of the trial. Set before the first frame.
    LentBuffers m_lent;
    bool m_anyFrame = false;
    Clock::time_point m_lastRead{};
    CameraFrames m_frames;
    FieldPairs m_pairs;
    std::string m_colourRemark;
    GoodFrames m_good;
    std::optional<SourceGap> m_gap; ///< Set while the camera is disconnected, and until its next frame.
    mutable std::mutex m_stateMutex;
    SourceState m_state;
};

Status CameraSource::begin(std::unique_ptr<CameraSession> session)
{
    m_session = std::move(session);
    m_camera = m_session->camera();
    const std::string why = m_session->reasonAgainstUser();
    if (m_options.memory == CameraOptions::Memory::User && !why.empty())
        return Error{inQuotes(m_info.uri), 0, "the camera cannot fill our memory: " + why + ": use io=mmap"};
    if (const std::string reason = handsBuffersIn() ? m_session->reasonAgainstExternal() : ""; !reason.empty())
        return Error{inQuotes(m_info.uri), 0,
                     "the camera's own buffers cannot be handed to the GPU: " + reason + ": use io=mmap"};
    const bool lends = m_options.memory != CameraOptions::Memory::Mapped && !handsBuffersIn();
    m_lent.setTaken(lends && why.empty(), lends && m_session->reasonAgainstImport().empty());
    useCopies();
    const CameraMode &mode = m_session->mode();
    const std::lock_guard lock(m_stateMutex);
    m_state.facts = streamFactsOf(mode.picture, mode.fps);
    m_colourRemark = m_state.remark = colourRemark(mode.picture);
    return {};
}

void CameraSource::useCopies()
{
    const std::lock_guard lock(m_stateMutex);
    m_state.copies.clear();
    if (m_session && m_session->mode().format->compressed)
        m_state.copies.emplace_back("decoded from the driver's buffer into the input buffer by the CPU");
    else if (m_lent.way() == Lent::Nothing)
        m_state.copies.emplace_back("from the driver's buffer into the input buffer by the CPU");
}

SourceState CameraSource::state() const
{
    const std::lock_guard lock(m_stateMutex);
    return m_state;
}

void CameraSource::setTrouble(std::string trouble)
{
    const std::lock_guard lock(m_stateMutex);
    m_state.trouble = std::move(trouble);
}

Result<std::optional<CapturedFrame>> CameraSource::read(std::byte *into)
{
    lend(Lent::Nothing);
    for (;;) {
        JETSCOPE_TRY_ASSIGN(const std::optional<FilledBuffer> filled, nextFrame());
        if (!filled)
            return std::optional<CapturedFrame>();
        FilledBuffer frame = *filled;
        const bool complete = !m_session->alternates() || m_pairs.completes(frame, into);
        std::optional<CapturedFrame> captured;
        if (complete)
            captured = capturedFrom(frame);
        JETSCOPE_TRY_ASSIGN(const std::string why, storeFrame(*filled, into));
        if (captured && !why.empty())
            m_frames.takeBack(*std::exchange(captured, std::nullopt), why);
        if (const std::uint64_t alone = m_pairs.takeAlone(); alone > 0) {
            m_frames.addAlone(alone);
            JETSCOPE_TRY(countBad(CameraSession::Condition::Torn, "only one of two fields arrives"));
        }
        if (captured) {
            isGood(*captured);
            return captured;
        }
    }
}

Result<std::string> CameraSource::storeFrame(const FilledBuffer &filled, std::byte *into)
{
    static const NameId kCopy = internName("copy from the driver", Category::Capture, Purpose::CaptureCopy);
    static const NameId kDecode = internName("decode JPEG", Category::Capture);
    Status stored;
    std::string otherSize;
    {
        SpanScope span(m_session->mode().format->compressed ? kDecode : kCopy);
        span.setBytes(pictureBytes(m_info.layout) / (m_session->alternates() ? 2 : 1));
        stored = m_session->store(filled, into);
        if (!stored.ok())
            otherSize = m_session->otherSizeOf(filled);
    }
    if (const Status given = giveBack(filled.index); !given.ok())
        JETSCOPE_TRY(lose(given.error()));
    if (stored.ok())
        return std::string();
    if (!otherSize.empty())
        m_good.otherSize();
    std::string why =
        otherSize.empty() ? stored.error().text : "its pictures have " + otherSize + " pixels now: open it again";
    JETSCOPE_TRY(countBad(CameraSession::Condition::Damaged, why));
    return why;
}

/// Another way of lending is another stream.
void CameraSource::lend(Lent lent)
{
    if (lent == m_lent.way())
        return;
    flush();
    m_lent.setWay(lent);
    useCopies();
}

Status CameraSource::queueAs(Lent lent, const LentBuffers::Buffer &buffer)
{
    lend(lent);
    if (!m_session) {
        m_lent.add(buffer); // Queued again when the camera is back.
        return {};
    }
    Status queued = startStream();
    if (queued.ok())
        queued = m_session->queue().queue(buffer.memory, buffer.file);
    if (queued.ok()) {
        m_lent.add(buffer);
        m_frames.queued();
        return {};
    }
    if (isCameraGone(queued.error()) || m_lent.hasWorked(lent)) {
        m_lent.add(buffer);
        return lose(queued.error());
    }
    if (m_options.memory != CameraOptions::Memory::User || lent == Lent::Dmabufs) {
        m_lent.refuse(lent); // The driver cannot access this memory: other ways are used from now on.
        flush();
        useCopies();
    }
    return queued;
}

Result<std::optional<QueuedFrame>> CameraSource::readQueued()
{
    JETSCOPE_TRY_ASSIGN(const std::optional<FilledBuffer> filled, nextFrame());
    if (!filled)
        return std::optional<QueuedFrame>();
    const FilledBuffer &buffer = *filled;
    m_session->queue().release(buffer.index);
    m_lent.remove(buffer.memory);
    QueuedFrame frame{capturedFrom(buffer), buffer.memory};
    isGood(frame.captured);
    return std::optional(std::move(frame));
}

void CameraSource::flush()
{
    if (m_session)
        m_session->stop();
    m_lent.clear();
    m_frames.restartNumbers();
}

Result<ExternalBufferView> CameraSource::externalBuffers() const
{
    if (m_noExternalBuffers)
        return *m_noExternalBuffers;
    if (!handsBuffersIn())
        return Error{"--memory", 0,
                     "a camera hands its own buffers in when it is opened with io=dmabuf; take another memory kind"};
    return ExternalBufferView::Bytes;
}

void CameraSource::tryExternalBuffers(const std::function<Status(ExternalBuffer &, const std::byte *)> &trial)
{
    if (!handsBuffersIn() || !m_session || m_session->streaming())
        return;
    Status tried = m_session->mapOnly();
    if (tried.ok()) {
        std::byte *memory = m_session->queue().memory(0);
        for (std::size_t i = 0; i < m_info.layout.bytes; ++i)
            memory[i] = static_cast<std::byte>(i * 7 + i / 251); // A pattern that is not there by chance.
        const Result<std::shared_ptr<ExternalBuffer>> exported = exportBuffer(m_session, 0, m_api);
        tried = exported.ok() ? trial(*exported.value(), memory) : exported.error();
    }
    m_session->stop();
    if (!tried.ok())
        m_noExternalBuffers = Error{"--memory", 0, tried.error().message()};
}

Result<std::optional<ExternalFrame>> CameraSource::readExternal()
{
    JETSCOPE_TRY_ASSIGN(const std::optional<FilledBuffer> filled, nextFrame());
    if (!filled)
        return std::optional<ExternalFrame>();
    if (!m_exchange) {
        JETSCOPE_TRY_ASSIGN(m_exchange, ExternalBufferExchange::create(m_session, m_api));
    }
    CapturedFrame captured = capturedFrom(*filled);
    isGood(captured);
    return std::optional(m_exchange->handIn(filled->index, std::move(captured)));
}

/// Queues the buffers that readers returned; waits if readers hold all of them.
Status CameraSource::takeBack()
{
    static const NameId kOut = internName("wait for a buffer", Category::WaitInput, Purpose::Buffer);
    while (m_exchange) {
        for (const std::uint32_t index : m_exchange->takeReturned())
            JETSCOPE_TRY(giveBack(index));
        if (!m_exchange->allOut() || m_wake.raised())
            break;
        const SpanScope span(kOut);
        m_syscalls.wait(m_exchange->fd(), m_wake.fd(), kTimeout);
    }
    return {};
}

CapturedFrame CameraSource::capturedFrom(const FilledBuffer &filled)
{
    m_lastRead = Clock::now();
    CapturedFrame captured = m_frames.delivered(filled);
    const std::lock_guard lock(m_stateMutex);
    m_state.remark = m_frames.complaint().empty() ? m_colourRemark : m_frames.complaint();
    m_state.faults.missed = m_frames.faults().missed;
    m_state.faults.oddStamps = m_frames.faults().oddStamps;
    m_state.faults.repeated = m_frames.faults().repeated;
    m_state.facts.measuredFps = m_frames.fps();
    return captured;
}

/// Of a frame that will be delivered.
void CameraSource::isGood(CapturedFrame &captured)
{
    m_anyFrame = true;
    m_lent.noteFrame();
    m_good.good(nowNs());
    const std::lock_guard lock(m_stateMutex);
    m_state.trouble.clear();
    if (!m_gap)
        return;
    m_gap->untilNs = m_good.lastNs();
    captured.gaps.push_back(std::move(*m_gap));
    m_gap.reset();
    ++m_state.faults.gaps;
}

/// Of a frame that will not be delivered. A camera that has no others is in trouble, and is opened again after a while.
Status CameraSource::countBad(CameraSession::Condition condition, const std::string &why)
{
    {
        const std::lock_guard lock(m_stateMutex);
        ++(condition == CameraSession::Condition::Torn ? m_state.faults.torn : m_state.faults.damaged);
    }
    m_good.bad();
    const std::string text = " delivers no good frame: " + why;
    if (m_good.since() >= (m_anyFrame ? kStalled : kFirstFrame))
        return lose(Error{"VIDIOC_DQBUF", 0, inQuotes(m_camera.path) + text});
    if (m_good.isMissed())
        setTrouble(m_camera.name + text);
    return {};
}

/// None after `cancel`.
Result<std::optional<FilledBuffer>> CameraSource::nextFrame()
{
    static const NameId kWait = internName("wait for the camera", Category::WaitInput, Purpose::Input);
    auto since = Clock::now();
    m_frames.enter();
    if (m_session && m_session->streaming() && m_anyFrame && since - m_lastRead > kAbsence)
        if (const Status discarded = discardOld(); !discarded.ok())
            JETSCOPE_TRY(lose(discarded.error()));
    while (!m_wake.raised()) {
        if (!m_session) {
            JETSCOPE_TRY(reconnect());
            since = Clock::now();
            continue;
        }
        Status ready = startStream();
        if (ready.ok())
            ready = takeBack();
        if (!ready.ok()) {
            JETSCOPE_TRY(lose(ready.error()));
            continue;
        }
        V4l2Syscalls::Wait waited = V4l2Syscalls::Wait::Ready;
        {
            const SpanScope span(kWait);
            waited = m_session->wait(m_wake, kTimeout);
        }
        if (waited == V4l2Syscalls::Wait::Woken)
            break;
        if (waited == V4l2Syscalls::Wait::Event) {
            const CameraSession::Events events = m_session->takeEvents();
            if (events == CameraSession::Events::OtherSize)
                JETSCOPE_TRY(lose(
                    Error{"V4L2_EVENT_SOURCE_CHANGE", 0, "its signal changed to another picture size: open it again"}));
            if (events != CameraSession::Events::None)
                continue;
            waited = V4l2Syscalls::Wait::Failed; // A camera that is gone announces events for ever, and has none.
        }
        if (waited == V4l2Syscalls::Wait::TimedOut) {
            JETSCOPE_TRY(noFrame(since));
            continue;
        }
        Result<std::optional<FilledBuffer>> filled = newest();
        if (filled.ok() && filled.value())
            return filled;
        if (!filled.ok() || waited == V4l2Syscalls::Wait::Failed)
            JETSCOPE_TRY(lose(filled.ok() ? cameraError(m_camera.path, "poll", EIO) : filled.error()));
    }
    return std::optional<FilledBuffer>();
}

Status CameraSource::startStream()
{
    if (m_session->streaming())
        return {};
    m_frames.restart();
    m_pairs.restart();
    m_good.restart();
    if (handsBuffersIn() || m_lent.way() == Lent::Nothing) {
        JETSCOPE_TRY(handsBuffersIn() ? m_session->startExternalBuffers() : m_session->startMapped());
        m_frames.queued(m_session->queue().size());
        return {};
    }
    JETSCOPE_TRY(m_lent.way() == Lent::Dmabufs ? m_session->startImported() : m_session->startUser());
    for (const LentBuffers::Buffer &buffer : m_lent.queued()) {
        JETSCOPE_TRY(m_session->queue().queue(buffer.memory, buffer.file));
        m_frames.queued();
    }
    return {};
}

/// The newest complete frame; older ones that were not read in time go back to the driver. Their numbers count them as
/// drops.
Result<std::optional<FilledBuffer>> CameraSource::newest()
{
    std::optional<FilledBuffer> best;
    for (std::size_t i = 0; i < m_session->queue().size(); ++i) {
        const Result<std::optional<FilledBuffer>> filled = m_session->queue().dequeue();
        if (!filled.ok())
            return best ? Result<std::optional<FilledBuffer>>(best) : filled;
        if (!filled.value())
            break;
        m_frames.taken(*filled.value());
        const CameraSession::Condition condition = m_session->conditionOf(*filled.value());
        if (condition != CameraSession::Condition::Whole) {
            const std::string why = condition == CameraSession::Condition::Torn
                ? "they are shorter than a picture"
                : "its driver marks them as damaged or leaves them empty";
            m_frames.damaged(*filled.value(), damageOf(*filled.value()));
            JETSCOPE_TRY(giveBack(filled.value()->index));
            JETSCOPE_TRY(countBad(condition, why));
            if (!m_session)
                return std::optional<FilledBuffer>();
            continue;
        }
        // Fields belong together in pairs, so none is passed over.
        if (m_session->alternates())
            return filled;
        if (best) {
            m_frames.passedOver(*best);
            JETSCOPE_TRY(giveBack(best->index));
        }
        best = filled.value();
    }
    return best;
}

/// After a pause the driver holds stale frames from before it ran out of buffers; drops them.
Status CameraSource::discardOld()
{
    m_pairs.restart();
    for (std::size_t i = 0; i < m_session->queue().size(); ++i) {
        JETSCOPE_TRY_ASSIGN(const std::optional<FilledBuffer> filled, m_session->queue().dequeue());
        if (!filled)
            break;
        m_frames.taken(*filled);
        m_frames.passedOver(*filled);
        JETSCOPE_TRY(giveBack(filled->index));
    }
    return {};
}

Status CameraSource::giveBack(std::uint32_t index)
{
    m_frames.queued();
    return m_session->queue().requeue(index);
}

Status CameraSource::noFrame(Clock::time_point since)
{
    const auto waited = Clock::now() - since;
    if (!m_anyFrame && waited >= kFirstFrame)
        return Error{inQuotes(m_info.uri), 0,
                     "the camera delivers no frames: plug it out and in again, or choose another size or format"};
    if (waited >= kStalled)
        return lose(cameraError(m_camera.path, "VIDIOC_DQBUF", ETIMEDOUT));
    if (m_anyFrame && waited >= std::chrono::seconds(2))
        setTrouble(m_camera.name + " has stopped to deliver frames; waiting for it");
    return {};
}

/// Closes a failed camera. Returns the error itself if the camera never delivered a frame.
Status CameraSource::lose(const Error &error)
{
    m_exchange.reset();
    m_session.reset();
    if (!m_anyFrame && !isCameraGone(error))
        return error;
    const bool gone = isCameraGone(error);
    const std::string what = m_camera.name + (gone ? " was unplugged" : " failed (" + error.text + ")");
    if (!m_gap)
        m_gap = SourceGap{m_good.lastNs() != 0 ? m_good.lastNs() : nowNs(), 0, what};
    setTrouble(what + (gone ? "; waiting for it to return" : "; trying again"));
    return {};
}

/// Waits until the camera is open again, or `cancel`. An error if it is connected but does not work.
Status CameraSource::reconnect()
{
    static const NameId kGone = internName("camera gone", Category::WaitInput, Purpose::Input);
    const SpanScope span(kGone);
    int pause = kShortestPause;
    int failures = 0;
    while (!m_wake.raised()) {
        Result<std::unique_ptr<CameraSession>> session = reopen();
        if (session.ok()) {
            m_session = std::move(session).value();
            m_camera.path = m_session->camera().path;
            return {};
        }
        if (!isCameraGone(session.error()) && ++failures >= kMaxFailures)
            return session.error();
        m_syscalls.wait(-1, m_wake.fd(), pause);
        pause = std::min(2 * pause, kLongestPause);
    }
    return {};
}

Result<std::unique_ptr<CameraSession>> CameraSource::reopen()
{
    std::optional<CameraDevice> device = findCamera(m_syscalls, m_camera);
    if (!device)
        return cameraError(m_camera.path, "open", ENODEV);
    CameraOptions same = m_options;
    same.size = {m_info.layout.width, m_info.layout.height};
    Result<std::unique_ptr<CameraSession>> session = CameraSession::open(std::move(*device), same, m_wake);
    if (session.ok() && !(session.value()->layout() == m_info.layout))
        return Error{inQuotes(m_info.uri), 0, "the camera came back with another picture format: open it again"};
    if (session.ok() && m_lent.way() == Lent::Addresses && !session.value()->reasonAgainstUser().empty())
        return Error{inQuotes(m_info.uri), 0,
                     "the camera came back and does not fill our memory any more: open it again"};
    return session;
}

} // namespace

Result<std::unique_ptr<FrameSource>> openCamera(V4l2Syscalls &kernel, const SourceUri &uri, const DmabufApi &api)
{
    JETSCOPE_TRY_ASSIGN(const CameraOptions read, readCameraOptions(uri));
    CameraOptions options = read;
    JETSCOPE_TRY_ASSIGN(CameraDevice device,
                        options.path.empty() ? openFirstCamera(kernel) : CameraDevice::open(kernel, options.path));
    const WakeSignal never; // The source does not exist yet, so it cannot be cancelled; the wait has a time-out.
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<CameraSession> session, CameraSession::open(std::move(device), options, never));
    const CameraMode &mode = session->mode();
    options.format = mode.format;

    SourceInfo info;
    info.uri = uri.text;
    info.layout = session->layout();
    info.fps = mode.fps;
    info.live = true;
    info.description = session->camera().name + " · " + std::to_string(info.layout.width) + "×"
        + std::to_string(info.layout.height) + " " + std::string(mode.format->name)
        + (info.fps > 0 ? " · " + rateText(info.fps) + " fps" : "");
    auto source = std::make_unique<CameraSource>(kernel, std::move(info), options, api);
    JETSCOPE_TRY(source->begin(std::move(session)));
    return std::unique_ptr<FrameSource>(std::move(source));
}

} // namespace jetscope
