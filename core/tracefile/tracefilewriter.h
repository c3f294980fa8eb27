// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/path/pathpiece.h"
#include "core/pipelineconfig.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// What stands at the head of a capture: the device with its facts, the source, the configuration at the start.
struct TraceFileHeader {
    TraceOrigin origin;
    std::vector<std::pair<std::string, std::string>> facts; ///< Rows of the table `device`, beside the origin's.
};

/// The facts and the configuration as rows.
TraceFileHeader traceFileHeader(TraceOrigin origin, const DeviceFacts &facts, const PipelineConfig &config);

/// How a recording stands.
struct RecordingProgress {
    std::uint64_t spans = 0;     ///< Safe in the file: a killed program loses none of them.
    std::uint64_t fileBytes = 0; ///< About; without what waits in memory.
    std::uint64_t lost = 0;      ///< Values of any kind that did not reach the file.
    std::string failure;         ///< Why recording ended by itself, one sentence with the remedy; else empty.
};

/// Records a live trace into a capture file (its tables: README of core). Takes the values that Trace::add takes; a
/// thread of its own writes them and commits several times a second, so that a killed program loses less than half a
/// second. The calls below are for one thread and never wait for the disk: what does not fit the queue is dropped and
/// counted. When the disk fails, recording ends with a sentence and everything else goes on.
class TraceFileWriter {
public:
    /// Makes the file, which must not exist yet.
    static Result<std::unique_ptr<TraceFileWriter>> create(const std::string &path, const TraceFileHeader &banner);

    /// Stops, if that was not done.
    ~TraceFileWriter();
    TraceFileWriter(const TraceFileWriter &) = delete;
    TraceFileWriter &operator=(const TraceFileWriter &) = delete;

    /// All so far, of which there are only ever more; before the first value that refers to them.
    void setLanes(std::vector<LaneInfo> lanes);
    /// By NameId; without them ids are those of this process.
    void setNames(const std::vector<SpanName> &names);
    void setCounters(std::vector<CounterInfo> counters);
    void add(std::vector<Span> spans);
    void add(std::vector<FrameFigures> figures);
    void add(std::vector<FrameNumber> numbers);
    /// Paths of whole frames, in order; names are NameIds.
    void add(std::vector<PathPiece> path);
    void add(std::vector<CounterSample> samples);
    void add(TraceMark mark);
    void add(Thumbnail thumbnail);
    /// Sets a row of the table `device`, as what is measured while recording.
    void setFact(std::string name, std::string value);
    /// Spans that were lost before they came here (Tracer::lost), since the start: kept in the file.
    void setLostBefore(std::uint64_t spans);

    RecordingProgress progress() const;

    /// Writes what is queued and leaves one file. Waits for that. The error is the failure, if there was one; what was
    /// written before it stays readable.
    Status stop();

private:
    struct Parts;
    explicit TraceFileWriter(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope
