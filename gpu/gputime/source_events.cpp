// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of events around each piece of work. On a GPU an event with timing waits until the stream is idle, and an idle
// channel switches the GPU to the other context: such a pair includes the other context's time slice and makes the
// frame longer. It is an upper bound, useful to show that effect. The software iGPU's workers stamp events when they
// reach them, without side effects: there a pair is exact.
#include "core/time/clock.h"
#include "gpu/gputime/sources.h"

#include <deque>
#include <vector>

namespace jetscope {

namespace {

constexpr std::int64_t kAnchorAgeNs = 1'000'000'000;
/// How long a renewal waits for its event. An idle stream completes it within microseconds; otherwise the old anchor
/// stays in use and the next collection tries again.
constexpr std::int64_t kAnchorToleranceNs = 200'000;
/// How often the first anchor is retried if a busy machine makes it less accurate than that.
constexpr int kMaxFirstAnchors = 20;

class EventPairs final : public GpuTimeSource {
public:
    EventPairs(GpuTime kind, Device &device) : m_kind(kind), m_device(device) {}

    Status start()
    {
        JETSCOPE_TRY_ASSIGN(m_anchorStream, m_device.createStream());
        // Times cannot be mapped without a first anchor, so this one may wait.
        for (int tries = 0; !m_anchor || (m_anchor->uncertaintyNs * 2 > kAnchorToleranceNs && tries < kMaxFirstAnchors);
             ++tries)
            JETSCOPE_TRY(renewAnchor());
        return {};
    }

    GpuTime kind() const override { return m_kind; }
    bool timesKernels() const override { return false; }

    Status begin(Stream &stream, GpuItem &item) override
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Event> begin, takeEvent());
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Event> end, takeEvent());
        m_pairs.push_back({&item, std::move(begin), std::move(end), m_anchor});
        return m_device.record(*m_pairs.back().begin, stream);
    }

    Status end(Stream &stream, GpuItem &) override
    {
        m_pairs.back().closed = true;
        return m_device.record(*m_pairs.back().end, stream);
    }

    void abandon(GpuItem &item) override
    {
        item.state = GpuItem::State::Untimed;
        std::erase_if(m_pairs, [&item](const Pair &pair) { return pair.item == &item; });
    }

    Status collect() override
    {
        for (std::size_t i = 0; i < m_pairs.size();) {
            Pair &pair = m_pairs[i];
            JETSCOPE_TRY_ASSIGN(const bool done, pair.closed ? m_device.query(*pair.end) : Result<bool>(false));
            if (!done) {
                ++i; // Work of another stream may be complete.
                continue;
            }
            JETSCOPE_TRY(resolve(pair));
            m_pairs.erase(m_pairs.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return nowNs() - m_anchor->hostNs > kAnchorAgeNs ? renewAnchor() : Status();
    }

    Status finish() override
    {
        Status collected = collect();
        for (Pair &pair : m_pairs)
            pair.item->state = GpuItem::State::Untimed;
        m_pairs.clear();
        return collected;
    }

    std::int64_t uncertaintyNs() const override { return m_anchor->uncertaintyNs; }

private:
    struct Anchor {
        std::unique_ptr<Event> event;
        std::int64_t hostNs = 0;
        std::int64_t uncertaintyNs = 0;
    };
    struct Pair {
        GpuItem *item = nullptr;
        std::unique_ptr<Event> begin;
        std::unique_ptr<Event> end;
        std::shared_ptr<Anchor>
            anchor; ///< The newest one when the pair was recorded: event times are relative to an earlier event.
        bool closed = false;
    };

    Result<std::unique_ptr<Event>> takeEvent()
    {
        if (m_freeEvents.empty())
            return m_device.createEvent(Device::Timing::On);
        std::unique_ptr<Event> event = std::move(m_freeEvents.back());
        m_freeEvents.pop_back();
        return event;
    }

    Status resolve(Pair &pair)
    {
        JETSCOPE_TRY_ASSIGN(const std::int64_t toBegin, m_device.elapsedNs(*pair.anchor->event, *pair.begin));
        JETSCOPE_TRY_ASSIGN(const std::int64_t length, m_device.elapsedNs(*pair.begin, *pair.end));
        const std::int64_t startNs = pair.anchor->hostNs + toBegin;
        pair.item->time = {startNs, startNs + length};
        pair.item->state = GpuItem::State::Timed;
        m_freeEvents.push_back(std::move(pair.begin));
        m_freeEvents.push_back(std::move(pair.end));
        return {};
    }

    Status renewAnchor()
    {
        auto anchor = std::make_shared<Anchor>();
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Event> event, takeEvent());
        anchor->event = std::move(event);
        const std::int64_t before = nowNs();
        JETSCOPE_TRY(m_device.record(*anchor->event, *m_anchorStream));
        for (;;) {
            JETSCOPE_TRY_ASSIGN(const bool done, m_device.query(*anchor->event));
            const std::int64_t after = nowNs();
            // If this thread was not scheduled when the event completed, the anchor may be off by milliseconds.
            if (done && m_anchor && after - before > kAnchorToleranceNs)
                return {};
            if (done) {
                const std::optional<std::int64_t> stamp = m_device.hostStampNs(*anchor->event);
                anchor->hostNs = stamp.value_or(before + (after - before) / 2);
                anchor->uncertaintyNs = stamp ? 0 : (after - before) / 2;
                m_anchor = std::move(anchor);
                return {};
            }
            if (after - before > kAnchorToleranceNs)
                return {};
        }
    }

    const GpuTime m_kind;
    Device &m_device;
    std::unique_ptr<Stream> m_anchorStream;
    std::shared_ptr<Anchor> m_anchor;
    std::deque<Pair> m_pairs; ///< In the order of submission.
    std::vector<std::unique_ptr<Event>> m_freeEvents;
};

} // namespace

Result<std::unique_ptr<GpuTimeSource>> newEventPairs(GpuTime kind, Device &device)
{
    auto source = std::make_unique<EventPairs>(kind, device);
    JETSCOPE_TRY(source->start());
    return std::unique_ptr<GpuTimeSource>(std::move(source));
}

} // namespace jetscope
