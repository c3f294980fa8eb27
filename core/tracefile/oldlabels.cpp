// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/oldlabels.h"

#include <span>

namespace jetscope {

namespace {

struct WorkLabel {
    Category category;
    std::string_view label;
    Purpose purpose;
};

constexpr WorkLabel kWorkLabels[] = {
    {Category::Copy, "copy to device", Purpose::InputCopy},
    {Category::Copy, "copy to host", Purpose::InputCopy},
    {Category::Copy, "copy output to host", Purpose::OutputCopy},
    {Category::Copy, "draw EGLStream frame", Purpose::StreamDraw},
    {Category::Upload, "copy managed", Purpose::ManagedCopy},
    {Category::Upload, "glTexSubImage2D", Purpose::GlUpload},
    {Category::Submit, "submit glTexSubImage2D", Purpose::GlUpload},
    {Category::Submit, "eglCreateSync, glFlush", Purpose::GlFence},
    {Category::Capture, "copy from decoder", Purpose::CaptureCopy},
    {Category::Capture, "copy from the decoder", Purpose::CaptureCopy},
    {Category::Capture, "copy from the driver", Purpose::CaptureCopy},
    {Category::CpuStage, "the program's own code", Purpose::OwnCode},
};

struct WaitPart {
    std::string_view part; ///< Of the label; the first row that fits counts.
    Purpose purpose;
};

constexpr WaitPart kSyncParts[] = {
    {"DeviceSynchronize (unified)", Purpose::ManagedDrain},
    {"DeviceSynchronize", Purpose::DeviceAll},
    {"CtxSynchronize", Purpose::DeviceAll},
    {"StreamSynchronize", Purpose::DeviceStream},
    {"(polling)", Purpose::DevicePoll},
    {"glFinish", Purpose::GlDone},
    {"ClientWaitSync", Purpose::GlDone},
    {"poll fence", Purpose::GlDone},
    {"GraphicsMapResources", Purpose::GlMap},
    {"StreamWaitEvent", Purpose::QueueOrder},
    {"eglCreateSync", Purpose::QueueOrder},
    {"LaunchHostFunc", Purpose::QueueOrder},
    {"vpiStreamSync", Purpose::EngineFrame},
    {"GraphicsUnmapResources", Purpose::GlUnmap},
    {"EventSynchronize (attach)", Purpose::ManagedAttach},
    {"EGLStreamProducer", Purpose::StreamProducer},
    {"EGLStream", Purpose::StreamConsumer},
    {"wait for host function", Purpose::HostFunction},
};

constexpr WaitPart kSlotParts[] = {{"wait for CPU stage", Purpose::CpuStageSlot}};
constexpr WaitPart kInputParts[] = {{"buffer", Purpose::Buffer}};

std::span<const WaitPart> partsOf(Category category)
{
    switch (category) {
    case Category::WaitSync:
    case Category::WaitMemory:
        return kSyncParts;
    case Category::WaitSlot:
        return kSlotParts;
    case Category::WaitInput:
        return kInputParts;
    default:
        return {};
    }
}

} // namespace

Purpose purposeOfLabel(std::string_view label, Category category)
{
    for (const WaitPart &row : partsOf(category))
        if (label.find(row.part) != std::string_view::npos)
            return row.purpose;
    for (const WorkLabel &row : kWorkLabels)
        if (row.category == category && row.label == label)
            return row.purpose;
    return usualPurpose(category);
}

bool isEmulatedByDetail(std::string_view detail)
{
    return detail.starts_with("software");
}

} // namespace jetscope
