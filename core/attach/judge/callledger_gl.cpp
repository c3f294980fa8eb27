// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"
#include "core/attach/judge/callledger.h"
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

void CallLedger::comeBehindGl(Process &process, std::uint64_t stream)
{
    process.ledger.map(process.streams.beginWork(stream));
    process.streams.endWork(stream);
}

void CallLedger::handToGl(Process &process, std::uint64_t stream)
{
    process.ledger.unmap(process.streams.beginWork(stream));
    process.streams.endWork(stream);
    process.values.cpuMayLearn(stream); // By way of GL.
}

bool CallLedger::takeInterop(Process &process, const Call &call)
{
    const AttachEvent &event = call.event;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_MAP:
        comeBehindGl(process, streamOfCall(event, 1, call.tid));
        return true;
    case JSA_WORK_UNMAP:
        handToGl(process, streamOfCall(event, 1, call.tid));
        return true;
    case JSA_WORK_ACQUIRE: // A frame of an EGLStream, in a stream that is not recorded.
        for (const std::uint64_t stream : process.streams.all())
            comeBehindGl(process, stream);
        return true;
    case JSA_WORK_RELEASE:
        for (const std::uint64_t stream : process.streams.all())
            handToGl(process, stream);
        return true;
    default:
        break;
    }
    if (event.call != JSA_CALL_cuEventCreateFromEGLSync)
        return false;
    takeObject(process, call);
    process.ledger.glWaitSync(&kGl, objectOf(event.argument[2]));
    process.ledger.glFence(&kGl, &kGlFence);
    process.ledger.eventFromFence(objectOf(event.argument[0]), &kGlFence);
    return true;
}

/// GL may hand what it waits for to the CPU by any fence: those are not followed one by one.
void CallLedger::takeGlWait(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    const std::uint64_t answer = attachCall(call.event.call)->work == JSA_WORK_GLWAIT ? argument[2] : 0;
    if (answer == kTimeoutExpired || answer == kTimeoutExpiredGl || answer == kWaitFailedGl)
        return;
    if (process.events.contains(argument[0]))
        process.ledger.syncExecuted(objectOf(argument[0]), true);
    else
        process.ledger.glFinish(&kGl);
}

void CallLedger::takeFence(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    if (argument[1] != kCudaEventSync || process.events.contains(argument[0]))
        return;
    if (isRecordUnseen(process, argument[2])) { // It may stand for any work.
        for (const std::uint64_t stream : process.streams.all())
            process.ledger.unmap(process.streams.awaited(stream));
        return;
    }
    process.events.insert(argument[0]);
    process.values.cpuMayLearnOf(objectOf(argument[2]));
    process.ledger.syncFromEvent(objectOf(argument[0]), objectOf(argument[2]), call.caller);
}

CallLedger::Evidence CallLedger::takeGl(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_FENCE:
        takeFence(process, call);
        return Evidence::Calls;
    case JSA_WORK_FENCEEND:
        if (process.events.erase(argument[0]) > 0)
            process.ledger.syncExecuted(objectOf(argument[0]), false);
        return Evidence::Calls;
    case JSA_WORK_SERVERWAIT:
        process.ledger.glWaitSync(&kGl, objectOf(argument[0]));
        return Evidence::Calls;
    case JSA_WORK_GLWAIT:
    case JSA_WORK_GLQUERY: // Its answer is not recorded; it counts as "signaled".
        takeGlWait(process, call);
        return Evidence::Calls;
    case JSA_WORK_FINISH:
    case JSA_WORK_MAPBUFFER:
        process.ledger.glFinish(&kGl);
        return Evidence::Calls;
    case JSA_WORK_READBACK:
        process.ledger.glFinish(&kGl);
        return takeImage(process, call);
    case JSA_WORK_STORAGE:
    case JSA_WORK_UPLOAD:
    case JSA_WORK_BUFFERDATA:
        return takeImage(process, call);
    case JSA_WORK_FRAME:
        if (marksBuffer(call.event))
            nameMemory(process, call);
        return Evidence::Calls;
    default:
        if (call.event.call == JSA_CALL_eglDupNativeFenceFDANDROID) // The CPU waits for the descriptor.
            process.ledger.glFinish(&kGl);
        return Evidence::Calls;
    }
}

/// GL reads and writes memory of the host within the call, on the thread of the program.
CallLedger::Evidence CallLedger::takeImage(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    const jsa_work work = attachCall(call.event.call)->work;
    const PixelRows rows = work == JSA_WORK_BUFFERDATA ? PixelRows{argument[1], argument[0], 1, 0, true}
                                                       : m_pixels.rowsOf(call.event, call.pid, call.tid);
    const auto use = useOf(rows.address, std::max<std::uint64_t>(rows.bytes, 1),
                           work == JSA_WORK_READBACK ? Access::Write : Access::Read, rows.rows, rows.pitch);
    if (use) {
        process.ledger.beginCpuAccess(*use, call.caller);
        process.ledger.endCpuAccess(*use);
    }
    return rows.isCertain ? Evidence::Calls : Evidence::UnknownBytes;
}

} // namespace jetscope
