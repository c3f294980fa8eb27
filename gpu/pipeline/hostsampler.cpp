// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/hostsampler.h"

#include "core/board/boardcounters.h"
#include "core/board/limitwatch.h"
#include "core/time/clock.h"
#include "gpu/board/machinesampler.h"

#include <chrono>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kPeriod{100};

} // namespace

HostSampler::HostSampler(std::string root, const DeviceFacts &device, PipelineChannel &channel, bool paused)
    : m_channel(channel),
      m_software(device.software),
      m_pciBusId(device.pciBusId),
      m_paused(paused),
      m_thread([this, root = std::move(root)] { work(root); })
{
}

HostSampler::~HostSampler()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_condition.notify_all();
    m_thread.join();
}

void HostSampler::setPaused(bool paused)
{
    {
        const std::lock_guard lock(m_mutex);
        m_paused = paused;
    }
    m_condition.notify_all();
}

void HostSampler::setDevice(const DeviceFacts &device)
{
    const std::lock_guard lock(m_mutex);
    m_software = device.software;
    m_pciBusId = device.pciBusId;
}

void HostSampler::work(const std::string &root)
{
    std::unique_lock lock(m_mutex);
    bool software = m_software;
    lock.unlock();
    MachineSampler sampler = software ? MachineSampler(root, MachineSampler::WithoutNvml{}) : MachineSampler(root);
    LimitWatch watch;
    BoardCounters counters(sampler.items(), PipelineChannel::kFirstHostCounter);
    if (counters.infos().empty())
        return;
    m_channel.addCounters(counters.infos());
    std::vector<CounterSample> samples;
    std::string first;
    lock.lock();
    while (!m_stopping) {
        software = m_software;
        const bool moved = first != m_pciBusId;
        first = m_pciBusId;
        lock.unlock();
        if (moved)
            sampler.putFirst(first);
        const BoardState &state = sampler.sample(nowNs(), false, !software);
        counters.take(state, samples);
        for (LimitWatch::Event &event : watch.take(state)) {
            PipelineNotice notice;
            notice.kind = PipelineNotice::Kind::Machine;
            notice.frame = kNoFrame;
            notice.timeNs = event.timeNs;
            notice.text = std::move(event.text);
            m_channel.report(std::move(notice));
        }
        m_channel.setPowerMode(state.powerMode);
        m_channel.addSamples(samples);
        samples.clear();
        lock.lock();
        m_condition.wait_for(lock, kPeriod, [this] { return m_stopping; });
        m_condition.wait(lock, [this] { return m_stopping || !m_paused; });
    }
}

} // namespace jetscope
