// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/csvexport.h"

#include "core/system/newfile.h"
#include "core/text/jsontext.h"
#include "core/trace/timelimits.h"

namespace jetscope {

namespace {

constexpr std::uint64_t kFramesBetweenLooks = 1 << 12;

constexpr const char *kColumns =
    "frame,start_ns,period_ns,cpu_ns,gpu_ns,both_ns,idle_ns,overlap,parallelism,wait_sync_ns,wait_memory_ns,"
    "wait_slot_ns,wait_input_ns,blocked_ns,frame_ns,latency_ns,bytes_copied,"
    "gpu_at_least_ns,both_at_least_ns,number\n";

class Line {
public:
    template <class T>
    Line &operator<<(T value)
    {
        next();
        appendNumber(m_text, value);
        return *this;
    }
    /// Writes an empty field if there is no value.
    Line &operator<<(const std::optional<double> &value)
    {
        next();
        if (value)
            appendNumber(m_text, *value);
        return *this;
    }
    std::string take()
    {
        m_text += '\n';
        return std::move(m_text);
    }

private:
    void next() { m_text += m_text.empty() ? "" : ","; }

    std::string m_text;
};

std::string lineOf(const FrameFigures &figures, std::uint64_t number)
{
    const Overlap &overlap = figures.overlap;
    Line line;
    line << figures.frame << figures.startNs << overlap.periodNs << overlap.cpuNs << overlap.gpuNs << overlap.bothNs
         << overlap.idleNs << overlap.overlap() << overlap.parallelism() << figures.waitSyncNs << figures.waitMemoryNs
         << figures.waitSlotNs << figures.waitInputNs << figures.blockedNs() << figures.frameNs << figures.latencyNs
         << figures.bytesCopied << overlap.gpuAtLeastNs() << overlap.bothAtLeastNs() << number;
    return line.take();
}

} // namespace

Status exportFrames(const Trace &trace, const std::string &path, const std::optional<Interval> &range,
                    Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path));
    const Interval window = range.value_or(Interval{-kMostTraceNs, kMostTraceNs});
    const auto [first, last] = trace.frames().range(window.startNs, window.endNs);
    file.write(kColumns);
    for (std::uint64_t i = first; i < last && !file.failed(); ++i) {
        const FrameFigures figures = trace.frames().at(i);
        file.write(lineOf(figures, trace.frameNumber(figures.frame)));
        const auto done = static_cast<double>(i - first) / static_cast<double>(last - first);
        if (i % kFramesBetweenLooks == 0 && !progress.advance(done))
            return cancelledError();
    }
    return file.finish();
}

std::string frameTable(const Trace &trace)
{
    std::string table = kColumns;
    for (std::uint64_t i = trace.frames().firstIndex(); i < trace.frames().endIndex(); ++i) {
        const FrameFigures figures = trace.frames().at(i);
        table += lineOf(figures, trace.frameNumber(figures.frame));
    }
    return table;
}

} // namespace jetscope
