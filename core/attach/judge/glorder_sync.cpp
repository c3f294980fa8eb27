// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"
#include "core/attach/judge/glorder.h"

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

bool GlOrder::hasSeen(const Context &context, const ContextId &other, std::uint64_t command)
{
    const auto seen = context.seen.find(other);
    return seen != context.seen.end() && seen->second >= command;
}

/// When the context came behind it; 0 if that was forgotten.
std::uint64_t GlOrder::learnedAt(const Context &context, const Written &written)
{
    const auto steps = context.learned.find(written.context);
    if (steps == context.learned.end())
        return 0;
    const auto step = std::find_if(steps->second.begin(), steps->second.end(),
                                   [&](const Learned &each) { return each.commands >= written.command; });
    return step == steps->second.end() ? 0 : step->at;
}

void GlOrder::learn(Context &context, const Clock &clock) const
{
    for (const auto &[id, commands] : clock) {
        std::uint64_t &known = context.seen[id];
        if (known >= commands)
            continue;
        known = commands;
        std::deque<Learned> &steps = context.learned[id];
        steps.push_back({commands, m_events});
        if (steps.size() <= kMaxLearned)
            continue;
        steps.pop_front();
        steps.front().at = 0;
    }
}

void GlOrder::takeSync(const ContextId &id, Context &context, const Call &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_FENCE:
        return makeFence(id, context, call);
    case JSA_WORK_FLUSH:
    case JSA_WORK_SWAP:
        return flush(context, call.pid);
    case JSA_WORK_FINISH:
        return finish(id, context);
    case JSA_WORK_SERVERWAIT:
        return waitFor(id, context, call);
    default:
        if (call.event.call == JSA_CALL_eglDupNativeFenceFDANDROID) // The CPU or a device waits for the descriptor.
            finishAll();
        return;
    }
}

/// The fence that a call waits for; null if it is not known. It may be one that was forgotten: then all is complete.
GlOrder::Fence *GlOrder::fenceOf(const Call &call)
{
    const auto fence = m_fences.find({call.pid, call.event.argument[0]});
    if (fence != m_fences.end())
        return &fence->second;
    if (m_hasForgotFences)
        finishAll();
    return nullptr;
}

/// Of fences of EGL threads without a context, too.
void GlOrder::takeCpuWait(Context *context, const Call &call)
{
    const auto &argument = call.event.argument;
    const jsa_work work = attachCall(call.event.call)->work;
    if (work == JSA_WORK_FENCEEND)
        return endFence(call);
    // The answer to a question is not recorded; it counts as "signaled".
    if (work != JSA_WORK_GLQUERY && work != JSA_WORK_GLWAIT)
        return;
    if (work == JSA_WORK_GLWAIT && context && (argument[3] & kGlFlushBit) != 0)
        flush(*context, call.pid);
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
    cpuKnows(fence->behind, call.pid);
}

/// Another thread may have got the same handle again before the call had returned.
void GlOrder::endFence(const Call &call)
{
    const auto fence = m_fences.find({call.pid, call.event.argument[0]});
    if (fence != m_fences.end() && fence->second.madeNs <= call.event.startNs)
        m_fences.erase(fence);
}

/// A fence of before that somebody waits for and that nothing has flushed may never be signaled.
void GlOrder::makeFence(const ContextId &id, Context &context, const Call &call)
{
    if (call.event.argument[1] == kReusable)
        return;
    for (const std::uint64_t handle : std::exchange(context.unflushed, {})) {
        const auto fence = m_fences.find({call.pid, handle});
        if (fence != m_fences.end() && fence->second.context == id && !fence->second.isFlushed && fence->second.awaited)
            count(Mistake::Flush, {*std::exchange(fence->second.awaited, {}), call.pid, fence->second.frame});
    }
    if (m_fences.size() >= kMaxGlFences)
        forgetOldFences();
    Fence fence{id, context.seen, call.event.endNs, m_events, false, {}, call.frame};
    fence.behind[id] = ++context.commands;
    m_fences[{call.pid, call.event.argument[0]}] = std::move(fence);
    context.unflushed.push_back(call.event.argument[0]);
}

/// Of programs that never delete one, the older half.
void GlOrder::forgetOldFences()
{
    std::vector<std::uint64_t> ages;
    for (const auto &[id, fence] : m_fences)
        ages.push_back(fence.at);
    const auto middle = ages.begin() + static_cast<std::ptrdiff_t>(ages.size() / 2);
    std::nth_element(ages.begin(), middle, ages.end());
    std::erase_if(m_fences, [&](const auto &entry) { return entry.second.at < *middle; });
    m_hasForgotFences = true;
}

