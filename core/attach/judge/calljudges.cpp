// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/calljudges.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/buffernames.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace jetscope {

namespace {

constexpr const char *kGrowingObjects = "growing-objects";

/// Calls by which memory and objects come, go or get a property that later calls depend on.
constexpr jsa_work kObjectWork[] = {
    JSA_WORK_CONTEXT,     JSA_WORK_CURRENT,     JSA_WORK_PIXELSTORE, JSA_WORK_IMAGE,        JSA_WORK_IMAGEEND,
    JSA_WORK_FENCE,       JSA_WORK_FENCEEND,    JSA_WORK_STREAM,     JSA_WORK_EGLSTREAMEND, JSA_WORK_CONNECT,
    JSA_WORK_DISCONNECT,  JSA_WORK_EGLFRAME,    JSA_WORK_RELEASE,    JSA_WORK_TEXTURES,     JSA_WORK_TEXTURESEND,
    JSA_WORK_ALLOC,       JSA_WORK_HOSTALLOC,   JSA_WORK_MANAGED,    JSA_WORK_FREE,         JSA_WORK_POOLALLOC,
    JSA_WORK_POOLFREE,    JSA_WORK_POOLKEEP,    JSA_WORK_REGISTER,   JSA_WORK_UNREGISTER,   JSA_WORK_ATTACH,
    JSA_WORK_GRAPHICS,    JSA_WORK_GRAPHICSEND, JSA_WORK_MAP,        JSA_WORK_UNMAP,        JSA_WORK_STREAMMADE,
    JSA_WORK_STREAMEND,   JSA_WORK_EVENTMADE,   JSA_WORK_EVENTEND,   JSA_WORK_NAME,         JSA_WORK_NVBUF,
    JSA_WORK_NVBUFEND,    JSA_WORK_NVMAP,       JSA_WORK_NVUNMAP,    JSA_WORK_NVIMAGE,      JSA_WORK_NVIMAGEEND,
    JSA_WORK_ARRAY,       JSA_WORK_ARRAYEND,    JSA_WORK_PHYSICAL,   JSA_WORK_PHYSICALEND,  JSA_WORK_VIRTUALMAP,
    JSA_WORK_VIRTUALUNMAP};

bool changesObjects(const AttachEvent &event)
{
    const jsa_work work = attachCall(event.call)->work;
    return marksBuffer(event)
        || std::find(std::begin(kObjectWork), std::end(kObjectWork), work) != std::end(kObjectWork);
}

template <class Value>
void append(std::vector<Value> &all, std::vector<Value> more)
{
    all.insert(all.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

WasteFinding findingOf(const GrowingObjects &growing, std::uint32_t frames, const UnseenCalls &unseen)
{
    WasteFinding finding;
    finding.what = kGrowingObjects;
    finding.grade = unseen.any() ? FindingGrade::Unknown : FindingGrade::Seen;
    finding.calls = growing.more;
    finding.frames = std::min<std::uint64_t>(growing.more, frames);
    finding.text = std::to_string(growing.more) + " more of " + std::string(growing.what)
        + " than after the first frames (" + std::string(attachCall(growing.call)->name)
        + "), which were made and not given back: destroy each when it is not needed any more";
    return finding;
}

} // namespace

void CallJudges::setUnseen(const UnseenCalls &unseen)
{
    m_unseen = unseen;
    m_waste.setUnseen(unseen);
    m_ledger.setUnseen(unseen);
}

void CallJudges::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame)
{
    if (!m_model.take(event, pid, tid))
        return;
    m_waste.take(event, pid, tid, frame);
    m_ledger.take(event, pid, tid, frame);
    m_glOrder.take(event, pid, tid, frame);
    m_nvBufs.take(event, pid, frame);
    m_resources.take(event, pid, frame);
}

bool CallJudges::learn(const AttachEvent &event, std::int32_t pid, std::int32_t tid)
{
    if (event.failed() || !changesObjects(event))
        return false;
    take(event, pid, tid, kNoFrame);
    return true;
}

void CallJudges::interrupt()
{
    m_model.interrupt();
    m_ledger.interrupt();
    m_glOrder.interrupt();
    m_nvBufs.interrupt();
    m_waste.interrupt();
}

std::vector<CallSite> CallJudges::takeNewSites()
{
    std::vector<CallSite> sites = m_waste.takeNewSites();
    append(sites, m_ledger.takeNewSites());
    append(sites, m_glOrder.takeNewSites());
    append(sites, m_nvBufs.takeNewSites());
    return sites;
}

std::vector<WasteFinding> CallJudges::findings(std::uint32_t frames, std::int64_t periodsNs,
                                               const DefaultStreamWaits &waits) const
{
    std::vector<WasteFinding> found = m_ledger.findings(frames);
    append(found, m_glOrder.findings(frames, m_unseen));
    append(found, m_nvBufs.findings(frames, m_unseen));
    append(found, m_waste.findings(frames, periodsNs, waits));
    for (const GrowingObjects &growing : m_resources.growing(frames))
        found.push_back(findingOf(growing, frames, m_unseen));
    return found;
}

std::vector<WasteCheck> CallJudges::checks(std::uint32_t frames) const
{
    std::vector<WasteCheck> all = m_waste.checks(frames);
    // Objects need frames and calls, too, and nothing else.
    const auto alike = std::find_if(all.begin(), all.end(),
                                    [](const WasteCheck &check) { return check.what == "allocation-per-frame"; });
    all.push_back({kGrowingObjects, alike->reason});
    append(all, m_ledger.checks());
    append(all, m_glOrder.checks(m_unseen));
    append(all, m_nvBufs.checks(m_unseen));
    return all;
}

} // namespace jetscope
