// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/lostframes.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// What kept the thread that takes frames from a driver, since it took the one before.
struct ReaderTimes {
    std::int64_t awayNs = 0;  ///< It did other things than waiting for frames.
    std::int64_t readyNs = 0; ///< It could have run, but the processors had other threads; part of the time above.
    bool knowsReady = false;  ///< Whether the kernel tells that.
};

/// What a program sees of the buffers that it exchanges with a camera's driver, and what that says of numbers that are
/// missing. Times are those of nowNs(). One thread.
class DriverRecord {
public:
    /// A buffer that came back from the driver.
    struct Filled {
        std::uint32_t sequence = 0;
        std::int64_t filledNs = 0; ///< Its time stamp; if that is of another clock, when it was taken.
        std::int64_t takenNs = 0;
    };

    /// Which programs ran since a time (nowNs()), in words; asked where the capture thread was ready but not scheduled.
    using WhoRan = std::function<std::string(std::int64_t sinceNs)>;
    void setWhoRan(WhoRan whoRan) { m_whoRan = std::move(whoRan); }

    /// The stream starts: the driver has no buffer, and the numbers are unrelated to those before.
    void restart();
    /// The program gave the driver a buffer.
    void queued(std::int64_t ns);
    void taken(const Filled &filled);
    /// The frame of this number was taken, and is not delivered.
    void discarded(std::uint32_t sequence, LossCause cause, std::string evidence);
    /// The same because a newer one was there already.
    void passedOver(std::uint32_t sequence, const ReaderTimes &reader);
    /// The frame of this number is delivered as the source's `index`: what is known of numbers that are missing between
    /// it and the one that was delivered before, in their order. `lost` of them are missing.
    std::vector<LostFrames> delivered(std::uint32_t sequence, std::uint64_t index, std::uint64_t lost,
                                      const ReaderTimes &reader);

    /// Where the buffers were at a time, as far as is known now.
    struct Buffers {
        std::int64_t empty = 0; ///< With the driver.
        std::int64_t full = 0;  ///< With the driver: filled, and not taken.
        std::int64_t held = 0;  ///< With the program.
    };
    Buffers buffersAt(std::int64_t ns) const;

private:
    struct Event {
        std::int64_t ns = 0;
        enum class What : std::uint8_t { Queued, Filled, Taken } what = What::Queued;
    };
    /// A frame whose place among the numbers is known.
    struct Known {
        Filled filled;
        bool isLost = false;
        LossCause cause = LossCause::LateDequeue;
        std::string evidence;
    };

    Known *knownOf(std::uint32_t sequence);
    void note(Event event);
    void explain(const Filled &before, const Filled &after, std::uint64_t firstIndex, const ReaderTimes &reader,
                 std::vector<LostFrames> &rows) const;
    LostFrames judge(std::int64_t atNs, std::int64_t periodNs, const Filled &before, const Filled &after,
                     const ReaderTimes &reader) const;
    std::int64_t starvedNs(std::int64_t atNs) const;

    WhoRan m_whoRan;
    ReaderTimes m_lastReader;   ///< Before the last delivered frame.
    std::vector<Known> m_known; ///< Since the last delivered frame, which is the first.
    std::deque<Event> m_events; ///< Not in order of time: a filled buffer is seen when it is taken.
    Buffers m_before;           ///< Of the events that were forgotten.
    std::int64_t m_buffers = 0; ///< How many there are.
};

/// "the capture thread took none for 52.3 ms; for 18.3 ms of that it was ready but not scheduled; " and who ran, if
/// that is known.
std::string lateWords(std::int64_t lateNs, const ReaderTimes &reader, const DriverRecord::WhoRan &whoRan = {});

} // namespace jetscope
