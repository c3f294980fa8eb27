// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/format/attachcalls.h"
#include "core/recording/span.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jetscope {

/// A function that is seen in inspected programs.
struct AttachCall {
    std::string_view name;
    char tier = ' '; ///< 'B' for CUDA, 'C' for EGL, GL and NvBuf.
    jsa_action action = JSA_RECORD;
    jsa_work work = JSA_WORK_OTHER;
    Category category = Category::Submit; ///< Of its spans on the timeline.
    std::uint8_t direction = 0;           ///< JSA_COPY_*
};

/// Whether its calls have records: each, or some.
inline bool isRecorded(const AttachCall &call)
{
    return call.action == JSA_RECORD || call.action == JSA_SHARED;
}

inline bool isCopy(const AttachCall &call)
{
    return call.work == JSA_WORK_COPY || call.work == JSA_WORK_COPYASYNC;
}

/// Whether GL may use the GPU for a call: not for those of EGLStreams and NvBuf.
inline bool isOfGl(const AttachCall &call)
{
    return call.tier == 'C' && !call.name.starts_with("Nv") && call.name.find("Stream") == std::string_view::npos;
}

/// By number; the first ones are of Jetscope itself.
extern const std::array<AttachCall, JSA_CALL_COUNT> kAttachCalls;

/// Null for a number that is not in the table: numbers of records are untrusted.
inline const AttachCall *attachCall(std::uint16_t number)
{
    return number > JSA_CALL_NONE && number < kAttachCalls.size() ? &kAttachCalls[number] : nullptr;
}
Purpose purposeOf(const AttachCall &call); ///< Of its spans.
std::optional<std::uint16_t> attachCallNamed(std::string_view name);

} // namespace jetscope
