// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/busyprocesses.h"
#include "core/lab/driverrecord.h"
#include "core/system/runqueuewait.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/ratemeter.h"
#include "gpu/sources/stampdating.h"
#include "gpu/sources/v4l2/bufferqueue.h"
#include "gpu/sources/v4l2/framecheck.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// The frames that come out of a camera's driver: their numbers, times and faults, and why some are missing. Capture
/// thread.
class CameraFrames {
public:
    /// The stream starts.
    void restart();
    /// Numbers start anew: the stream was stopped.
    void restartNumbers() { m_sequence.restart(); }
    /// That many buffers were given to the driver.
    void queued(std::size_t buffers = 1);
    void taken(const FilledBuffer &filled);

    /// Of a frame that was taken and is not delivered: a newer one was there.
    void passedOver(const FilledBuffer &filled);
    /// The same: it is damaged.
    void damaged(const FilledBuffer &filled, const std::string &why);
    /// Single fields of frames that lack the other one.
    void addAlone(std::uint64_t fields) { m_unread += fields; }
    /// Of a frame that is delivered.
    CapturedFrame delivered(const FilledBuffer &filled);
    /// It could not be delivered after all: the next one tells what it knew.
    void takeBack(CapturedFrame captured, const std::string &why);
    /// The reader waits for a frame.
    void enter();

    /// What frames showed since the source was opened: missed, repeated and dated ones.
    const SourceFaults &faults() const { return m_faults; }
    /// The problem with the driver's stamps; empty if there is none.
    std::string complaint() const;
    double fps() const { return m_rate.fps(); }

private:
    ReaderTimes reader();
    std::int64_t dated(const FilledBuffer &filled, std::uint64_t index, std::int64_t ns);

    SequenceCounter m_sequence;
    std::uint64_t m_lastIndex = 0;
    std::uint64_t m_unread = 0; ///< Frames since the last delivered one that arrived but were not delivered.
    TimestampCheck m_stamps;
    StampDating m_dating; ///< Of stamps whose clock the driver does not say.
    RateMeter m_rate;
    RepeatCheck m_repeats;
    SourceFaults m_faults;
    DriverRecord m_driver;
    std::shared_ptr<BusyProcesses> m_processes; ///< From the first start of the stream on.
    RunQueueWait m_ready;
    std::int64_t m_readyNs = 0; ///< When the reader last got a frame.
    std::int64_t m_leftNs = 0;  ///< When it got a frame; 0 once it waits for the next.
    std::int64_t m_awayNs = 0;
    std::vector<LostFrames> m_toTell; ///< Of frames that were taken back.
};

} // namespace jetscope
