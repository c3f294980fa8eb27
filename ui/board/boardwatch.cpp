// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardwatch.h"

#include <chrono>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kWatchPeriod{500};

} // namespace

BoardWatch::BoardWatch(ReaderMaker make, QObject *parent) : QObject(parent), m_make(std::move(make)) {}

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
        m_thread.start([this, make = m_make, wishes = m_wishes](const Worker::Reply &reply) {
            work(make, *wishes, [this, &reply](BoardValues values) {
                reply.post([this, values = std::move(values)] { emit read(values.facts, values.state); });
            });
        });
}

/// On the thread. While a board is out of reach nothing is told, and the next reading is tried.
void BoardWatch::work(const ReaderMaker &make, Wishes &wishes, const Teller &tell)
{
    const std::unique_ptr<MachineReader> machine = make();
    std::unique_lock lock(wishes.mutex);
    while (machine && !wishes.stopping) {
        const std::string first = wishes.pciBusId;
        lock.unlock();
        if (Result<BoardValues> values = machine->read(first); values.ok())
            tell(std::move(values).value());
        lock.lock();
        wishes.changed.wait_for(lock, kWatchPeriod, [&wishes] { return wishes.stopping; });
        wishes.changed.wait(lock, [&wishes] { return wishes.stopping || wishes.wanted; });
    }
}

} // namespace jetscope
