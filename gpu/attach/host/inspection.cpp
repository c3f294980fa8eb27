// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/inspection.h"

#include "core/attach/format/calltable.h"
#include "core/board/boardfactrows.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"
#include "gpu/attach/host/callsites.h"
#include "gpu/attach/host/programfile.h"
#include "gpu/pipeline/pipelinecontrol.h"

#include <array>
#include <atomic>
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

constexpr std::chrono::milliseconds kLookEvery{5}; ///< For the end of a program that was asked to end.
constexpr std::int64_t kStateEveryNs = 250'000'000;
constexpr std::chrono::seconds kPatience{3}; ///< Of a program that was asked to end.
constexpr std::size_t kKeptOutput = 64 * 1024;
constexpr std::size_t kMaxWaiting = 2'000'000; ///< Spans that were not fetched yet.

std::string endText(const ProgramEnd &end)
{
    if (end.signal != 0)
        return "The program was ended by signal " + std::to_string(end.signal) + ".";
    return "The program ended with exit code " + std::to_string(end.exitCode) + ".";
}

class InspectedControl final : public PipelineControl, public Inspection {
public:
    InspectedControl(std::unique_ptr<ProgramRecording> program, PipelineStatus status)
        : m_program(std::move(program)), m_status(std::move(status))
    {
        m_state.command = m_status.source.uri;
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

    Status begin(const HardwareTimes &hardware)
    {
        JETSCOPE_TRY(m_program->start(hardware));
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
    void work()
    {
        for (bool last = false; !last;) {
            m_program->await();
            if (const bool on = !m_paused; m_program->setRecording(on, nowNs())) {
                const std::scoped_lock lock(m_mutex);
                m_status.state = on ? PipelineState::Running : PipelineState::Paused;
            }
            signalProgram();
            last = m_closing || m_program->isOver(!m_program->isRecording()); // Before reading what it left.
            TraceUpdate made = m_program->take(last, [this] { return m_closing.load(); });
            readOutput();
            publish(std::move(made), last);
        }
        m_program->closeScheduler();
        if (m_closing) {
            endNow();
            return;
        }
        tellEnd();
        constexpr std::chrono::milliseconds kReadEvery{50};
        for (; m_program->left().areSilent() && !m_closing; std::this_thread::sleep_for(kReadEvery))
            readOutput(); // What the program left would wait for ever for a reader.
    }

    void readOutput()
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

    void publish(TraceUpdate made, bool last)
    {
        const AttachRecorder &recorder = m_program->recorder();
        const RingReader &reader = m_program->reader();
        const std::int64_t now = nowNs();
        const bool due = last || now - m_stateNs >= kStateEveryNs;
        std::vector<WasteFinding> findings;
        std::optional<SchedulerState> told;
        if (due) {
            m_stateNs = now;
            findings = recorder.findings();
            told = m_program->scheduler();
            appendChangedFacts(made, m_program->facts(), m_facts);
            const std::vector<TraceFact> board = std::exchange(m_board, {});
            made.facts.insert(made.facts.end(), board.begin(), board.end());
        }
        pass(std::move(made));
        const std::scoped_lock lock(m_mutex);
        m_status.frames = m_state.frames = recorder.frames();
        m_state.recorded = reader.recorded();
        m_state.lost = reader.lost();
        m_state.unhooked = reader.unhooked();
        m_state.stopping = m_signalled > 0;
        if (!due)
            return;
        m_unnamed = std::move(findings);
        m_hasUnnamed = true;
        m_changed.notify_all();
        m_state.scheduler = std::move(told);
        m_state.frameSource = recorder.frameSource();
        m_state.frameNote = recorder.frameNote();
        const HardwareReport gpu = m_program->hardware();
        m_state.gpuTime = gpu.source();
        m_state.gpuTimeReason = gpu.refusal();
        m_state.sawGl = sawGl();
        m_state.sawCalls = !reader.threads().empty();
    }

    /// To the sink and to the owner.
    void pass(TraceUpdate made)
    {
        appendNewNames(made, m_names); // Behind the spans, so that each of them has its name.
        const std::scoped_lock sinkLock(m_sinkMutex);
        m_head.add(made);
        if (m_sink)
            m_sink->take(made);
        const std::scoped_lock lock(m_mutex);
        append(m_update, std::move(made), kMaxWaiting);
    }

    bool sawGl() const
    {
        for (std::uint16_t number = 1; const AttachCall *call = attachCall(number); ++number)
            if (isOfGl(*call) && m_program->recorder().calls()[number] > 0)
                return true;
        return false;
    }

    void nameSites()
    {
        CallSites names;
        std::unique_lock lock(m_mutex);
        while (!m_closing) {
            m_changed.wait(lock, [this] { return m_hasUnnamed || m_closing; });
            std::vector<WasteFinding> findings = std::move(m_unnamed);
            m_hasUnnamed = false;
            lock.unlock();
            for (WasteFinding &finding : findings)
                if (!m_closing)
                    addSites(finding, names);
            lock.lock();
            m_state.findings = std::move(findings);
        }
    }

    void signalProgram()
    {
        const int asked = m_endAsked;
        if (m_signalled == asked)
            return;
        m_program->signal(asked > 1 ? SIGKILL : SIGTERM);
        m_signalled = asked;
    }

    void tellEnd()
    {
        const std::string left = m_program->left().note();
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

    /// Nothing else would end the program, which has neither a terminal nor a reader of its output any more.
    void endNow()
    {
        const bool hasEnded = m_program->ended().has_value();
        const auto isGone = [&] { return hasEnded ? m_program->leftNothing() : m_program->ended().has_value(); };
        m_program->signal(SIGTERM);
        const auto until = std::chrono::steady_clock::now() + kPatience;
        while (!isGone() && std::chrono::steady_clock::now() < until) {
            readOutput();
            std::this_thread::sleep_for(kLookEvery);
        }
        if (isGone())
            return;
        m_program->signal(SIGKILL);
        while (!m_program->ended())
            std::this_thread::sleep_for(kLookEvery);
    }

    // The thread's own.
    const std::unique_ptr<ProgramRecording> m_program;
    int m_signalled = 0; ///< Requests to end that were passed on.
    std::int64_t m_stateNs = 0;
    std::vector<SpanName> m_names;                    ///< All that were said.
    std::vector<TraceFact> m_board = boardFactRows(); ///< Of this machine; said once.
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
    RecordingWish recorded{{std::filesystem::absolute(file, unknown).string(),
                            wish.command,
                            library,
                            {},
                            wish.environment,
                            wish.folder,
                            true},
                           frames,
                           wish.scheduler.empty() ? std::nullopt : std::optional(wish.scheduler)};
    JETSCOPE_TRY_ASSIGN(auto program, ProgramRecording::create(std::move(recorded)));
    PipelineStatus status;
    status.wallClockOffsetNs = wallClockOffsetNs();
    status.state = PipelineState::Running;
    status.inspected = true;
    status.config = config;
    status.facts.name = kInspectedDevice;
    status.source.uri = status.source.description = commandLineOf(wish.command);
    auto control = std::make_unique<InspectedControl>(std::move(program), std::move(status));
    JETSCOPE_TRY(control->begin(hardware));
    return std::unique_ptr<PipelineControl>(std::move(control));
}

} // namespace jetscope
