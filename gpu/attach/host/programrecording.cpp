// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/programrecording.h"

#include "core/time/clock.h"
#include "gpu/attach/host/scheduleraccess.h"

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace jetscope {

namespace {

/// A ring holds 650 ms of a thread that makes 100,000 calls a second.
constexpr std::chrono::milliseconds kDrainEvery{5};
/// Fuller than this, rings are read again at once: the program is faster than that, or this process was late.
constexpr double kFullEnough = 0.25;

} // namespace

Result<std::unique_ptr<ProgramRecording>> ProgramRecording::create(RecordingWish wish)
{
    JETSCOPE_TRY_ASSIGN(AttachMemory memory,
                        AttachMemory::create((wish.onlyProgram ? JSA_OPTION_NO_CHILDREN : 0)
                                             | (wish.watchReads ? JSA_OPTION_WATCH_READS : 0)));
    std::optional<SchedulerFeed> scheduler;
    if (wish.scheduler) {
        JETSCOPE_TRY_ASSIGN(SchedulerFeed feed, SchedulerFeed::open(*wish.scheduler));
        scheduler.emplace(std::move(feed));
    }
    return std::unique_ptr<ProgramRecording>(
        new ProgramRecording(std::move(wish), std::move(memory), std::move(scheduler)));
}

ProgramRecording::ProgramRecording(RecordingWish wish, AttachMemory memory, std::optional<SchedulerFeed> scheduler)
    : m_memory(std::move(memory)),
      m_start(std::move(wish.program)),
      m_scheduler(std::move(scheduler)),
      m_reader(m_memory),
      m_left(wish.onlyProgram ? std::string() : m_memory.address()),
      m_recorder(std::move(wish.frames))
{
    m_start.memory = m_memory.address();
    m_recorder.setPlaceNames([this](const CodePlace &place) { return m_placeNames.describe(place); });
}

Status ProgramRecording::start(HardwareTimes hardware)
{
    m_hardware = std::move(hardware);
    m_recorder.setConcurrentManagedAccess(m_hardware.concurrentManagedAccess);
    m_start.environment.insert(m_start.environment.begin(), m_hardware.variables.begin(), m_hardware.variables.end());
    JETSCOPE_TRY_ASSIGN(m_program, AttachedProgram::start(m_start));
    return {};
}

void ProgramRecording::await() const
{
    if (m_reader.fullest() < kFullEnough)
        std::this_thread::sleep_for(kDrainEvery);
}

/// The library goes on recording, because threads and CUDA that begin meanwhile would be missing afterwards, and what
/// the program allocates is to be known.
bool ProgramRecording::setRecording(bool on, std::int64_t ns)
{
    if (std::exchange(m_recording, on) == on)
        return false;
    m_recorder.setRecording(on, ns);
    m_reader.setGpuRecording(on, ns);
    return true;
}

bool ProgramRecording::isOver(bool waitForCalls)
{
    return m_program->ended() && (m_program->endAsked() || !m_left.goOn(m_reader, !waitForCalls, nowNs()));
}

TraceUpdate ProgramRecording::take(bool last, const std::function<bool()> &stop)
{
    if (last)
        m_memory.setQuiet(true);
    m_recorder.read(m_reader, last);
    if (m_scheduler)
        m_scheduler->take(m_recorder, last, stop);
    return m_recorder.take();
}

void ProgramRecording::signal(int number)
{
    if (!m_program->ended())
        m_program->signal(number);
    else
        for (const pid_t pid : m_left.find(m_reader))
            ::kill(pid, number);
}

HardwareReport ProgramRecording::hardware() const
{
    const GpuTimeline &gpu = m_recorder.gpu();
    return {m_hardware, m_reader.gpuProcesses(), m_reader.gpuCounts(), gpu.linked(), gpu.unlinked(), gpu.hasBounds()};
}

std::optional<SchedulerState> ProgramRecording::scheduler() const
{
    if (!m_scheduler)
        return std::nullopt;
    const SchedulerTrace &trace = m_recorder.scheduler();
    const ContextTrace &contexts = trace.contexts();
    SchedulerState state{m_scheduler->path(),
                         m_scheduler->refusal(m_recorder),
                         {},
                         trace.lines(),
                         trace.lost(),
                         trace.damaged(),
                         trace.groups(),
                         trace.engines().work(),
                         contexts.contexts(),
                         contexts.switchingNs(),
                         contexts.lost(),
                         trace.contextsRefusal()};
    if (trace.lines() == 0)
        if (const Result<std::string> command = schedulerCommand(state.path); command.ok())
            state.command = command.value();
    return state;
}

std::vector<TraceFact> ProgramRecording::facts() const
{
    const std::string source = m_recorder.frameSource();
    const HardwareReport gpu = hardware();
    std::vector<TraceFact> facts = {{"frames_by", source.empty() ? m_recorder.frameNote() : source},
                                    {"gpu_time", gpu.source()},
                                    {"calls_lost", std::to_string(m_reader.lost())}};
    if (const std::string refusal = gpu.refusal(); !refusal.empty())
        facts.emplace_back("gpu_time_reason", refusal);
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
