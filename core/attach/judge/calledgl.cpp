// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/calledgl.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::uint64_t kCudaEventSync = 0x323B;    // EGL_SYNC_CUDA_EVENT_NV
constexpr std::uint64_t kTimeoutExpired = 0x30F5;   // EGL_TIMEOUT_EXPIRED
constexpr std::uint64_t kTimeoutExpiredGl = 0x911B; // GL_TIMEOUT_EXPIRED
constexpr std::uint64_t kWaitFailedGl = 0x911D;     // GL_WAIT_FAILED

/// Objects of the ledger that are no handles of the program.
constexpr char kGl = 0;      ///< All commands of GL. Which context waits for which one is not followed.
constexpr char kGlFence = 0; ///< A fence behind all of them so far.

} // namespace

void CalledGl::comeBehind(std::uint64_t stream)
{
    m_process.ledger.map(m_process.streams.beginWork(stream));
    m_process.streams.endWork(stream);
}

void CalledGl::handOver(std::uint64_t stream)
{
    m_process.ledger.unmap(m_process.streams.beginWork(stream));
    m_process.streams.endWork(stream);
    m_process.values.cpuMayLearn(stream); // By way of GL.
}

bool CalledGl::takeInterop(const LedgerCall &call)
{
    const AttachEvent &event = call.event;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_MAP:
        comeBehind(streamOfCall(event, 1, call.tid));
        return true;
    case JSA_WORK_UNMAP:
        handOver(streamOfCall(event, 1, call.tid));
        return true;
    case JSA_WORK_ACQUIRE: // A frame of an EGLStream, in a stream that is not recorded.
        for (const std::uint64_t stream : m_process.streams.all())
            comeBehind(stream);
        return true;
    case JSA_WORK_RELEASE:
        for (const std::uint64_t stream : m_process.streams.all())
            handOver(stream);
        return true;
    default:
        break;
    }
    if (event.call != JSA_CALL_cuEventCreateFromEGLSync)
        return false;
    m_process.events.add(event.argument[0]);
    m_process.ledger.glWaitSync(&kGl, ledgerObjectOf(event.argument[2]));
    m_process.ledger.glFence(&kGl, &kGlFence);
    m_process.ledger.eventFromFence(ledgerObjectOf(event.argument[0]), &kGlFence);
    return true;
}

/// GL may hand what it waits for to the CPU by any fence: those are not followed one by one.
void CalledGl::takeWait(const LedgerCall &call)
{
    const auto &argument = call.event.argument;
    const std::uint64_t answer = attachCall(call.event.call)->work == JSA_WORK_GLWAIT ? argument[2] : 0;
    if (answer == kTimeoutExpired || answer == kTimeoutExpiredGl || answer == kWaitFailedGl)
        return;
    if (!m_process.events.waitedForSync(argument[0]))
        m_process.ledger.glFinish(&kGl);
}

HazardEvidence CalledGl::take(const LedgerCall &call)
{
    const auto &argument = call.event.argument;
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_FENCE:
        if (argument[1] == kCudaEventSync)
            m_process.events.addSync(argument[0], argument[2], call.caller);
        return HazardEvidence::Calls;
    case JSA_WORK_FENCEEND:
        m_process.events.removeSync(argument[0]);
        return HazardEvidence::Calls;
    case JSA_WORK_SERVERWAIT:
        m_process.ledger.glWaitSync(&kGl, ledgerObjectOf(argument[0]));
        return HazardEvidence::Calls;
    case JSA_WORK_GLWAIT:
    case JSA_WORK_GLQUERY: // Its answer is not recorded; it counts as "signaled".
        takeWait(call);
        return HazardEvidence::Calls;
    case JSA_WORK_FINISH:
    case JSA_WORK_MAPBUFFER:
        m_process.ledger.glFinish(&kGl);
        return HazardEvidence::Calls;
    case JSA_WORK_READBACK:
        m_process.ledger.glFinish(&kGl);
        return takeImage(call);
    case JSA_WORK_STORAGE:
    case JSA_WORK_UPLOAD:
    case JSA_WORK_BUFFERDATA:
        return takeImage(call);
    case JSA_WORK_FRAME:
        if (marksBuffer(call.event))
            m_memory.name(call);
        return HazardEvidence::Calls;
    default:
        if (call.event.call == JSA_CALL_eglDupNativeFenceFDANDROID) // The CPU waits for the descriptor.
            m_process.ledger.glFinish(&kGl);
        return HazardEvidence::Calls;
    }
}

/// GL reads and writes memory of the host within the call, on the thread of the program.
HazardEvidence CalledGl::takeImage(const LedgerCall &call)
{
    const auto &argument = call.event.argument;
    const jsa_work work = attachCall(call.event.call)->work;
    const PixelRows rows = work == JSA_WORK_BUFFERDATA ? PixelRows{argument[1], argument[0], 1, 0, true}
                                                       : m_pixels.rowsOf(call.event, call.pid, call.tid);
    const auto use = m_memory.useOf(rows.address, std::max<std::uint64_t>(rows.bytes, 1),
                                    work == JSA_WORK_READBACK ? Access::Write : Access::Read, rows.rows, rows.pitch);
    if (use) {
        m_process.ledger.beginCpuAccess(*use, call.caller);
        m_process.ledger.endCpuAccess(*use);
    }
    return rows.isCertain ? HazardEvidence::Calls : HazardEvidence::UnknownBytes;
}

} // namespace jetscope
