// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/inspection.h"

#include "core/attach/format/calltable.h"
#include "core/attach/record/attachrecorder.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"
#include "gpu/attach/host/callsites.h"
#include "gpu/attach/host/leftprocesses.h"
#include "gpu/attach/host/programfile.h"
#include "gpu/attach/host/scheduleraccess.h"
#include "gpu/attach/host/schedulerfeed.h"
#include "gpu/pipeline/pipelinecontrol.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

/// A ring holds 650 ms of a thread that makes 100,000 calls a second.
constexpr std::chrono::milliseconds kDrainEvery{5};
constexpr double kFullEnough = 0.25; ///< Fuller than this, rings are read again at once.
constexpr std::int64_t kStateEveryNs = 250'000'000;
constexpr std::chrono::seconds kPatience{3}; ///< Of a program that was asked to end.
constexpr std::size_t kKeptOutput = 64 * 1024;
constexpr std::size_t kMostWaiting = 2'000'000; ///< Spans that were not fetched yet.

std::string endText(const ProgramEnd &end)
{
    if (end.signal != 0)
        return "The program was ended by signal " + std::to_string(end.signal) + ".";
    return "The program ended with exit code " + std::to_string(end.exitCode) + ".";
}

class InspectedControl final : public PipelineControl, public Inspection {
public:
    InspectedControl(AttachMemory memory, FrameWish frames, PipelineStatus status, HardwareTimes hardware,
                     std::optional<SchedulerFeed> scheduler)
        : m_memory(std::move(memory)),
          m_hardware(std::move(hardware)),
          m_scheduler(std::move(scheduler)),
          m_reader(m_memory),
          m_left(m_memory.address()),
          m_recorder(std::move(frames)),
          m_status(std::move(status))
    {
        m_state.command = m_status.source.uri;
        m_recorder.setConcurrentManagedAccess(m_hardware.concurrentManagedAccess);
        m_recorder.setPlaceNames([this](const CodePlace &place) { return m_placeNames.describe(place); });
    }
    ~InspectedControl() override
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_closing = true;
        }
        m_changed.notify_all();
        if (m_thread.joinable())
            m_thread.join();
        if (m_namer.joinable())
            m_namer.join();
    }

    Status begin(ProgramStart start)
    {
        start.memory = m_memory.address();
        JETSCOPE_TRY_ASSIGN(m_program, AttachedProgram::start(start));
        m_thread = std::thread([this] { work(); });
        m_namer = std::thread([this] { nameSites(); });
        return {};
    }

    void post(PipelineCommand command) override
    {
        if (command.kind == PipelineCommand::Kind::SetPaused)
            m_paused = command.on;
    }
    PipelineUpdate drainUpdates() override
    {
        const std::scoped_lock lock(m_mutex);
        return std::exchange(m_update, {});
    }
    void setSink(std::shared_ptr<TraceSink> sink) override
    {
        const std::scoped_lock lock(m_sinkMutex, m_mutex);
        m_sink = std::move(sink);
        if (!m_sink)
            return;
        m_sink->take(m_head.asUpdate());
        m_sink->take(m_update);
    }
    PipelineStatus status() const override
    {
        const std::scoped_lock lock(m_mutex);
        return m_status;
    }
    void waitForEnd() override
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_status.state == PipelineState::Ended; });
    }
    FramePort *framePort() override { return nullptr; }
    Inspection *inspection() override { return this; }

    InspectionState state() const override
    {
        const std::scoped_lock lock(m_mutex);
        return m_state;
    }
    void endProgram() override { ++m_endAsked; }

