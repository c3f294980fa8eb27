// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/attach/hangreport.h"
#include "app/commandline/options.h"
#include "core/stream/lastupdates.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/attach/host/instrumenteddriver.h"
#include "gpu/attach/host/outputtee.h"
#include "gpu/attach/host/programrecording.h"

#include <memory>
#include <optional>
#include <string>

namespace jetscope {

/// Watches an inspected program for calls that wait for the GPU and do not return: tells the user at once, and writes
/// the seconds before the first one into a capture, with the name of the kernel if the driver tells it. Not
/// thread-safe.
class HangWitness {
public:
    /// The error names the remedy. Call before the program starts.
    static Result<std::unique_ptr<HangWitness>> create(const Options &options, TraceFileHeader header);

    /// Adds what the program needs. Call before ProgramRecording::create.
    void prepare(ProgramStart &start) const;
    /// The program has started.
    void begin(const ProgramRecording &program);
    /// Behind each turn of the recording.
    void take(const TraceUpdate &update, const ProgramRecording &program);
    /// Nothing follows.
    HangReport finish();

private:
    HangWitness(const Options &options, TraceFileHeader header, std::int64_t afterNs)
        : m_header(std::move(header)),
          m_path(*options.attach.hangPath),
          m_watch(afterNs),
          m_updates(afterNs + kBeforeNs + kGraceNs)
    {
    }
    static constexpr std::int64_t kBeforeNs = 2'000'000'000; ///< Is kept of the time before a hang.
    /// Until the calls before the hang have their places, which may wait for what makes the frames, and for the driver.
    static constexpr std::int64_t kGraceNs = 3'000'000'000;

    void tell(const Hang &hang);
    void tellKernels();
    void write();

    const TraceFileHeader m_header;
    const std::string m_path;
    std::optional<InstrumentedDriver> m_driver;
    std::unique_ptr<OutputTee> m_output;
    HangWatch m_watch;
    LastUpdates m_updates;
    HangReport m_report;
    std::optional<std::int64_t> m_foundNs; ///< The first one.
    bool m_isWritten = false;
};

} // namespace jetscope
