// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jetscope {

/// What a span is for: what a wait waits for, which hand-over a copy or call makes. Whoever records a span says it with
/// its name (internName); the critical path and the advice decide by it, never by the text of a name. The table below
/// says what each means.
enum class Purpose : std::uint8_t {
    Work,
    OwnCode,
    InputCopy,
    ManagedCopy,
    OutputCopy,
    GlUpload,
    StreamDraw,
    GlFence,
    CaptureCopy,
    DeviceFrame,
    DevicePoll,
    HostFunction,
    DeviceStream,
    DeviceAll,
    EngineFrame,
    GlDone,
    QueueOrder,
    GlMap,
    GlUnmap,
    StreamProducer,
    StreamConsumer,
    ManagedDrain,
    ManagedAttach,
    Slot,
    CpuStageSlot,
    Input,
    Buffer,
};

struct PurposeRow {
    Purpose purpose;
    std::string_view key;      ///< In captures and other files; never changes.
    std::string_view does;     ///< What is done or waited for, and between whom.
    std::string_view settings; ///< The settings whose change may shorten it, by the rules of the advice.
};

inline constexpr auto kPurposes = std::to_array<PurposeRow>({
    {Purpose::Work, "work", "What its category says, and no wait.", ""},
    {Purpose::OwnCode, "own-code", "An inspected program between its calls: whether it works or waits is not seen.",
     ""},
    {Purpose::InputCopy, "input-copy", "Copies a frame between the CPU's and the device's memory.", "memory"},
    {Purpose::ManagedCopy, "managed-copy", "The CPU copies a frame into or out of managed memory.", "memory"},
    {Purpose::OutputCopy, "output-copy", "Device to CPU: copies the result, which OpenGL ES uploads.", "output"},
    {Purpose::GlUpload, "gl-upload", "CPU to OpenGL ES: uploads into a texture.", "memory,output"},
    {Purpose::StreamDraw, "stream-draw", "OpenGL ES draws a frame of an EGLStream into its own texture.", "output"},
    {Purpose::GlFence, "gl-fence", "Flushes OpenGL ES; a driver may wait for the GPU in it.", ""},
    {Purpose::CaptureCopy, "capture-copy", "The source copies a frame out of its own buffer.", "memory"},
    {Purpose::DeviceFrame, "device-frame", "Device to CPU: waits for the work of its frame.", "output,sync"},
    {Purpose::DevicePoll, "device-poll", "Device to CPU: polls until a frame is done or another arrives.",
     "output,sync"},
    {Purpose::HostFunction, "host-function", "Device to CPU: waits for the host function behind its frame.", ""},
    {Purpose::DeviceStream, "device-stream", "Device to CPU: waits for all work of its frame's stream.", "output,sync"},
    {Purpose::DeviceAll, "device-all", "Device to CPU: waits for all work of the device.", "output,sync"},
    {Purpose::EngineFrame, "engine-frame", "Engine to CPU: waits for the work of its frame on PVA, VIC or DLA.",
     "output,sync"},
    {Purpose::GlDone, "gl-done", "OpenGL ES to device: the CPU waits until OpenGL ES has used a texture.",
     "output,sync"},
    {Purpose::QueueOrder, "queue-order", "Between queues: a call that orders them and never blocks.", "output,sync"},
    {Purpose::GlMap, "gl-map", "OpenGL ES to device: maps a texture, and waits for OpenGL ES.", "output"},
    {Purpose::GlUnmap, "gl-unmap", "Device to OpenGL ES: gives a mapped texture back.", "output"},
    {Purpose::StreamProducer, "stream-producer", "Device to OpenGL ES: presents or takes back a frame of an EGLStream.",
     "output"},
    {Purpose::StreamConsumer, "stream-consumer", "Source to device: takes a frame from an EGLStream.", ""},
    {Purpose::ManagedDrain, "managed-drain", "Waits for the device before the CPU may touch managed memory.", "memory"},
    {Purpose::ManagedAttach, "managed-attach", "Waits until managed memory is attached to a stream or the CPU.", ""},
    {Purpose::Slot, "slot", "Waits until an earlier frame, the CPU stage or the view gives its place back.", ""},
    {Purpose::CpuStageSlot, "cpu-stage-slot", "Waits until the CPU stage can take a frame.", ""},
    {Purpose::Input, "input", "Waits for the source's next frame.", ""},
    {Purpose::Buffer, "buffer", "Waits for a free buffer of the source.", ""},
});
static_assert(hasEveryRow(kPurposes, &PurposeRow::purpose));

constexpr std::string_view purposeKey(Purpose purpose)
{
    return kPurposes[static_cast<std::size_t>(purpose)].key;
}

constexpr std::optional<Purpose> purposeByKey(std::string_view key)
{
    for (const PurposeRow &row : kPurposes)
        if (row.key == key)
            return row.purpose;
    return std::nullopt;
}

} // namespace jetscope
