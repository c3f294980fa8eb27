// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace jetscope {

/// CLOCK_MONOTONIC told from a CPU counter. Every few milliseconds the thread that happens to ask reads the real
/// clock as well and publishes a new anchor, because NTP slews CLOCK_MONOTONIC against the counter. An error is
/// slewed out over the next anchor instead of stepped, so that time does not run backwards. Any thread; never
/// blocks, takes no lock. A counter that keeps disagreeing with the clock is given up for the clock itself.
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
    /// How long an anchor is used before it is renewed. NTP slews by at most 500 ppm: 2 us in this time.
    static constexpr std::int64_t kRefreshNs = 4'000'000;
    /// An anchor older than this many refreshes is not extrapolated: the machine may have slept since.
    static constexpr std::int64_t kTrusted = 5;
    /// Counter and clock read further apart than this were interrupted and say nothing.
    static constexpr std::int64_t kWidestReadNs = 1'000;
    /// What extrapolation over the trusted time can be ahead of the clock when NTP has just slowed it.
    static constexpr std::int64_t kMostAheadNs = 20'000;
    /// No slewing explains this error within the trusted time: the counter is not what it promised to be.
    static constexpr std::int64_t kBrokenNs = 100'000;
    static constexpr int kStrikes = 3;
    static constexpr int kRateBits = 32;

    struct Anchor {
        std::uint64_t count = 0;
        std::int64_t ns = 0;
        std::int64_t rate = 0;         ///< Nanoseconds per count, times 2^kRateBits; 0 while unknown.
        std::int64_t refreshCount = 0; ///< Counts in kRefreshNs; 0 while the rate is unknown.

        /// Whether `when` is within `refreshes` of the anchor. A thread may have read the counter just before
        /// another one set the anchor, so both directions count.
        bool reaches(std::uint64_t when, std::int64_t refreshes) const
        {
            const auto passed = static_cast<std::int64_t>(when - count);
            return passed < refreshCount * refreshes && passed > -refreshCount * refreshes;
        }
        std::int64_t at(std::uint64_t when) const
        {
            return ns + ((static_cast<std::int64_t>(when - count) * rate) >> kRateBits);
        }
    };

    /// The slot that readers do not use is written, then the generation names it: readers never wait for a
    /// writer. Release stores and acquire loads in the slot make a reader that saw a half-written slot see the
    /// newer generation, too.
    struct Slot {
        std::atomic<std::uint64_t> count{0};
        std::atomic<std::int64_t> ns{0};
        std::atomic<std::int64_t> rate{0};
        std::atomic<std::int64_t> refreshCount{0};
    };

    Anchor current() const
    {
        while (true) {
            const std::uint32_t generation = m_generation.load(std::memory_order_acquire);
            const Slot &slot = m_slots[generation & 1];
            const Anchor anchor{slot.count.load(std::memory_order_acquire), slot.ns.load(std::memory_order_acquire),
                                slot.rate.load(std::memory_order_acquire),
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
        slot.refreshCount.store(anchor.refreshCount, std::memory_order_release);
        m_generation.store(next, std::memory_order_release);
    }

    std::int64_t refreshed(const Anchor &seen)
    {
        if (m_abandoned.load(std::memory_order_relaxed))
            return Source::monotonicNs();
        if (m_renewing.test_and_set(std::memory_order_acquire)) {
            const std::uint64_t count = Source::counter();
            return seen.reaches(count, kTrusted) ? seen.at(count) : Source::monotonicNs();
        }
        const std::int64_t now = renew(current());
        m_renewing.clear(std::memory_order_release);
        return now;
    }

    /// Only the thread that holds m_renewing.
    std::int64_t renew(const Anchor &old)
    {
        if (!m_checked) {
            m_checked = true;
            m_abandoned.store(!Source::hasCounter(), std::memory_order_relaxed);
        }
        const std::uint64_t before = Source::counter();
        const std::int64_t ns = Source::monotonicNs();
        const std::uint64_t after = Source::counter();
        const std::uint64_t count = before + (after - before) / 2;
        if (old.rate == 0)
            return begin(count, ns);
        if (old.reaches(count, 1))
            return old.at(count); // Another thread renewed it meanwhile.

        const bool trusted = old.reaches(count, kTrusted);
        if (static_cast<std::int64_t>(after - before) > old.refreshCount / (kRefreshNs / kWidestReadNs))
            return trusted ? old.at(count) : ns;
        if (!trusted)
            return step(old, count, ns);
        const std::int64_t predicted = old.at(count);
        const std::int64_t error = ns - predicted;
        if (std::abs(error) > kBrokenNs)
            return distrust(ns);
        learnRate(count, ns);
        // Half of the error is left for the next time, which keeps the noise of one reading out.
        publish(anchorAt(count, predicted, m_rate + m_rate / kRefreshNs * (error / 2)));
        return predicted;
    }

    /// The first two readings, at least kRefreshNs apart, give the first rate.
    std::int64_t begin(std::uint64_t count, std::int64_t ns)
    {
        if (m_lastNs == 0) {
            m_lastCount = count;
            m_lastNs = ns;
        } else if (ns - m_lastNs >= kRefreshNs && count > m_lastCount) {
            m_rate = measuredRate(count, ns);
            m_lastCount = count;
            m_lastNs = ns;
            if (m_rate > 0)
                publish(anchorAt(count, ns, m_rate));
        }
        return ns;
    }

    /// After a pause the real clock is taken over, but not to step back by what extrapolation was too fast.
    std::int64_t step(const Anchor &old, std::uint64_t count, std::int64_t ns)
    {
        const std::int64_t furthest = old.ns + kRefreshNs * kTrusted;
        const std::int64_t from = std::max(ns, std::min(furthest, ns + kMostAheadNs));
        m_lastCount = count;
        m_lastNs = ns;
        publish(anchorAt(count, from, m_rate));
        return from;
    }

    std::int64_t distrust(std::int64_t ns)
    {
        m_lastNs = 0;
        publish({});
        if (++m_strikes >= kStrikes)
            m_abandoned.store(true, std::memory_order_relaxed);
        return ns;
    }

    void learnRate(std::uint64_t count, std::int64_t ns)
    {
        m_rate += (measuredRate(count, ns) - m_rate) / 8;
        m_lastCount = count;
        m_lastNs = ns;
    }

    std::int64_t measuredRate(std::uint64_t count, std::int64_t ns) const
    {
        const double perCount = static_cast<double>(ns - m_lastNs) / static_cast<double>(count - m_lastCount);
        return static_cast<std::int64_t>(perCount * static_cast<double>(std::int64_t{1} << kRateBits));
    }

    static Anchor anchorAt(std::uint64_t count, std::int64_t ns, std::int64_t rate)
    {
        return {count, ns, rate, (kRefreshNs << kRateBits) / rate};
    }

    std::array<Slot, 2> m_slots;
    std::atomic<std::uint32_t> m_generation{0};
    std::atomic<bool> m_abandoned{false};
    std::atomic_flag m_renewing;
    // What follows belongs to the thread that holds m_renewing.
    bool m_checked = false;
    int m_strikes = 0;
    std::uint64_t m_lastCount = 0;
    std::int64_t m_lastNs = 0;
    std::int64_t m_rate = 0;
};

} // namespace jetscope
