// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/collector.h"

#include "core/time/clock.h"
#include "core/tracefile/tracefilewriter.h"

#include <array>
#include <cstdio>
#include <sys/resource.h>
#include <utility>

namespace jetscope {

namespace {

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

Collector::Collector(const Options &options, const RecordingSwitch &wanted, ProgramRecording &program,
                     TraceFileWriter *writer)
    : m_options(options), m_wanted(wanted), m_program(program), m_writer(writer)
{
    turnSwitch();
}

void Collector::turnSwitch()
{
    const RecordingSwitch::State wanted = m_wanted.state();
    m_program.setRecording(wanted.on, wanted.ns);
}

bool Collector::isEnough() const
{
    const bool enough = m_options.frames && m_program.recorder().frames() >= *m_options.frames;
    const bool late =
        m_options.attach.seconds && m_recordedNs >= static_cast<std::int64_t>(*m_options.attach.seconds) * kNsPerSecond;
    return enough || late;
}

void Collector::run()
{
    std::int64_t turnedNs = nowNs();
    const double startSeconds = cpuSeconds();
    for (bool last = false; !last;) {
        m_program.await();
        const std::int64_t ns = nowNs();
        (m_program.isRecording() ? m_recordedNs : m_pausedNs) += ns - std::exchange(turnedNs, ns);
        turnSwitch();
        last = isEnough() || m_program.isOver(false); // Before reading what it left.
        if (const TraceUpdate update = m_program.take(last); m_writer) {
            m_writer->take(update);
            m_watch.look(*m_writer);
        }
    }
    m_cores = (cpuSeconds() - startSeconds) * 1e9 / static_cast<double>(m_recordedNs + m_pausedNs);
}

std::string Collector::pauseNote() const
{
    if (m_pausedNs == 0)
        return {};
    return "recorded were " + secondsText(m_recordedNs) + ", and " + secondsText(m_pausedNs)
        + " were not, as was asked for: the counts of calls are those of both";
}

} // namespace jetscope
