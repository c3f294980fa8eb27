// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace jetscope {

/// CLOCK_MONOTONIC computed from a CPU counter. Every few milliseconds, the thread that happens to call also reads the
/// real clock and publishes a new anchor, because NTP slews CLOCK_MONOTONIC relative to the counter. An error is
/// corrected gradually over the next anchor period instead of in one step, so that time does not visibly run backwards
/// on a thread. If the counter repeatedly disagrees with the clock, the counter is abandoned and the clock is used. Any
/// thread; never blocks, takes no lock.
///
/// `Source` has static functions hasCounter(), counter() and monotonicNs().
template <class Source>
class CounterClock {
public:
    std::int64_t nowNs()
    {
        const std::uint64_t count = Source::counter();
        const Anchor anchor = current();
        if (anchor.reaches(count, 1))
            return anchor.at(count);
        return refreshed(anchor);
    }

private:
    /// Time after which an anchor is renewed. NTP slews by at most 500 ppm: 2 us in this time.
    static constexpr std::int64_t kRefreshNs = 4'000'000;
    /// An anchor older than this many refreshes is not extrapolated, because the machine may have been suspended.
    static constexpr std::int64_t kTrusted = 5;
    /// A reading that took longer than this was interrupted and is ignored.
    static constexpr std::int64_t kLongestReadNs = 1'000;
    /// Slewing cannot cause an error this large within the trusted time: the counter is not invariant.
    static constexpr std::int64_t kBrokenNs = 100'000;
    static constexpr int kStrikes = 3;
    static constexpr int kRateBits = 32;

    struct Anchor {
        std::uint64_t count = 0;
        std::int64_t ns = 0;
        std::int64_t rate = 0;         ///< Nanoseconds per count, times 2^kRateBits; 0 while unknown.
        std::int64_t laterRate = 0;    ///< Rate once the anchor is due, without the error correction.
        std::int64_t refreshCount = 0; ///< Counts in kRefreshNs; 0 while the rate is unknown.

        /// Whether `when` is within `refreshes` of the anchor, in both directions: a thread may have read the counter
        /// just before another thread published the anchor.
        bool reaches(std::uint64_t when, std::int64_t refreshes) const
        {
            const auto passed = static_cast<std::int64_t>(when - count);
            return passed < refreshCount * refreshes && passed > -refreshCount * refreshes;
        }
        /// Time at `when`, while the anchor is not due.
        std::int64_t at(std::uint64_t when) const
        {
            return ns + ((static_cast<std::int64_t>(when - count) * rate) >> kRateBits);
        }
        /// Like `at`, but also valid after the anchor is due, if the renewing thread was interrupted.
        std::int64_t beyond(std::uint64_t when) const
        {
            const auto overdue = static_cast<std::int64_t>(when - count) - refreshCount;
            if (overdue <= 0)
                return at(when);
            return at(count + static_cast<std::uint64_t>(refreshCount)) + ((overdue * laterRate) >> kRateBits);
        }
    };

    /// A writer fills the slot that readers do not use, then publishes it by incrementing the generation, so that
    /// readers never wait for a writer. Because of the release stores and acquire loads, a reader that read a partly
    /// written slot also reads the newer generation and retries.
    struct Slot {
        std::atomic<std::uint64_t> count{0};
        std::atomic<std::int64_t> ns{0};
        std::atomic<std::int64_t> rate{0};
        std::atomic<std::int64_t> laterRate{0};
        std::atomic<std::int64_t> refreshCount{0};
    };

    Anchor current() const
    {
        while (true) {
            const std::uint32_t generation = m_generation.load(std::memory_order_acquire);
            const Slot &slot = m_slots[generation & 1];
            const Anchor anchor{slot.count.load(std::memory_order_acquire), slot.ns.load(std::memory_order_acquire),
                                slot.rate.load(std::memory_order_acquire),
                                slot.laterRate.load(std::memory_order_acquire),
                                slot.refreshCount.load(std::memory_order_acquire)};
            if (m_generation.load(std::memory_order_relaxed) == generation)
                return anchor;
        }
    }

    void publish(const Anchor &anchor)
    {
        const std::uint32_t next = m_generation.load(std::memory_order_relaxed) + 1;
        Slot &slot = m_slots[next & 1];
        slot.count.store(anchor.count, std::memory_order_release);
        slot.ns.store(anchor.ns, std::memory_order_release);
        slot.rate.store(anchor.rate, std::memory_order_release);
        slot.laterRate.store(anchor.laterRate, std::memory_order_release);
        slot.refreshCount.store(anchor.refreshCount, std::memory_order_release);
        m_generation.store(next, std::memory_order_release);
    }

