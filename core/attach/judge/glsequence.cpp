// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/glsequence.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxGlFences = 1 << 14;
constexpr std::size_t kMaxLearned = 64;
constexpr std::uint64_t kGlFlushBit = 1;            // GL_SYNC_FLUSH_COMMANDS_BIT, also of EGL
constexpr std::uint64_t kReusable = 0x30FA;         // EGL_SYNC_REUSABLE_KHR, which the CPU signals.
constexpr std::uint64_t kWaitExpiredOfEgl = 0x30F5; // EGL_TIMEOUT_EXPIRED
constexpr std::uint64_t kWaitExpiredOfGl = 0x911B;  // GL_TIMEOUT_EXPIRED
constexpr std::uint64_t kWaitFailedOfGl = 0x911D;   // GL_WAIT_FAILED

} // namespace

bool GlSequence::Queue::hasSeen(const ContextId &other, std::uint64_t command) const
{
    const auto known = seen.find(other);
    return known != seen.end() && known->second >= command;
}

std::uint64_t GlSequence::Queue::learnedAt(const ContextId &other, std::uint64_t command) const
{
    const auto steps = learned.find(other);
    if (steps == learned.end())
        return 0;
    const auto step = std::find_if(steps->second.begin(), steps->second.end(),
                                   [&](const Learned &each) { return each.commands >= command; });
    return step == steps->second.end() ? 0 : step->at;
}

void GlSequence::learn(Queue &queue, const Clock &clock, std::uint64_t at)
{
    for (const auto &[id, commands] : clock) {
        std::uint64_t &known = queue.seen[id];
        if (known >= commands)
            continue;
        known = commands;
        std::deque<Queue::Learned> &steps = queue.learned[id];
        steps.push_back({commands, at});
        if (steps.size() <= kMaxLearned)
            continue;
        steps.pop_front();
        steps.front().at = 0;
    }
}

/// Of a context that had this handle before, nothing is in flight that could be told apart.
GlSequence::Queue &GlSequence::make(const GlCall &call)
{
    Queue &queue = m_queues[{call.pid, call.event.argument[0]}];
    Queue made;
    made.id = {call.pid, call.event.argument[0]};
    made.commands = queue.commands;
    learn(made, m_known[call.pid], call.number);
    queue = std::move(made);
    return queue;
}

void GlSequence::interrupt()
{
    m_hasForgotFences = m_hasForgotFences || !m_fences.empty();
    m_fences.clear();
    for (auto &[id, queue] : m_queues)
        queue.unflushed.clear();
}

void GlSequence::take(Queue &queue, const GlCall &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_FENCE:
        return makeFence(queue, call);
    case JSA_WORK_FLUSH:
    case JSA_WORK_SWAP:
        return flush(queue);
    case JSA_WORK_FINISH:
        return finish(queue, call);
    case JSA_WORK_SERVERWAIT:
        return waitFor(queue, call);
    default:
        if (call.event.call == JSA_CALL_eglDupNativeFenceFDANDROID) // The CPU or a device waits for the descriptor.
            finishAll(call);
        return;
    }
}

/// The fence that a call waits for; null if it is not known. It may be one that was forgotten: then all is complete.
GlSequence::Fence *GlSequence::fenceOf(const GlCall &call)
{
    const auto fence = m_fences.find({call.pid, call.event.argument[0]});
    if (fence != m_fences.end())
        return &fence->second;
    if (m_hasForgotFences)
        finishAll(call);
    return nullptr;
}

