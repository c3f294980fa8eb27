// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "tests/core/storedfigures.h"

#include <QFile>
#include <QString>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace jetscope::test {

/// A small trace with one of everything that a trace can contain, and with texts and numbers that are difficult to
/// serialise.
inline Trace sampleTrace(int frames = 40)
{
    Trace trace;
    trace.setOrigin(
        {"software iGPU (orin rules) on \"CPU\"", "synthetic:?size=1x1", "Jetscope 0.1.0", {}, 1700000000123456789});
    trace.setLanes({{0, LaneRole::Pipeline, "pipeline", "CPU"},
                    {1, LaneRole::DeviceStream, "CUDA stream 0", "GPU · events", true, 3},
                    {2, LaneRole::GlQueue, "GL \"queue\"\n\t\\", ""},
                    {3, LaneRole::Tool, "never used", "x"}});
    trace.setCounters(
        {{0, "GPU load", "%", std::nullopt}, {1, "uncertainty", "ns", LaneId{1}}, {2, "uncertainty", "ns", LaneId{2}}});
    const TraceName frame = trace.names().intern("frame", Category::Submit);
    const TraceName wait = trace.names().intern("wait ☃ \x01", Category::WaitSync, Purpose::GlMap);
    const TraceName kernel = trace.names().intern("sobel<\"float\">", Category::Kernel);
    const TraceName copy = trace.names().intern("sobel<\"float\">", Category::Copy); // Same text, but a different name.
    const TraceName bounded =
        trace.names().intern("sobel<\"float\">", Category::Copy, Certainty::Bounded); // Same text, but a third name.
    constexpr std::int64_t kBegin = 987654321012345;
    constexpr std::int64_t kPeriod = 16'666'667;
    for (int i = 0; i < frames; ++i) {
        const std::int64_t at = kBegin + i * kPeriod;
        const auto number = static_cast<std::uint32_t>(i);
        trace.add(0, 0, {at, kPeriod - 1, 0, number, frame});
        trace.add(0, 1, {at + 10, 5'000'001, 0, number, wait});
        trace.add(0, 2, {at + 20, 0, 0, kNoFrame, frame});
        trace.add(1, 0, {at + 1'000, 3'333'333, 0, number, kernel});
        trace.add(1, 1, {at + 3'000'000, 1'000'000, 3, number, copy}); // Overlaps its neighbour without being nested.
        trace.add(2, 0, {at + 7, 999, std::uint64_t{1} << 40, number, bounded});
        FrameFigures figures;
        figures.frame = number;
        figures.startNs = at;
        figures.overlap = {kPeriod, 5, 6, 4, 7, i % 3 == 2 ? 3 : 0, i % 3 == 2 ? 1 : 0};
        std::uint32_t amount = 11;
        eachFrameAmount([&](auto member) { figures.*member = amount++; });
        figures.frameNs = 15;
        figures.latencyNs = 16 + i;
        figures.bytesCopied = std::uint64_t{17} << 33;
        trace.add(std::span(&figures, 1));
        const CounterSample samples[] = {
            {at, 0.1 * i, 0}, {at + 1, -1e300, 1}, {at + 2, 3, 2}, {at + 3, i % 5 == 4 ? std::nan("") : 1.0 / 3, 0}};
        trace.add(samples);
    }
    trace.add(TraceMark{TraceMark::Kind::Switch, kBegin + 5, 1, "sync: finish → eglsync", {}, {}});
    trace.add(TraceMark{TraceMark::Kind::Hazard, kBegin + 6, 2, "CPU read \"buffer\"", "A1", "wait for the event",
                        "managed memory, 64 bytes",
                        HazardAccess{"kernels", "CUDA stream 0", Access::Write, 1, kBegin + 3},
                        HazardAccess{"CPU access", "the CPU stage thread", Access::Read, kNoFrame, kBegin + 6}});
    trace.add(TraceMark{TraceMark::Kind::Other, kBegin + 7, kNoFrame, "", {}, {}});
    const FrameNumber numbers[] = {{0, 0}, {2, 1000}, {3, 1007}, {30, 30}};
    trace.add(numbers);
    trace.add(Thumbnail{3, kBegin + 8, {std::byte{0}, std::byte{255}, std::byte{7}}});
    return trace;
}

inline std::vector<FrameFigures> framesOf(const Trace &trace)
{
    std::vector<FrameFigures> frames;
    for (std::uint64_t i = trace.frames().firstIndex(); i < trace.frames().endIndex(); ++i)
        frames.push_back(trace.frames().at(i));
    return frames;
}

inline std::string described(double value)
{
    return std::isnan(value) ? "unknown" : QString::number(value, 'g', 17).toStdString();
}

/// The whole content of a trace, line by line: two traces are equal if these texts are equal.
inline std::string described(const Trace &trace, bool withThumbnails = true)
{
    const auto line = [](const auto &...parts) {
        std::string text;
        const auto add = [&text](const auto &part) {
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>)
                text += std::to_string(part) + " ";
            else
                text += std::string(part) + "|";
        };
        (add(parts), ...);
        return text + "\n";
    };
    const TraceOrigin &origin = trace.origin();
    std::string all = line(origin.device, origin.source, origin.program, origin.wallClockOffsetNs);
    for (const LaneInfo &lane : trace.lanes())
        all += line("lane", lane.id, static_cast<int>(lane.role), lane.name, lane.detail, lane.emulated,
                    lane.gpu ? std::to_string(*lane.gpu) : "");
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
            const TraceSpan span = track.at(i);
            all += line("span", track.lane(), int{track.depth()}, span.startNs, span.durationNs, span.bytes, span.frame,
                        trace.names().text(span.name), categoryName(trace.names().category(span.name)),
                        trace.names().certainty(span.name) == Certainty::Bounded ? "bounded" : "exact",
                        purposeKey(trace.names().at(span.name).purpose));
        }
    for (const FrameFigures &frame : framesOf(trace)) {
        all += line("frame", trace.frameNumber(frame.frame));
        for (const std::int64_t stored : storedFigures(frame))
            all += line(stored);
    }
    for (const CounterTrack &counter : trace.counters()) {
        all += line("counter", counter.info().id, counter.info().name, counter.info().unit,
                    counter.info().lane ? *counter.info().lane : -1);
        for (std::uint64_t i = counter.firstIndex(); i < counter.endIndex(); ++i)
            all += line("sample", counter.at(i).first, described(counter.at(i).second));
    }
    for (const TraceMark &mark : trace.marks().all())
        all += line("mark", markKindName(mark.kind), mark.timeNs, mark.frame, mark.text, mark.rule, mark.fix);
    for (const Thumbnail &thumbnail : trace.thumbnails().all())
        if (withThumbnails)
            all += line("thumbnail", thumbnail.frame, thumbnail.timeNs, thumbnail.encoded.size());
    return all;
}

inline bool writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

inline QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Changes five bytes after the header. Deterministic for a given seed; updates the seed.
inline QByteArray withChangedBytes(QByteArray bytes, std::uint32_t &seed)
{
    for (int i = 0; i < 5; ++i) {
        seed = seed * 1664525 + 1013904223;
        bytes[static_cast<qsizetype>(seed % static_cast<std::uint32_t>(bytes.size() - 100)) + 100] =
            static_cast<char>(seed >> 24U);
    }
    return bytes;
}

/// Whether a text is suitable as an error for the user: one line, with a remedy after a colon, and not truncated.
inline bool isOneSentence(const std::string &text)
{
    return !text.empty() && text.find('\n') == std::string::npos && text.find(": ") != std::string::npos
        && text.size() < 600;
}

} // namespace jetscope::test