void GlOrder::flush(Context &context, std::int32_t pid)
{
    for (const std::uint64_t handle : std::exchange(context.unflushed, {}))
        if (const auto fence = m_fences.find({pid, handle}); fence != m_fences.end())
            fence->second.isFlushed = true;
}

/// How threads hand on what they know is not seen, so that all know it.
void GlOrder::cpuKnows(const Clock &clock, std::int32_t pid)
{
    for (const auto &[id, commands] : clock) {
        std::uint64_t &known = m_known[pid][id];
        known = std::max(known, commands);
    }
    for (auto &[id, context] : m_contexts)
        if (id.first == pid)
            learn(context, clock);
}

void GlOrder::finish(const ContextId &id, Context &context)
{
    flush(context, id.first);
    Clock all = context.seen;
    all[id] = context.commands;
    cpuKnows(all, id.first);
}

void GlOrder::finishAll()
{
    for (auto &[id, context] : m_contexts)
        finish(id, context);
}

void GlOrder::waitFor(const ContextId &id, Context &context, const Call &call)
{
    Fence *const fence = fenceOf(call);
    if (!fence)
        return;
    learn(context, fence->behind);
    if (fence->isFlushed || fence->context == id)
        return;
    fence->awaited = call.event;
    fence->frame = call.frame;
}

// --- what was found

std::vector<WasteFinding> GlOrder::findings(std::uint32_t frames, const UnseenCalls &unseen) const
{
    std::vector<WasteFinding> found;
    const auto add = [&](const FindingTally &tally, const char *what, FindingGrade grade, const char *text,
                         const char *fix) {
        found.push_back(findingOf(tally, what, grade, text, fix, frames, unseen));
    };
    for (const auto &[mistake, tally] : m_found) {
        if (mistake == Mistake::PossibleOrder && m_found.contains(Mistake::Order))
            continue; // The same, said with more certainty.
        if (mistake != Mistake::Order && frames > 0 && !tally.isFrequent(frames))
            continue;
        if (mistake == Mistake::Binding)
            add(tally, "hazard-gl-binding", FindingGrade::Possible,
                "A texture or buffer that another context of GL has changed is used without being bound or attached "
                "again behind that, so that its old content may be shown",
                "bind it again behind the wait");
        else if (mistake == Mistake::Flush)
            add(tally, "hazard-gl-flush", FindingGrade::Seen,
                "A wait is for a fence that the context of GL which made it has not flushed, so that the fence may "
                "never be signaled, or the wait may do nothing",
                "call glFlush behind glFenceSync in the context that makes the fence");
        else if (mistake == Mistake::Overwrite)
            add(tally, "hazard-gl-overwrite", FindingGrade::Possible,
                "A texture or buffer is overwritten in one context of GL while another one may still read it: nothing "
                "orders the two",
                "call glFenceSync and glFlush behind the reading, and glWaitSync with that fence before it is "
                "overwritten, or take more textures by turns");
        else
            add(tally, "hazard-gl-order", mistake == Mistake::Order ? FindingGrade::Seen : FindingGrade::Possible,
                "A texture or buffer that one context of GL has drawn or uploaded is used in another one, and nothing "
                "orders the two: the picture may be an old one or half of a new one",
                "call glFenceSync and glFlush behind the drawing, and glWaitSync with that fence before the use, or "
                "glFinish behind the drawing");
    }
    return found;
}

std::vector<WasteCheck> GlOrder::checks(const UnseenCalls &unseen) const
{
    std::string reason;
    if (!m_hasShared)
        reason = m_hasGlx ? "which contexts of GLX share objects is not seen"
                          : "eglCreateContext made no context that shares objects with another one";
    else if (m_tooMany)
        reason = "there were too many contexts or objects to follow";
    else if (unseen.any())
        reason = unseen.text() + ", so that it cannot be told";
    std::vector<WasteCheck> all;
    for (const char *const what : {"hazard-gl-order", "hazard-gl-binding", "hazard-gl-flush", "hazard-gl-overwrite"})
        all.push_back({what, reason});
    all.push_back({"hazard-gl-shaders",
                   m_hasShared ? "what shaders write to images and buffers, and which buffers they read, is not in the "
                                 "calls"
                               : reason});
    if (m_hasImages)
        all.push_back({"hazard-gl-images", "who else writes or reads the pixels of an EGLImage is not followed"});
    return all;
}

} // namespace jetscope