private:
    void work();
    void setRecording(bool on);
    void readOutput();
    void publish(bool last);
    void describe(InspectionState &state) const;
    std::vector<TraceFact> facts() const;
    void pass(TraceUpdate made);
    HardwareReport hardware() const;
    std::optional<SchedulerState> scheduler() const;
    bool sawGl() const;
    void nameSites();
    void signalProgram();
    void sendSignal(int number);
    bool isOver();
    void tellEnd();
    void endNow();

    // The thread's own.
    AttachMemory m_memory;
    const HardwareTimes m_hardware;
    std::optional<SchedulerFeed> m_scheduler; ///< Until the program has ended.
    std::unique_ptr<AttachedProgram> m_program;
    RingReader m_reader; ///< Made before the program starts: older records are impossible.
    LeftProcesses m_left;
    AttachRecorder m_recorder;
    CallSites m_placeNames; ///< Of the thread that records; for frames by a place.
    bool m_recording = true;
    int m_signalled = 0; ///< Requests to end that were passed on.
    std::int64_t m_stateNs = 0;
    std::vector<SpanName> m_names; ///< All that were said.
    std::vector<TraceFact> m_facts;

    std::mutex m_sinkMutex; ///< For the members below.
    TraceHead m_head;
    std::shared_ptr<TraceSink> m_sink;

    std::atomic<bool> m_paused = false;
    std::atomic<bool> m_closing = false;
    std::atomic<int> m_endAsked = 0;

    mutable std::mutex m_mutex; ///< For the members below.
    std::condition_variable m_changed;
    PipelineUpdate m_update;
    PipelineStatus m_status;
    InspectionState m_state;
    std::vector<WasteFinding> m_unnamed; ///< Findings without the names of their places.
    bool m_hasUnnamed = false;

    std::thread m_thread;
    std::thread m_namer; ///< Reads the program's files, which may take long.
};

/// The library goes on recording, because threads and CUDA that begin meanwhile would be missing afterwards, and what
/// the program allocates is to be known.
void InspectedControl::setRecording(bool on)
{
    if (on == m_recording)
        return;
    m_recording = on;
    const std::int64_t ns = nowNs();
    m_recorder.setRecording(on, ns);
    m_reader.setGpuRecording(on, ns);
    const std::scoped_lock lock(m_mutex);
    m_status.state = on ? PipelineState::Running : PipelineState::Paused;
}

void InspectedControl::readOutput()
{
    std::array<char, 16 * 1024> bytes{};
    for (ssize_t got; (got = ::read(m_program->output(), bytes.data(), bytes.size())) > 0;) {
        const std::scoped_lock lock(m_mutex);
        std::string &kept = m_state.output;
        kept.append(bytes.data(), static_cast<std::size_t>(got));
        if (kept.size() > kKeptOutput)
            kept.erase(0, kept.size() - kKeptOutput);
        m_state.outputBytes += static_cast<std::uint64_t>(got);
    }
}

HardwareReport InspectedControl::hardware() const
{
    HardwareReport report;
    report.plan = m_hardware;
    report.processes = m_reader.gpuProcesses();
    report.hasBounds = m_recorder.gpu().hasBounds();
    return report;
}

std::optional<SchedulerState> InspectedControl::scheduler() const
{
    if (!m_scheduler)
        return std::nullopt;
    const SchedulerTrace &trace = m_recorder.scheduler();
    SchedulerState state{
        m_scheduler->path(),    m_scheduler->refusal(m_recorder), {}, trace.lines(), trace.lost(), trace.groups(),
        trace.engines().work(), trace.contexts().contexts()};
    if (trace.lines() == 0)
        if (const Result<std::string> command = schedulerCommand(m_scheduler->path()); command.ok())
            state.command = command.value();
    return state;
}

bool InspectedControl::sawGl() const
{
    for (std::uint16_t number = 1; const AttachCall *call = attachCall(number); ++number)
        if (isOfGl(*call) && m_recorder.calls()[number] > 0)
            return true;
    return false;
}

