// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/collector.h"

#include "core/time/clock.h"
#include "core/tracefile/tracefilewriter.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <sys/resource.h>
#include <thread>
#include <utility>

namespace jetscope {

namespace {

/// A ring holds 650 ms of a thread that makes 100,000 calls a second.
constexpr std::chrono::milliseconds kDrainEvery{5};
/// Fuller than this, rings are read again at once: the program is faster than that, or this process was late.
constexpr double kFullEnough = 0.25;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::string secondsText(std::int64_t ns)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.3f s", static_cast<double>(ns) / static_cast<double>(kNsPerSecond));
    return text.data();
}

/// CPU time of this process so far.
double cpuSeconds()
{
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec)
        + static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

} // namespace

Collector::Collector(const Options &options, const CollectorParts &parts)
    : m_options(options), m_parts(parts), m_left(options.attach.onlyProgram ? std::string() : parts.memory.address())
{
    setRecording(m_parts.wanted.state());
}

/// The library goes on recording, because threads and CUDA that begin meanwhile would be missing afterwards, and what
/// the program allocates is to be known.
void Collector::setRecording(const RecordingSwitch::State &wanted)
{
    if (wanted.on == m_recording)
        return;
    m_recording = wanted.on;
    m_parts.recorder.setRecording(wanted.on, wanted.ns);
    m_parts.reader.setGpuRecording(wanted.on, wanted.ns);
}

bool Collector::isEnough() const
{
    const bool enough = m_options.frames && m_parts.recorder.frames() >= *m_options.frames;
    const bool late =
        m_options.attach.seconds && m_recordedNs >= static_cast<std::int64_t>(*m_options.attach.seconds) * kNsPerSecond;
    return enough || late;
}

bool Collector::isOver(AttachedProgram &program)
{
    if (isEnough())
        return true;
    return program.ended() && (AttachedProgram::endAsked() || !m_left.goOn(m_parts.reader, true, nowNs()));
}

void Collector::run(AttachedProgram &program)
{
    m_readNs = nowNs();
    const double startSeconds = cpuSeconds();
    bool last = false;
    while (!last) {
        if (m_parts.reader.fullest() < kFullEnough)
            std::this_thread::sleep_for(kDrainEvery);
        const std::int64_t ns = nowNs();
        (m_recording ? m_recordedNs : m_pausedNs) += ns - std::exchange(m_readNs, ns);
        setRecording(m_parts.wanted.state());
        last = isOver(program); // Before reading what it left.
        if (last)
            m_parts.memory.setQuiet(true);
        m_parts.recorder.read(m_parts.reader, last);
        if (m_parts.scheduler)
            m_parts.scheduler->take(m_parts.recorder, last);
        if (const TraceUpdate update = m_parts.recorder.take(); m_parts.writer) {
            m_parts.writer->take(update);
            m_watch.look(*m_parts.writer);
        }
    }
    m_cores = (cpuSeconds() - startSeconds) * 1e9 / static_cast<double>(m_recordedNs + m_pausedNs);
}

std::vector<std::string> Collector::notes() const
{
    std::vector<std::string> notes;
    if (std::string left = m_left.note(); !left.empty())
        notes.push_back(std::move(left));
    if (m_pausedNs > 0)
        notes.push_back("recorded were " + secondsText(m_recordedNs) + ", and " + secondsText(m_pausedNs)
                        + " were not, as was asked for: the counts of calls are those of both");
    return notes;
}

} // namespace jetscope