void GlSequence::takeCpuWait(Queue *current, const GlCall &call)
{
    const auto &argument = call.event.argument;
    const jsa_work work = attachCall(call.event.call)->work;
    if (work == JSA_WORK_FENCEEND)
        return endFence(call);
    // The answer to a question is not recorded; it counts as "signaled".
    if (work != JSA_WORK_GLQUERY && work != JSA_WORK_GLWAIT)
        return;
    if (work == JSA_WORK_GLWAIT && current && (argument[3] & kGlFlushBit) != 0)
        flush(*current);
    Fence *const fence = fenceOf(call);
    if (!fence)
        return;
    if (work == JSA_WORK_GLWAIT && argument[2] == kWaitFailedOfGl)
        return;
    if (work == JSA_WORK_GLWAIT && (argument[2] == kWaitExpiredOfGl || argument[2] == kWaitExpiredOfEgl)) {
        if (argument[1] > 0 && !fence->isFlushed) {
            fence->awaited = call.event;
            fence->frame = call.frame;
        }
        return;
    }
    fence->isFlushed = true;
    fence->awaited.reset();
    cpuKnows(fence->behind, call.pid, call.number);
}

/// Another thread may have got the same handle again before the call had returned.
void GlSequence::endFence(const GlCall &call)
{
    const auto fence = m_fences.find({call.pid, call.event.argument[0]});
    if (fence != m_fences.end() && fence->second.madeNs <= call.event.startNs)
        m_fences.erase(fence);
}

/// A fence of before that somebody waits for and that nothing has flushed may never be signaled.
void GlSequence::makeFence(Queue &queue, const GlCall &call)
{
    if (call.event.argument[1] == kReusable)
        return;
    for (const std::uint64_t handle : std::exchange(queue.unflushed, {})) {
        const auto fence = m_fences.find({call.pid, handle});
        if (fence != m_fences.end() && fence->second.context == queue.id && !fence->second.isFlushed
            && fence->second.awaited)
            m_endlessWaits.push_back({*std::exchange(fence->second.awaited, {}), call.pid, fence->second.frame});
    }
    if (m_fences.size() >= kMaxGlFences)
        forgetOldFences();
    Fence fence{queue.id, queue.seen, call.event.endNs, call.number, false, {}, call.frame};
    fence.behind[queue.id] = ++queue.commands;
    m_fences[{call.pid, call.event.argument[0]}] = std::move(fence);
    queue.unflushed.push_back(call.event.argument[0]);
}

/// Of programs that never delete one, the older half.
void GlSequence::forgetOldFences()
{
    std::vector<std::uint64_t> ages;
    for (const auto &[id, fence] : m_fences)
        ages.push_back(fence.at);
    const auto middle = ages.begin() + static_cast<std::ptrdiff_t>(ages.size() / 2);
    std::nth_element(ages.begin(), middle, ages.end());
    std::erase_if(m_fences, [&](const auto &entry) { return entry.second.at < *middle; });
    m_hasForgotFences = true;
}

void GlSequence::flush(Queue &queue)
{
    for (const std::uint64_t handle : std::exchange(queue.unflushed, {}))
        if (const auto fence = m_fences.find({queue.id.first, handle}); fence != m_fences.end())
            fence->second.isFlushed = true;
}

void GlSequence::cpuKnows(const Clock &clock, std::int32_t pid, std::uint64_t at)
{
    for (const auto &[id, commands] : clock) {
        std::uint64_t &known = m_known[pid][id];
        known = std::max(known, commands);
    }
    for (auto &[id, queue] : m_queues)
        if (id.first == pid)
            learn(queue, clock, at);
}

void GlSequence::finish(Queue &queue, const GlCall &call)
{
    flush(queue);
    Clock all = queue.seen;
    all[queue.id] = queue.commands;
    cpuKnows(all, queue.id.first, call.number);
}

void GlSequence::finishAll(const GlCall &call)
{
    for (auto &[id, queue] : m_queues)
        finish(queue, call);
}

void GlSequence::waitFor(Queue &queue, const GlCall &call)
{
    Fence *const fence = fenceOf(call);
    if (!fence)
        return;
    learn(queue, fence->behind, call.number);
    if (fence->isFlushed || fence->context == queue.id)
        return;
    fence->awaited = call.event;
    fence->frame = call.frame;
}

} // namespace jetscope
