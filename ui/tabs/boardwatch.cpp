// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tabs/boardwatch.h"

#include "core/time/clock.h"
#include "gpu/board/machinesampler.h"

#include <chrono>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kWatchPeriod{500};

} // namespace

BoardWatch::BoardWatch(std::string root, QObject *parent) : QObject(parent), m_root(std::move(root)) {}

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
    MachineSampler sampler(m_root);
    const auto facts = std::make_shared<const BoardFacts>(
        BoardFacts{readBoardIdentity(m_root), sampler.layout(), sampler.nvmlReason()});
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        lock.unlock();
        const BoardState state = sampler.sample(nowNs());
        QMetaObject::invokeMethod(
            this, [this, facts, state] { emit read(facts, state); }, Qt::QueuedConnection);
        lock.lock();
        m_changed.wait_for(lock, kWatchPeriod, [this] { return m_stopping; });
        m_changed.wait(lock, [this] { return m_stopping || m_wanted; });
    }
}

} // namespace jetscope
