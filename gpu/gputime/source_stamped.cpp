// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Our own kernels write when they began and ended. A copy on a separate stream fetches the stamps of many completed
// frames at a time. Copies have no stamps; the stamps around them are their bounds.
#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/gputime/deviceclock.h"
#include "gpu/gputime/sources.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace jetscope {

namespace {

/// A fetch costs some microseconds whatever its size, so it waits for several frames, but not longer than a live view
/// can wait for its figures.
constexpr std::size_t kStampsAFetch = 64;
constexpr std::int64_t kOldestUnfetchedNs = 30'000'000;

/// Clocks drift by tens of microseconds per second, so the first moments follow each other closely until the drift is
/// known.
constexpr std::int64_t kFirstMomentsApartNs = 110'000'000;
constexpr int kFirstMoments = 8;
constexpr std::int64_t kMomentsApartNs = 1'000'000'000;
/// A busy device answers late, and every reading costs the pipeline thread a fraction of a millisecond.
constexpr std::int64_t kRetryAfterNs = 250'000'000;
/// How long `finish` waits for stamps whose kernels are complete.
constexpr std::chrono::seconds kFetchTimeout{2};

class StampedTimes final : public GpuTimeSource {
public:
    explicit StampedTimes(std::unique_ptr<KernelStamps> stamps)
        : m_stamps(std::move(stamps)), m_items(m_stamps->slotCount())
    {
        m_nobodys.completedNs = nowNs();
    }

    Status start()
    {
        // Times cannot be mapped without a first sample, so this one may wait.
        while (!m_clock.isSet())
            JETSCOPE_TRY(sampleClock());
        return {};
    }

    GpuTime kind() const override { return GpuTime::Stamped; }
    bool timesKernels() const override { return true; }

    void *kernel(Stream &, GpuItem &item) override
    {
        if (m_end - m_begin == m_items.size())
            return nullptr; // No collection for a long time; `end` marks the item as untimed.
        m_items[m_end % m_items.size()] = &item;
        return m_stamps->slot(m_end++ % m_items.size());
    }

    Status end(Stream &, GpuItem &item) override
    {
        const bool hasSlot = m_end > m_begin && m_items[(m_end - 1) % m_items.size()] == &item;
        if (!hasSlot)
            item.state = GpuItem::State::Untimed;
        return {};
    }

    /// Its slot stays where it is in the order of submission, for nobody.
    void abandon(GpuItem &item) override
    {
        item.state = GpuItem::State::Untimed;
        if (m_end > m_begin && m_items[(m_end - 1) % m_items.size()] == &item)
            m_items[(m_end - 1) % m_items.size()] = &m_nobodys;
    }

    Status collect() override
    {
        JETSCOPE_TRY(takeFetched());
        if (m_fetching == 0) {
            const std::size_t ready = completedStamps(kStampsAFetch);
            if (ready > 0 && (ready == kStampsAFetch || nowNs() - front().completedNs > kOldestUnfetchedNs))
                JETSCOPE_TRY(fetch(completedStamps(m_items.size())));
        }
        return nowNs() >= m_nextSampleNs ? sampleClock() : Status();
    }

    Status finish() override
    {
        Status fetched = fetchAll();
        for (; m_begin != m_end; ++m_begin)
            front().state = GpuItem::State::Untimed;
        m_fetching = 0; // What arrives later belongs to no item.
        return fetched;
    }

    std::int64_t uncertaintyNs() const override { return m_clock.uncertaintyNs() + m_stamps->stepNs(); }
    std::int64_t unseenNs() const override { return m_stamps->unseenNs(); }

private:
    GpuItem &front() { return *m_items[m_begin % m_items.size()]; }

    /// How many of the oldest stamps have been written, at most `most`.
    std::size_t completedStamps(std::size_t most)
    {
        std::size_t count = 0;
        while (count < most && m_begin + count < m_end && m_items[(m_begin + count) % m_items.size()]->completedNs != 0)
            ++count;
        return count;
    }

    Status fetch(std::size_t count)
    {
        m_fetching = count;
        return m_stamps->fetch(m_begin % m_items.size(), count);
    }

    Status fetchAll()
    {
        JETSCOPE_TRY(sampleClock());
        const auto giveUp = std::chrono::steady_clock::now() + kFetchTimeout;
        while (m_begin != m_end && std::chrono::steady_clock::now() < giveUp) {
            JETSCOPE_TRY(takeFetched());
            if (m_fetching == 0 && m_begin != m_end)
                JETSCOPE_TRY(fetch(m_end - m_begin));
            std::this_thread::yield();
        }
        return {};
    }

    Status takeFetched()
    {
        if (m_fetching == 0)
            return {};
        JETSCOPE_TRY_ASSIGN(const bool arrived, m_stamps->fetched());
        if (!arrived)
            return {};
        for (; m_fetching > 0; --m_fetching, ++m_begin)
            resolve(front(), m_stamps->times(m_begin % m_items.size()));
        return {};
    }

    void resolve(GpuItem &item, const KernelTimes &times)
    {
        Interval time{m_clock.hostNs(times.firstNs), m_clock.hostNs(times.lastNs)};
        // The clock mapping has an error up to the uncertainty, but no item begins before its submission.
        const std::int64_t early = std::clamp<std::int64_t>(item.submitNs - time.startNs, 0, uncertaintyNs());
        time = {time.startNs + early, time.endNs + early};
        const bool makesSense = times.firstNs != 0 && times.lastNs >= times.firstNs && time.startNs >= item.submitNs
            && (item.completedNs == 0 || time.endNs <= item.completedNs + uncertaintyNs());
        item.time = time;
        item.state = makesSense ? GpuItem::State::Timed : GpuItem::State::Untimed;
    }

    Status sampleClock()
    {
        // Recorded as a span, because it blocks the pipeline thread.
        static const NameId kRead = internName("read the device's clock", Category::Tool);
        const SpanScope span(kRead);
        JETSCOPE_TRY_ASSIGN(const std::vector<ClockSample> samples, m_stamps->sampleClock());
        m_clock.addMoment(samples); // If there are none, the old mapping stays in use.
        m_moments += samples.empty() ? 0 : 1;
        const std::int64_t apart = m_moments < kFirstMoments ? kFirstMomentsApartNs : kMomentsApartNs;
        m_nextSampleNs = nowNs() + (samples.empty() ? kRetryAfterNs : apart);
        return {};
    }

    const std::unique_ptr<KernelStamps> m_stamps;
    DeviceClock m_clock;
    std::vector<GpuItem *> m_items; ///< By slot; [m_begin, m_end) are in use, in the order of submission.
    GpuItem m_nobodys;              ///< In place of abandoned ones; seen complete.
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    std::size_t m_fetching = 0; ///< Stamps being fetched, starting at m_begin.
    std::int64_t m_nextSampleNs = 0;
    int m_moments = 0; ///< Number of clock readings.
};

} // namespace

Result<std::unique_ptr<GpuTimeSource>> newStampedTimes(std::unique_ptr<KernelStamps> stamps)
{
    auto source = std::make_unique<StampedTimes>(std::move(stamps));
    JETSCOPE_TRY(source->start());
    return std::unique_ptr<GpuTimeSource>(std::move(source));
}

} // namespace jetscope
