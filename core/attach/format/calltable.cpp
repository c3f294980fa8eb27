// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"

#include "core/attach/format/attachformat.h"

#include <array>
#include <cstddef>

namespace jetscope {

namespace {

/// A call that blocks until the GPU has done something is a wait; all others are the CPU's own work.
constexpr Category categoryOfWork(jsa_work work)
{
    switch (work) {
    case JSA_WORK_SWAP:
        return Category::Present;
    case JSA_WORK_FINISH:
    case JSA_WORK_GLWAIT:
    case JSA_WORK_READBACK:
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_CONTEXTSYNC:
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_NVCOPY:
    case JSA_WORK_NVWAIT:
        return Category::WaitSync;
    case JSA_WORK_NVSYNC:
        return Category::WaitMemory;
    case JSA_WORK_ACQUIRE:
        return Category::WaitInput;
    case JSA_WORK_STORAGE:
    case JSA_WORK_UPLOAD:
        return Category::Upload;
    case JSA_WORK_FRAME:
    case JSA_WORK_TEXT:
        return Category::Tool;
    default:
        return Category::Submit;
    }
}

static_assert(JSA_CALL_COUNT <= JSA_MOST_CALLS, "jsa_ring has a count for each call");
static_assert(sizeof(jsa_session) <= JSA_SESSION_BYTES && sizeof(jsa_record) == 64);
static_assert(sizeof(jsa_ring) <= JSA_RING_HEADER_BYTES);
static_assert(sizeof(jsa_gpu_record) == sizeof(jsa_record));
static_assert(offsetof(jsa_gpu_record, device) == JSA_GPU_TEXT_OFFSET);
static_assert(JSA_GPU_TEXT_OFFSET + JSA_GPU_TEXT_BYTES == sizeof(jsa_gpu_record));

} // namespace

constinit const std::array<AttachCall, JSA_CALL_COUNT> kAttachCalls = {
    {{},
     {"text", ' ', JSA_RECORD, JSA_WORK_TEXT, Category::Tool},
     {"data", ' ', JSA_RECORD, JSA_WORK_TEXT, Category::Tool},
     {"stack", ' ', JSA_RECORD, JSA_WORK_TEXT, Category::Tool},
     {"drawn", ' ', JSA_RECORD, JSA_WORK_DRAWN, Category::Tool},
     {"read", ' ', JSA_RECORD, JSA_WORK_READ, Category::Tool},
     {"jetscope_mark", ' ', JSA_RECORD, JSA_WORK_FRAME, Category::Tool},
#define JSA_ROW(name, n, tier, action, failure, work, p, q, s, t, direction)                                           \
    {#name, #tier[0], action, work, categoryOfWork(work), direction},
     JSA_CALLS(JSA_ROW)
#undef JSA_ROW
    }};

Purpose purposeOf(const AttachCall &call)
{
    switch (call.work) {
    case JSA_WORK_FINISH:
    case JSA_WORK_GLWAIT:
        return Purpose::GlDone;
    case JSA_WORK_STREAMSYNC:
        return Purpose::DeviceStream;
    case JSA_WORK_CONTEXTSYNC:
        return Purpose::DeviceAll;
    default:
        return usualPurpose(call.category);
    }
}

std::optional<std::uint16_t> attachCallNamed(std::string_view name)
{
    for (std::uint16_t number = JSA_CALL_MARK + 1; number < kAttachCalls.size(); ++number)
        if (kAttachCalls[number].name == name)
            return number;
    return std::nullopt;
}

} // namespace jetscope
