// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// CUPTI's records contain the stream and the times of work, but not the frame. CUPTI could deliver it (external
// correlation) at the cost of a record per call. The order in a stream is sufficient: the stream's n-th kernel of ours
// is the n-th submitted kernel. A record must also fall between the item's submission and its seen completion, so that
// a lost record costs one time and does not shift all later ones. Stages that the user brings may copy what they do not
// announce: a copy must have the direction, where it is known, and the size, too, and one behind such a stage is not
// asked for (GpuTimer).
#include "core/time/clock.h"
#include "gpu/cupti/cuptisession.h"
#include "gpu/gputime/sources.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>
#include <unordered_map>
#include <vector>

namespace jetscope {

namespace {

/// CUPTI maps the GPU's clock to the host's by interpolation, and both ends have errors.
constexpr std::int64_t kClockToleranceNs = 50'000;
/// A record that is still missing this long after its work was complete counts as lost.
constexpr std::int64_t kLostAfterNs = 2'000'000'000;
/// How long `finish` waits for the records of complete work.
constexpr std::chrono::milliseconds kRecordTimeout{500};

CopyKind kindOf(GpuCopy copy)
{
    switch (copy) {
    case GpuCopy::HostToDevice:
    case GpuCopy::HostToArray:
        return CopyKind::HostToDevice;
    case GpuCopy::DeviceToHost:
    case GpuCopy::ArrayToHost:
        return CopyKind::DeviceToHost;
    default:
        return CopyKind::DeviceToDevice;
    }
}

/// Items of one stream that wait for their records, in the order of submission. Kernels and copies are separate,
/// because the driver may add its own copies.
class ExpectedWork {
public:
    void push(GpuItem &item) { m_items.push_back(&item); }
    bool empty() const { return m_items.empty(); }

    void match(const GpuActivity &activity)
    {
        while (!m_items.empty() && wasCompleteBefore(*m_items.front(), activity.startNs))
            giveUpFront();
        const auto found =
            std::find_if(m_items.begin(), m_items.end(), [&](const GpuItem *item) { return isOf(*item, activity); });
        if (found == m_items.end() || activity.endNs + kClockToleranceNs < (*found)->submitNs)
            return; // Of work that was not announced.
        GpuItem *const matched = *found;
        while (m_items.front() != matched)
            giveUpFront(); // Its record is lost, or was not recognised: those of a stream come in order.
        GpuItem &item = *m_items.front();
        item.time = {activity.startNs, activity.endNs};
        item.state = GpuItem::State::Timed;
        m_items.pop_front();
    }

    void giveUpBefore(std::int64_t ns)
    {
        while (!m_items.empty() && m_items.front()->completedNs != 0 && m_items.front()->completedNs < ns)
            giveUpFront();
    }

    void giveUpAll()
    {
        while (!m_items.empty())
            giveUpFront();
    }

private:
    static bool isOf(const GpuItem &item, const GpuActivity &activity)
    {
        return activity.kind != GpuActivity::Kind::Memcpy
            || (activity.bytes >= item.bytes && (!item.copy || *item.copy == kindOf(activity.copy)));
    }

    static bool wasCompleteBefore(const GpuItem &item, std::int64_t ns)
    {
        return item.completedNs != 0 && item.completedNs + kClockToleranceNs < ns;
    }

    void giveUpFront()
    {
        m_items.front()->state = GpuItem::State::Untimed;
        m_items.pop_front();
    }

    std::deque<GpuItem *> m_items;
};

class CuptiTimes final : public GpuTimeSource {
public:
    CuptiTimes(Device &device, std::unique_ptr<CuptiSession> session) : m_device(device), m_session(std::move(session))
    {
    }

    GpuTime kind() const override { return GpuTime::Cupti; }
    bool timesKernels() const override { return true; }

    void addStream(Stream &stream) override
    {
        const Result<std::uint32_t> id = m_device.cuptiStreamId(stream);
        if (id.ok())
            m_streams[&stream] = id.value(); // Work of a stream without an id only gets bounds.
    }

    void removeStream(const Stream &stream) override
    {
        const auto found = m_streams.find(&stream);
        if (found == m_streams.end())
            return;
        StreamWork &work = m_work[found->second];
        work.kernels.giveUpAll();
        work.copies.giveUpAll();
        m_work.erase(found->second);
        m_streams.erase(found);
    }

    Status end(Stream &stream, GpuItem &item) override
    {
        const auto found = m_streams.find(&stream);
        const GpuActivity::Kind kind = item.isKernel ? GpuActivity::Kind::Kernel : GpuActivity::Kind::Memcpy;
        if (found == m_streams.end() || !m_session->refusal(kind).empty()) {
            item.state = GpuItem::State::Untimed;
            return {};
        }
        StreamWork &work = m_work[found->second];
        (item.isKernel ? work.kernels : work.copies).push(item);
        return {};
    }

    Status collect() override
    {
        takeRecords();
        const std::int64_t lost = nowNs() - kLostAfterNs;
        for (auto &[id, work] : m_work) {
            work.kernels.giveUpBefore(lost);
            work.copies.giveUpBefore(lost);
        }
        return {};
    }

    Status finish() override
    {
        Status flushed;
        const auto giveUp = std::chrono::steady_clock::now() + kRecordTimeout;
        while (isExpecting() && flushed.ok() && std::chrono::steady_clock::now() < giveUp) {
            flushed = m_session->flush();
            takeRecords();
            if (isExpecting())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        for (auto &[id, work] : m_work) {
            work.kernels.giveUpAll();
            work.copies.giveUpAll();
        }
        return flushed;
    }

    void setRecording(bool on) override { static_cast<void>(m_session->setRecording(on)); }
    std::string trouble() const override { return m_session->counters().trouble(); }

private:
    struct StreamWork {
        ExpectedWork kernels;
        ExpectedWork copies;
    };

    bool isExpecting() const
    {
        for (const auto &[id, work] : m_work)
            if (!work.kernels.empty() || !work.copies.empty())
                return true;
        return false;
    }

    void takeRecords()
    {
        m_session->take(m_records);
        for (const GpuActivity &activity : m_records) {
            const auto found = m_work.find(activity.streamId);
            if (found == m_work.end())
                continue;
            if (activity.kind == GpuActivity::Kind::Memcpy)
                found->second.copies.match(activity);
            else if (activity.kind == GpuActivity::Kind::Kernel && activity.ours)
                found->second.kernels.match(activity);
        }
    }

    Device &m_device;
    const std::unique_ptr<CuptiSession> m_session;
    std::unordered_map<const Stream *, std::uint32_t> m_streams; ///< CUPTI's stream ids.
    std::unordered_map<std::uint32_t, StreamWork> m_work;        ///< By CUPTI's stream ids.
    std::vector<GpuActivity> m_records;
};

/// Loads the session's copy of the library once; it stays loaded.
Result<std::unique_ptr<CuptiSession>> openSession(const std::string &file)
{
    JETSCOPE_TRY_ASSIGN(CuptiLibrary library, CuptiLibrary::load(file));
    return CuptiSession::open(library);
}

} // namespace

Result<std::unique_ptr<GpuTimeSource>> newCuptiTimes(Device &device)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<CuptiSession> session, openSession(device.facts().cuptiLibrary));
    return std::unique_ptr<GpuTimeSource>(std::make_unique<CuptiTimes>(device, std::move(session)));
}

} // namespace jetscope