    std::int64_t refreshed(const Anchor &seen)
    {
        if (m_abandoned.load(std::memory_order_relaxed))
            return Source::monotonicNs();
        if (m_renewing.test_and_set(std::memory_order_acquire)) {
            const std::uint64_t count = Source::counter();
            return seen.reaches(count, kTrusted) ? seen.beyond(count) : Source::monotonicNs();
        }
        const std::int64_t now = renew(current());
        m_renewing.clear(std::memory_order_release);
        return now;
    }

    /// Counter and clock, read at the same moment.
    struct Reading {
        std::uint64_t count = 0;
        std::int64_t ns = 0;
        std::int64_t tookNs = 0;
    };

    static Reading read()
    {
        const std::int64_t before = Source::monotonicNs();
        const std::uint64_t count = Source::counter();
        const std::int64_t took = Source::monotonicNs() - before;
        return {count, before + took / 2, took};
    }

    /// Only called by the thread that holds m_renewing.
    std::int64_t renew(const Anchor &old)
    {
        if (!m_checked) {
            m_checked = true;
            m_abandoned.store(!Source::hasCounter(), std::memory_order_relaxed);
        }
        const Reading reading = read();
        if (old.reaches(reading.count, 1))
            return old.at(reading.count); // Another thread has renewed the anchor in the meantime.
        const bool trusted = old.reaches(reading.count, kTrusted);
        if (reading.tookNs > kLongestReadNs)
            return trusted ? old.beyond(reading.count) : reading.ns;
        if (old.rate == 0)
            return begin(reading);
        if (!trusted)
            return step(reading);
        return slew(old, reading);
    }

    /// The first two readings, at least kRefreshNs apart, determine the first rate.
    std::int64_t begin(const Reading &reading)
    {
        if (m_last.ns == 0) {
            m_last = reading;
        } else if (reading.ns - m_last.ns >= kRefreshNs && reading.count > m_last.count) {
            m_rate = measuredRate(reading);
            m_last = reading;
            if (m_rate > 0)
                publishSoon(reading.count, reading.ns, m_rate);
        }
        return reading.ns;
    }

    /// After a pause, the time of the real clock is used and the rate is kept: a rate measured over the pause would be
    /// wrong if the machine was suspended.
    std::int64_t step(const Reading &reading)
    {
        m_last = reading;
        publishSoon(reading.count, reading.ns, m_rate);
        return reading.ns;
    }

    /// Continues from the old anchor's prediction, at a rate that corrects its error.
    std::int64_t slew(const Anchor &old, const Reading &reading)
    {
        const std::int64_t predicted = old.beyond(reading.count);
        const std::int64_t error = reading.ns - predicted;
        if (std::abs(error) > kBrokenNs)
            return distrust(reading.ns);
        // Only an eighth of the new rate and half of the error are applied, which filters the noise of a single
        // reading.
        if (reading.ns - m_last.ns >= kRefreshNs / 2) {
            m_rate += (measuredRate(reading) - m_rate) / 8;
            m_last = reading;
        }
        publishSoon(reading.count, predicted, m_rate + m_rate / kRefreshNs * (error / 2));
        return predicted;
    }

    std::int64_t distrust(std::int64_t ns)
    {
        m_last = {};
        publish({});
        if (++m_strikes >= kStrikes)
            m_abandoned.store(true, std::memory_order_relaxed);
        return ns;
    }

    std::int64_t measuredRate(const Reading &reading) const
    {
        const double perCount =
            static_cast<double>(reading.ns - m_last.ns) / static_cast<double>(reading.count - m_last.count);
        return static_cast<std::int64_t>(perCount * static_cast<double>(std::int64_t{1} << kRateBits));
    }

    /// An anchor defines the time from `count` on. If this thread was interrupted after the reading, other threads have
    /// continued at the old rate. The anchor is then not published, and the next caller renews it.
    void publishSoon(std::uint64_t count, std::int64_t ns, std::int64_t rate)
    {
        const Anchor anchor{count, ns, rate, m_rate, (kRefreshNs << kRateBits) / rate};
        const auto passed = static_cast<std::int64_t>(Source::counter() - count);
        if (passed <= anchor.refreshCount / (kRefreshNs / kLongestReadNs))
            publish(anchor);
    }

    std::array<Slot, 2> m_slots;
    std::atomic<std::uint32_t> m_generation{0};
    std::atomic<bool> m_abandoned{false};
    std::atomic_flag m_renewing;
    // Protected by m_renewing.
    bool m_checked = false;
    int m_strikes = 0;
    Reading m_last;
    std::int64_t m_rate = 0;
};

} // namespace jetscope
