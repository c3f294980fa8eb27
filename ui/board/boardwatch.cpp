// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardwatch.h"

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
        const std::lock_guard lock(m_wishes->mutex);
        m_wishes->stopping = true;
    }
    m_wishes->changed.notify_all();
}

void BoardWatch::setGpu(const std::string &pciBusId)
{
    const std::lock_guard lock(m_wishes->mutex);
    m_wishes->pciBusId = pciBusId;
}

void BoardWatch::setWanted(bool wanted)
{
    {
        const std::lock_guard lock(m_wishes->mutex);
        m_wishes->wanted = wanted;
    }
    m_wishes->changed.notify_all();
    if (wanted && !std::exchange(m_started, true))
        m_thread.start([this, make = m_make, root = m_root, wishes = m_wishes](const Worker::Reply &reply) {
            work(make, root, *wishes,
                 [this, &reply](const std::shared_ptr<const BoardFacts> &facts, const BoardState &state) {
                     reply.post([this, facts, state] { emit read(facts, state); });
                 });
        });
}

/// On the thread.
void BoardWatch::work(const SamplerMaker &make, const std::string &root, Wishes &wishes, const Teller &tell)
{
    MachineSampler sampler = make();
    const auto facts = std::make_shared<const BoardFacts>(
        BoardFacts{readBoardIdentity(root), sampler.layout(), sampler.nvmlReason(), wallClockOffsetNs()});
    std::string first;
    std::unique_lock lock(wishes.mutex);
    while (!wishes.stopping) {
        const bool moved = first != wishes.pciBusId;
        first = wishes.pciBusId;
        lock.unlock();
        if (moved)
            sampler.putFirst(first);
        tell(facts, sampler.sample(nowNs()));
        lock.lock();
        wishes.changed.wait_for(lock, kWatchPeriod, [&wishes] { return wishes.stopping; });
        wishes.changed.wait(lock, [&wishes] { return wishes.stopping || wishes.wanted; });
    }
}

} // namespace jetscope
