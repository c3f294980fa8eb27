// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathpiece.h"

#include <array>

namespace jetscope {

namespace {

struct CauseWords {
    PathCause cause;
    std::string_view name;   ///< In files.
    std::string_view before; ///< For users: in front of the span's name, or all there is to say.
    std::string_view behind = {};
};

constexpr auto kCauseWords = std::to_array<CauseWords>({
    {PathCause::Kernel, "kernel", "kernel "},
    {PathCause::Copy, "copy", ""},
    {PathCause::Draw, "draw", "GL "},
    {PathCause::CpuStage, "cpu-stage", "CPU stage "},
    {PathCause::Upload, "upload", "CPU copy "},
    {PathCause::Submit, "submit", "CPU call "},
    {PathCause::Capture, "capture", "capture: "},
    {PathCause::Camera, "camera", "waits for the source"},
    {PathCause::Present, "present", "view: "},
    {PathCause::Tool, "tool", "work of a tool"},
    {PathCause::Call, "call", "time inside ", ", no work seen that it waits for"},
    {PathCause::LaunchDelay, "launch-delay", "launch delay"},
    {PathCause::OtherContext, "other-context", "another context has the GPU"},
    {PathCause::WakeUp, "wake-up", "thread not scheduled"},
    {PathCause::Unknown, "unknown", "unknown"},
});
static_assert(hasEveryRow(kCauseWords, &CauseWords::cause));

const CauseWords &wordsOf(PathCause cause)
{
    return kCauseWords[static_cast<std::size_t>(cause)];
}

} // namespace

std::string_view pathCauseName(PathCause cause)
{
    return wordsOf(cause).name;
}

std::string pathWords(PathCause cause, std::string_view name, bool bounded)
{
    const CauseWords &words = wordsOf(cause);
    std::string text(words.before);
    if (isNamed(cause))
        text.append(name).append(words.behind);
    return bounded ? text + " (within)" : text;
}

PathCause causeOfWork(Category category)
{
    switch (category) {
    case Category::Capture:
        return PathCause::Capture;
    case Category::Upload:
        return PathCause::Upload;
    case Category::Copy:
        return PathCause::Copy;
    case Category::Kernel:
        return PathCause::Kernel;
    case Category::CpuStage:
        return PathCause::CpuStage;
    case Category::Submit:
        return PathCause::Submit;
    case Category::Draw:
        return PathCause::Draw;
    case Category::Present:
        return PathCause::Present;
    case Category::Tool:
        return PathCause::Tool;
    case Category::WaitSync:
    case Category::WaitMemory:
    case Category::WaitSlot:
    case Category::WaitInput:
        break;
    }
    return PathCause::Unknown;
}

} // namespace jetscope
