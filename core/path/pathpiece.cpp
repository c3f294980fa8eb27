// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathpiece.h"

#include <array>

namespace jetscope {

namespace {

struct CauseWords {
    std::string_view name;   ///< As used in files.
    std::string_view before; ///< Text for users: prefix of the span's name, or the whole text.
    std::string_view behind = {};
};

/// In the order of PathCause.
constexpr std::array<CauseWords, kPathCauseCount> kCauseWords = {{
    {"kernel", "kernel "},
    {"copy", ""},
    {"draw", "GL "},
    {"cpu-stage", "CPU stage "},
    {"upload", "CPU copy "},
    {"submit", "CPU call "},
    {"capture", "capture: "},
    {"camera", "waits for the camera"},
    {"present", "view: "},
    {"tool", "work that is not counted"},
    {"call", "time inside ", " with nothing to wait for"},
    {"launch-delay", "launch delay"},
    {"other-context", "another context has the GPU"},
    {"wake-up", "thread not scheduled"},
    {"unknown", "unknown"},
}};

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
