// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tabs/boardwatch.h"

#include "core/time/clock.h"

#include <chrono>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kWatchPeriod{500};

} // namespace

BoardWatch::BoardWatch(SamplerMaker make, std::string root, QObject *parent)
    : QObject(parent), m_make(std::move(make)), m_root(std::move(root))
{
}

BoardWatch::~BoardWatch()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void BoardWatch::setGpu(const std::string &pciBusId)
{
    const std::lock_guard lock(m_mutex);
    m_pciBusId = pciBusId;
}

void BoardWatch::setWanted(bool wanted)
{
    {
        const std::lock_guard lock(m_mutex);
        m_wanted = wanted;
    }
    m_changed.notify_all();
    if (wanted && !m_thread.joinable())
        m_thread = std::thread([this] { work(); });
}

void BoardWatch::work()
{
    MachineSampler sampler = m_make();
    const auto facts = std::make_shared<const BoardFacts>(
        BoardFacts{readBoardIdentity(m_root), sampler.layout(), sampler.nvmlReason()});
    std::string first;
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        const bool moved = first != m_pciBusId;
        first = m_pciBusId;
        lock.unlock();
        if (moved)
            sampler.putFirst(first);
        const BoardState state = sampler.sample(nowNs());
        QMetaObject::invokeMethod(
            this, [this, facts, state] { emit read(facts, state); }, Qt::QueuedConnection);
        lock.lock();
        m_changed.wait_for(lock, kWatchPeriod, [this] { return m_stopping; });
        m_changed.wait(lock, [this] { return m_stopping || m_wanted; });
    }
}

} // namespace jetscope
