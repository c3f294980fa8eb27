// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/session.h"

#include "core/stream/latespansource.h"
#include "gpu/sources/severaladdress.h"
#include "ui/session/traceheader.h"

#include <QCoreApplication>
#include <QPointer>

#include <utility>

namespace jetscope {

namespace {

constexpr int kPollMs = 33;
constexpr int kIdlePollMs = 100;        ///< While no frames arrive.
constexpr qint64 kFiguresEveryMs = 250; ///< Faster updates are unreadable.
constexpr std::uint32_t kFramesInPath = 120;

} // namespace

Session::Session(PipelineOpener openPipeline, SessionRequest request, QObject *parent)
    : QObject(parent),
      m_openPipeline(std::move(openPipeline)),
      m_request(std::move(request)),
      m_wanted(askedConfig(m_request)),
      m_paths(kFramesInPath)
{
    m_timer.setInterval(kPollMs);
    connect(&m_timer, &QTimer::timeout, this, &Session::poll);
    m_timer.start();
}

Session::~Session()
{
    emit closing();
    // Its end waits for threads, and this thread must not wait for them without a limit.
    auto old = std::make_shared<std::unique_ptr<PipelineControl>>(std::move(m_pipeline));
    m_background.start([old] { old->reset(); });
}

void Session::setPolling(bool on)
{
    on ? m_timer.start() : m_timer.stop();
}

void Session::open()
{
    // Choices that the user made meanwhile override the initial request.
    openWith(m_pipeline ? std::optional(m_wanted) : std::nullopt);
}

void Session::openOther(SessionRequest request)
{
    m_request = std::move(request);
    m_wanted = askedConfig(m_request);
    m_wantedSource.reset();
    m_choicesBeforeScene.reset();
    openWith(std::nullopt);
}

void Session::inspect(const ProgramWish &program)
{
    m_request.program = program;
    confirm();
    open();
}

void Session::startScene(const std::string &name)
{
    if (!m_choicesBeforeScene)
        m_choicesBeforeScene = m_pipeline ? m_wanted : askedConfig(m_request);
    if (m_phase == Phase::Idle || m_phase == Phase::Failed) {
        m_request.source = kDefaultSource;
        confirm();
    }
    m_request.scene = name;
    m_request.program.reset();
    openWith(m_choicesBeforeScene);
}

void Session::stopScene()
{
    m_request.scene.clear();
    openWith(std::exchange(m_choicesBeforeScene, std::nullopt));
}

/// Without choices, those of the request.
void Session::openWith(const std::optional<PipelineConfig> &choices)
{
    if (choices) {
        m_request.config = *choices;
        m_request.fixed.clear();
    }
    if (!m_holdReason.isEmpty()) {
        closeForHold();
        return;
    }
    emit closing();
    m_phase = Phase::Opening;
    // Results and the old pipeline are held by shared pointers, because closures must be copyable.
    auto old = std::make_shared<std::unique_ptr<PipelineControl>>(std::move(m_pipeline));
    startTrace(Trace(m_mostSpans));
    m_present.setFigures({}); // Those of what was open before must not look like those of what is opened.
    emit figuresChanged();
    emit statusChanged();
    if (m_request.asksFirst) { // The open source was another one.
        m_background.start([old] { old->reset(); });
        fail(questionOf(m_request));
        return;
    }
    m_background.start([this, old, open = m_openPipeline, request = m_request](const Worker::Reply &reply) {
        old->reset();
        auto result = std::make_shared<Result<std::unique_ptr<PipelineControl>>>(open(request));
        reply.post([this, result] { pipelineOpened(std::move(*result)); });
    });
}

void Session::holdClosed(const QString &reason)
{
    m_holdReason = reason;
    m_pauseWhenOpen = m_pipeline && m_status.state == PipelineState::Paused;
    if (m_pipeline) {
        m_request.config = m_wanted;
        m_request.fixed.clear();
    }
    if (m_phase != Phase::File)
        closeForHold();
    // Twice through the event loop: a pipeline that was just being opened is destroyed by a job that starts on the way.
    const auto afterClosing = [this](const std::function<void()> &next) {
        m_background.start([next](const Worker::Reply &reply) { reply.post(next); });
    };
    afterClosing([this, afterClosing] { afterClosing([this] { emit held(); }); });
}

void Session::closeForHold()
{
    emit closing();
    m_phase = Phase::Held;
    auto old = std::make_shared<std::unique_ptr<PipelineControl>>(std::move(m_pipeline));
    startTrace(Trace(m_mostSpans));
    m_background.start([old] { old->reset(); });
    m_present.setFigures({}); // Old figures must not look like those of the measurement.
    emit figuresChanged();
    emit statusChanged();
}

void Session::letOpen()
{
    m_holdReason.clear();
    if (m_phase == Phase::Held)
        openWith(std::nullopt);
}

void Session::startTrace(Trace trace)
{
    m_hold.reset();
    ++m_traceRun;
    m_heldUpdates.clear();
    m_heldNotes.reset();
    m_trace = std::move(trace);
    m_coarse.clear();
    m_present.restart();
    m_figuresStale = true;
    m_paths.clear();
    m_head.clear();
    m_path = {};
    m_verdict = {};
    m_spansLost = 0;
    m_missedSpans = 0;
    emit traceRestarted();
}

void Session::showTrace(Trace trace, const std::optional<TraceSummary> &summary)
{
    emit closing();
    if (m_pipeline)
        m_request.config = m_wanted;
    m_request.program.reset(); // "Back to live" must not start it again.
    m_phase = Phase::File;
    auto old = std::make_shared<std::unique_ptr<PipelineControl>>(std::move(m_pipeline));
    startTrace(std::move(trace));
    m_background.start([old] { old->reset(); });
    if (summary) {
        m_path = summary->path;
        m_verdict = verdictOf(m_path);
    }
    emit statusChanged();
    m_present.setFigures(summary ? summary->figures : RunFigures());
    emit figuresChanged();
}

void Session::takeDistant()
{
    if (m_trace.distant() && m_trace.distant()->takeInto(m_trace))
        emit polled();
}

void Session::fail(const Error &error)
{
    m_phase = Phase::Failed;
    m_failure = error;
    emit failed();
    emit statusChanged();
}

void Session::setMostSpans(std::uint64_t mostSpans)
{
    m_mostSpans = mostSpans;
    applyMostSpans();
}

void Session::applyMostSpans()
{
    if (isLive() && !isHeld())
        m_trace.setMostSpans(m_mostSpans);
}

void Session::addThumbnail(const Thumbnail &thumbnail)
{
    if (isHeld())
        return; // The next one follows soon.
    m_trace.add(thumbnail);
    emit thumbnailAdded(thumbnail);
}

void Session::pipelineOpened(Result<std::unique_ptr<PipelineControl>> result)
{
    if (m_phase == Phase::File || m_phase == Phase::Held) { // Meanwhile.
        if (result.ok()) {
            auto unwanted = std::make_shared<std::unique_ptr<PipelineControl>>(std::move(result).value());
            m_background.start([unwanted] { unwanted->reset(); });
        }
        return;
    }
    if (!result.ok()) {
        fail(result.error());
        return;
    }
    m_pipeline = std::move(result).value();
    m_status = m_pipeline->status();
    m_phase = m_status.inspected ? Phase::Inspecting : Phase::Open;
    m_wanted = m_status.config;
    m_changePending = false;
    m_wantedHeld = false;
    m_wantedSource.reset();
    nameOrigin();
    emit opened();
    m_pipeline->collectAlone(); // A recording from the start is there by now.
    emit wantedChanged();
    emit statusChanged();
    if (std::exchange(m_pauseWhenOpen, false))
        setPaused(true);
}

void Session::nameOrigin()
{
    if (!m_pipeline || isHeld())
        return;
    TraceOrigin origin;
    origin.clocks = m_trace.origin().clocks;
    origin.device = m_status.facts.name;
    origin.source = m_status.source.uri;
    origin.program = "Jetscope " + QCoreApplication::applicationVersion().toStdString();
    origin.wallClockOffsetNs = m_status.wallClockOffsetNs;
    TraceFileHeader header = traceHeaderOf(std::move(origin), m_status);
    for (const TraceFact &fact : header.facts)
        m_trace.setFact(fact);
    m_trace.setOrigin(std::move(header.origin));
}

void Session::meetClock(const ClockMeeting &meeting)
{
    if (!m_pipeline || isHeld() || m_trace.origin().clocks.size() >= kMostClockMeetings)
        return;
    TraceOrigin origin = m_trace.origin();
    origin.clocks.push_back(meeting);
    m_trace.setOrigin(std::move(origin));
}

void Session::poll()
{
    if (!m_pipeline)
        return;
    takeStatus();
    drainUpdates(m_pipeline->drainUpdates());
    takeMissing();
    emit polled();
    if (m_figuresStale && (!m_figuresAge.isValid() || m_figuresAge.elapsed() >= kFiguresEveryMs)) {
        m_figuresAge.start();
        m_figuresStale = false;
        updateFigures();
    }
}

void Session::takeStatus()
{
    PipelineStatus status = m_pipeline->status();
    const bool differs = status.state != m_status.state || !(status.config == m_status.config)
        || status.facts.id != m_status.facts.id || status.source.description != m_status.source.description
        || status.waitInForce != m_status.waitInForce || status.source.uri != m_status.source.uri;
    m_figuresStale |= differs || status.frames != m_status.frames;
    if (status.source.uri != m_status.source.uri && m_wantedSource)
        m_request.source = *std::exchange(m_wantedSource, std::nullopt);
    m_status = std::move(status);
    if (differs)
        nameOrigin();
    if (const int interval = m_status.state == PipelineState::Running ? kPollMs : kIdlePollMs;
        m_timer.interval() != interval)
        m_timer.setInterval(interval);
    m_changePending = m_changePending && !(m_status.config == m_wanted);
    if (!m_changePending)
        followConfig();
    if (differs)
        emit statusChanged();
}

/// Without a pending change, the wanted configuration follows the actual one.
void Session::followConfig()
{
    if (m_wantedHeld || m_wanted == m_status.config)
        return;
    m_wanted = m_status.config;
    emit wantedChanged();
}

/// After release, the pipeline is changed back to the wanted configuration.
void Session::holdWanted(bool hold)
{
    m_wantedHeld = hold;
    m_changePending = !hold && !(m_status.config == m_wanted);
}

void Session::drainUpdates(PipelineUpdate update)
{
    emit updatesDrained(update);
    m_figuresStale |= !update.figures.empty() || !update.path.empty() || !update.notices.empty();
    m_paths.add(update.path, update.pathGains);
    m_head.add(update);
    if (isHeld())
        m_heldUpdates.push_back(update);
    else
        addToTrace(update);
    m_present.add(update.figures);
    m_spansLost += update.spansLost;
    m_missedSpans += update.missedSpans;
    for (const PipelineNotice &notice : update.notices)
        take(notice);
    if (!update.answers.empty())
        emit answered(update.answers.back());
}

void Session::take(const PipelineNotice &notice)
{
    if (notice.kind == PipelineNotice::Kind::Switched) {
        m_present.changed(notice.frame, notice.counts);
        m_figuresAge.invalidate();
    }
    if (notice.kind == PipelineNotice::Kind::Refused) {
        m_changePending = false;
        followConfig();
    }
    emit noticed(notice);
}

void Session::addToTrace(const TraceUpdate &update)
{
    addValues(m_trace, update);
    for (const TraceMark &mark : update.marks)
        m_trace.add(mark);
}

void Session::takeMissing()
{
    LateSpanSource *const missing = m_pipeline->missing();
    if (!missing)
        return;
    missing->wantMissing(m_seen, m_seenNsPerPixel);
    if (isHeld())
        return;
    if (const std::vector<Span> late = missing->takeMissing(); !late.empty())
        m_trace.insert(late);
    m_trace.setMissing(missing->missingTimes());
    for (CoarseSpans &coarse : missing->takeCoarse())
        if (!m_coarse.add(std::move(coarse), m_trace))
            missing->forgetCoarse();
    m_coarse.keepWithin(m_trace.missing());
}

void Session::setNotes(std::vector<TraceNote> notes)
{
    if (isHeld())
        m_heldNotes = std::move(notes);
    else
        m_trace.setNotes(std::move(notes));
}

std::shared_ptr<void> Session::holdTrace()
{
    std::shared_ptr<void> hold = m_hold.lock();
    if (!hold) {
        const auto release = [session = QPointer<Session>(this), run = m_traceRun](void *) {
            if (session && session->m_traceRun == run)
                session->releaseTrace();
        };
        hold = std::shared_ptr<void>(this, release);
        m_hold = hold;
    }
    return hold;
}

void Session::releaseTrace()
{
    applyMostSpans();
    for (const TraceUpdate &update : std::exchange(m_heldUpdates, {}))
        addToTrace(update);
    if (m_heldNotes)
        m_trace.setNotes(*std::exchange(m_heldNotes, std::nullopt));
    nameOrigin();
}

void Session::updateFigures()
{
    m_present.update();
    if (isLive() && figures().frames > 0) {
        constexpr auto kWarmUp = static_cast<std::uint32_t>(StatisticsMethod().warmUp);
        PathSums sums = m_paths.sums(m_present.firstFrame() + kWarmUp);
        if (sums.frames() == 0)
            sums = m_paths.sums(m_present.firstFrame());
        m_path = sums.summary([this](std::uint32_t name) { return m_head.name(name); },
                              [this](LaneId id) { return m_head.lane(id); });
        m_verdict = m_status.inspected ? verdictOf(m_path) : verdictOf(m_path, m_status.config, m_status.facts);
    }
    emit figuresChanged();
}

void Session::change(const PipelineConfig &config)
{
    if (!m_pipeline || config == m_wanted)
        return;
    m_wanted = config;
    m_changePending = true;
    emit wantedChanged();
    m_pipeline->change(config);
}

void Session::changeDevice(const std::string &deviceId)
{
    m_request.deviceId = deviceId;
    if (!m_pipeline || m_request.program) {
        m_request.program.reset();
        open();
        return;
    }
    m_changePending = false; // The new device determines which configuration is possible.
    m_pipeline->changeDevice(deviceId, m_wanted);
}

void Session::changeSource(const std::string &uri)
{
    // Of several sources that are open, the others go on when one ended or failed.
    const bool hasEnded = m_status.state == PipelineState::Ended || m_status.state == PipelineState::Failed;
    if (!m_pipeline || m_request.program || (hasEnded && !areOpenTogether(m_status.source.uri, uri))) {
        m_request.program.reset();
        m_request.source = uri;
        confirm();
        open();
        return;
    }
    m_wantedSource = uri;
    m_pipeline->changeSource(uri);
}

void Session::setPaused(bool paused)
{
    if (m_pipeline)
        m_pipeline->setPaused(paused);
}

void Session::step()
{
    if (!m_pipeline)
        return;
    if (m_status.state != PipelineState::Paused)
        m_pipeline->setPaused(true);
    m_pipeline->step();
}

} // namespace jetscope
