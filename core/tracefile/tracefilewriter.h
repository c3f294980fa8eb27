// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"
#include "core/stream/traceupdate.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// The metadata of a capture: the device with its facts, the source, the initial configuration.
struct TraceFileHeader {
    TraceOrigin origin;
    std::vector<std::pair<std::string, std::string>> facts; ///< Further rows of the table `device`.
};

/// Converts the facts to rows and adds the configuration to the origin.
TraceFileHeader traceFileHeader(TraceOrigin origin, const DeviceFacts &facts, const PipelineConfig &config);

/// The state of a recording.
struct RecordingProgress {
    std::uint64_t spans = 0;     ///< Committed to the file: not lost if the program is killed.
    std::uint64_t fileBytes = 0; ///< Approximate; without the queued values.
    std::uint64_t lost = 0;      ///< Values of any kind that were not written.
    /// One sentence while another program holds the file locked: values are then kept in memory, as far as they fit.
    std::string waiting;
    bool hasWaited = false; ///< For such a lock, at any time.
    std::string failure;    ///< One sentence with the remedy if recording ended because of an error; otherwise empty.
};

/// Records a live trace into a capture file (tables: resources/docs/formats.md). A writer thread commits the values
/// several times per second, so that a killed program loses less than half a second. The functions below may be called
/// on any thread; except for `stop`, they never block on the disk: values that do not fit into the queue are dropped
/// and counted. A lock of another program is waited for, at the end for a limited time. After a disk error recording
/// ends with an error sentence; the caller is not affected.
class TraceFileWriter final : public TraceSink {
public:
    /// Creates the file, which must not exist yet.
    static Result<std::unique_ptr<TraceFileWriter>> create(const std::string &path, const TraceFileHeader &banner);

    /// Stops recording if necessary.
    ~TraceFileWriter() override;
    TraceFileWriter(const TraceFileWriter &) = delete;
    TraceFileWriter &operator=(const TraceFileWriter &) = delete;

    /// If no update had names, NameIds are those of this process.
    void take(const TraceUpdate &update) override;

    void add(std::vector<Span> spans);
    void add(std::vector<FrameFigures> figures);
    void add(std::vector<FrameNumber> numbers);
    /// Paths of whole frames, in order; names are NameIds.
    void add(std::vector<PathPiece> path);
    void add(std::vector<CounterSample> samples);
    void add(TraceMark mark);
    void add(Thumbnail thumbnail);
    void add(ClockMeeting meeting);
    RecordingProgress progress() const;

    /// Writes the queued values, closes the file and waits until that is done. Returns the failure of the recording, if
    /// any; values written before it remain readable.
    Status stop();

    /// For a program that must end from any thread, without destroying anything: stops all recordings and waits until
    /// their files are complete, but not longer than this. False if one was not finished in time.
    static bool finishAll(std::chrono::milliseconds atMost);

private:
    struct Parts;
    struct Recordings;
    explicit TraceFileWriter(std::shared_ptr<Parts> parts);
    std::shared_ptr<Parts> m_parts;
};

} // namespace jetscope