void InspectedControl::publish(bool last)
{
    TraceUpdate made = m_recorder.take();
    const std::int64_t now = nowNs();
    const bool due = last || now - m_stateNs >= kStateEveryNs;
    std::vector<WasteFinding> findings;
    if (due) {
        m_stateNs = now;
        findings = m_recorder.findings();
    }
    std::optional<SchedulerState> told = due ? scheduler() : std::nullopt;
    if (due)
        appendChangedFacts(made, facts(), m_facts);
    pass(std::move(made));
    const std::scoped_lock lock(m_mutex);
    m_status.frames = m_recorder.frames();
    m_state.frames = m_recorder.frames();
    m_state.recorded = m_reader.recorded();
    m_state.lost = m_reader.lost();
    m_state.unhooked = m_reader.unhooked();
    m_state.stopping = m_signalled > 0;
    if (!due)
        return;
    m_unnamed = std::move(findings);
    m_hasUnnamed = true;
    m_changed.notify_all();
    m_state.scheduler = std::move(told);
    describe(m_state);
    m_state.sawGl = sawGl();
    m_state.sawCalls = !m_reader.threads().empty();
}

/// How the trace is made.
void InspectedControl::describe(InspectionState &state) const
{
    state.frameSource = m_recorder.frameSource();
    state.frameNote = m_recorder.frameNote();
    const HardwareReport gpu = hardware();
    state.gpuTime = gpu.source();
    state.gpuTimeReason = gpu.refusal();
    state.lost = m_reader.lost();
}

std::vector<TraceFact> InspectedControl::facts() const
{
    InspectionState state;
    describe(state);
    return factsOf(state);
}

/// To the sink and to the owner.
void InspectedControl::pass(TraceUpdate made)
{
    appendNewNames(made, m_names); // Behind the spans, so that each of them has its name.
    const std::scoped_lock sinkLock(m_sinkMutex);
    m_head.add(made);
    if (m_sink)
        m_sink->take(made);
    const std::scoped_lock lock(m_mutex);
    append(m_update, std::move(made), kMostWaiting);
}

void InspectedControl::nameSites()
{
    CallSites names;
    std::unique_lock lock(m_mutex);
    while (!m_closing) {
        m_changed.wait(lock, [this] { return m_hasUnnamed || m_closing; });
        std::vector<WasteFinding> findings = std::move(m_unnamed);
        m_hasUnnamed = false;
        lock.unlock();
        for (WasteFinding &finding : findings)
            if (const std::string places = m_closing ? std::string() : sitesText(finding, names); !places.empty())
                finding.text += "; called by " + places;
        lock.lock();
        m_state.findings = std::move(findings);
    }
}

void InspectedControl::signalProgram()
{
    const int asked = m_endAsked;
    if (m_signalled == asked)
        return;
    sendSignal(asked > 1 ? SIGKILL : SIGTERM);
    m_signalled = asked;
}

/// To the program, or to what it has left.
void InspectedControl::sendSignal(int number)
{
    if (!m_program->ended())
        m_program->signal(number);
    else
        for (const pid_t pid : m_left.find(m_reader))
            ::kill(pid, number);
}

/// Nothing else would end the program, which has neither a terminal nor a reader of its output any more.
void InspectedControl::endNow()
{
    const bool hasEnded = m_program->ended().has_value();
    const auto isGone = [&] { return hasEnded ? m_left.find(m_reader).empty() : m_program->ended().has_value(); };
    sendSignal(SIGTERM);
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!isGone() && std::chrono::steady_clock::now() < until) {
        readOutput();
        std::this_thread::sleep_for(kDrainEvery);
    }
    if (isGone())
        return;
    sendSignal(SIGKILL);
    while (!m_program->ended())
        std::this_thread::sleep_for(kDrainEvery);
}

bool InspectedControl::isOver()
{
    return m_closing || (m_program->ended() && !m_left.goOn(m_reader, m_recording, nowNs()));
}

void InspectedControl::work()
{
    bool last = false;
    while (!last) {
        if (m_reader.fullest() < kFullEnough)
            std::this_thread::sleep_for(kDrainEvery);
        setRecording(!m_paused);
        signalProgram();
        last = isOver(); // Before reading what it left.
        if (last)
            m_memory.setQuiet(true);
        m_recorder.read(m_reader, last);
        if (m_scheduler)
            m_scheduler->take(m_recorder, last, [this] { return m_closing.load(); });
        readOutput();
        publish(last);
    }
    m_scheduler.reset(); // So that jetscope-sched ends, too.
    if (m_closing) {
        endNow();
        return;
    }
    tellEnd();
    constexpr std::chrono::milliseconds kReadEvery{50};
    for (; m_left.areSilent() && !m_closing; std::this_thread::sleep_for(kReadEvery))
        readOutput(); // What the program left would wait for ever for a reader.
}

void InspectedControl::tellEnd()
{
    const std::string left = m_left.note();
    const std::scoped_lock lock(m_mutex);
    m_state.end = m_program->ended();
    m_status.state = PipelineState::Ended;
    PipelineNotice notice;
    notice.kind = PipelineNotice::Kind::Ended;
    notice.frame = static_cast<std::uint32_t>(m_status.frames);
    notice.timeNs = nowNs();
    notice.text = endText(*m_state.end) + (left.empty() ? left : " T" + left.substr(1) + ".");
    m_update.notices.push_back(std::move(notice));
    m_changed.notify_all();
}

/// Paths are relative to the program's folder.
std::string placeOf(const std::string &program, const std::string &folder)
{
    if (folder.empty() || program.find('/') == std::string::npos)
        return program;
    return (std::filesystem::path(folder) / program).string();
}

} // namespace

Result<std::unique_ptr<PipelineControl>> inspectProgram(const ProgramWish &wish, const std::string &library,
                                                        const HardwareTimes &hardware, const PipelineConfig &config)
{
    if (wish.command.empty())
        return sentence("there is no program to inspect: give the path of a program, or its name in PATH");
    std::error_code unknown;
    if (!wish.folder.empty() && !std::filesystem::is_directory(wish.folder, unknown))
        return sentence("the working folder " + quotedWords(wish.folder) + " does not exist: choose another one");
    JETSCOPE_TRY_ASSIGN(const FrameWish frames, parseFrameWish(wish.frames));
    JETSCOPE_TRY_ASSIGN(const std::string file, findProgram(placeOf(wish.command.front(), wish.folder)));
    std::optional<SchedulerFeed> scheduler;
    if (!wish.scheduler.empty()) {
        JETSCOPE_TRY_ASSIGN(SchedulerFeed feed, SchedulerFeed::open(wish.scheduler));
        scheduler.emplace(std::move(feed));
    }
    JETSCOPE_TRY_ASSIGN(AttachMemory memory, AttachMemory::create(0));
    PipelineStatus status;
    status.wallClockOffsetNs = wallClockOffsetNs();
    status.state = PipelineState::Running;
    status.inspected = true;
    status.config = config;
    status.facts.name = kInspectedDevice;
    status.source.uri = status.source.description = commandLineOf(wish.command);
    std::vector<std::string> environment = hardware.variables;
    environment.insert(environment.end(), wish.environment.begin(), wish.environment.end());
    auto control = std::make_unique<InspectedControl>(std::move(memory), frames, std::move(status), hardware,
                                                      std::move(scheduler));
    JETSCOPE_TRY(control->begin({std::filesystem::absolute(file, unknown).string(),
                                 wish.command,
                                 library,
                                 {},
                                 std::move(environment),
                                 wish.folder,
                                 true}));
    return std::unique_ptr<PipelineControl>(std::move(control));
}

std::vector<TraceFact> factsOf(const InspectionState &state)
{
    std::vector<TraceFact> facts = {{"frames_by", state.frameSource.empty() ? state.frameNote : state.frameSource},
                                    {"gpu_time", state.gpuTime},
                                    {"calls_lost", std::to_string(state.lost)}};
    if (!state.gpuTimeReason.empty())
        facts.emplace_back("gpu_time_reason", state.gpuTimeReason);
    return facts;
}

std::string commandLineOf(const std::vector<std::string> &words)
{
    std::string line;
    for (const std::string &word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

} // namespace jetscope
