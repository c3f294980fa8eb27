// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/exporters.h"

#include "core/system/newfile.h"
#include "core/text/jsontext.h"
#include "core/trace/timelimits.h"
#include "core/trace/tracefigures.h"

namespace jetscope {

namespace {

constexpr std::uint64_t kFramesBetweenLooks = 1 << 12;

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

/// What is not stored, and the stored column that it stands behind.
struct MadeColumn {
    std::string_view behind;
    std::string_view name;
    void (*add)(Line &line, const FrameFigures &figures);
    bool needsGpu = false;
};
constexpr MadeColumn kMadeColumns[] = {
    {"idle_ns", "overlap", [](Line &line, const FrameFigures &figures) { line << figures.overlap.overlap(); }, true},
    {"idle_ns", "parallelism", [](Line &line, const FrameFigures &figures) { line << figures.overlap.parallelism(); },
     true},
    {"wait_input_ns", "blocked_ns", [](Line &line, const FrameFigures &figures) { line << figures.blockedNs(); }},
};

std::string headOfFrames()
{
    std::string head;
    for (const FrameField &field : frameFields()) {
        head += std::string(field.name) + ",";
        for (const MadeColumn &made : kMadeColumns)
            if (made.behind == field.name)
                head += std::string(made.name) + ",";
    }
    return head + "number\n";
}

std::string lineOf(const FrameFigures &figures, std::uint64_t number, bool knowsGpu)
{
    Line line;
    for (const FrameField &field : frameFields()) {
        line << field.get(figures);
        for (const MadeColumn &made : kMadeColumns)
            if (made.behind == field.name && made.needsGpu && !knowsGpu)
                line << std::optional<double>();
            else if (made.behind == field.name)
                made.add(line, figures);
    }
    line << number;
    return line.take();
}

} // namespace

Status exportFrames(const Trace &trace, const std::string &path, const std::optional<Interval> &range,
                    Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path));
    const Interval window = range.value_or(Interval{-kMaxTraceNs, kMaxTraceNs});
    const auto [first, last] = trace.frames().range(window.startNs, window.endNs);
    const bool knowsGpu = hasGpuSpans(trace);
    file.write(headOfFrames());
    for (std::uint64_t i = first; i < last && !file.failed(); ++i) {
        const FrameFigures figures = trace.frames().at(i);
        file.write(lineOf(figures, trace.frameNumber(figures.frame), knowsGpu));
        const auto done = static_cast<double>(i - first) / static_cast<double>(last - first);
        if (i % kFramesBetweenLooks == 0 && !progress.advance(done))
            return cancelledError();
    }
    return file.finish();
}

std::string frameTable(const Trace &trace)
{
    const bool knowsGpu = hasGpuSpans(trace);
    std::string table = headOfFrames();
    for (std::uint64_t i = trace.frames().firstIndex(); i < trace.frames().endIndex(); ++i) {
        const FrameFigures figures = trace.frames().at(i);
        table += lineOf(figures, trace.frameNumber(figures.frame), knowsGpu);
    }
    return table;
}

} // namespace jetscope
