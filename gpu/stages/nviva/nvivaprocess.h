// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/cupti/childprocess.h"
#include "gpu/stages/nviva/nvivaboard.h"
#include "gpu/stages/nviva/nvivachild.h"

#include <chrono>
#include <memory>
#include <string>

namespace jetscope {

/// What nvivafilter libraries are run with; other values in tests only.
struct NvivaTools {
    std::string driver = "libcuda.so.1";
    std::string standIns; ///< Empty: libjetscope-nviva.so beside the program, or where it is installed.
    std::string surfaces; ///< Empty: libnvbufsurface.so where a Jetson has it.
    std::chrono::milliseconds timeout{10'000}; ///< A library that takes longer for a frame is ended.
};
NvivaTools &nvivaTools();
Result<std::string> findNvivaStandIns();

/// A process with an nvivafilter library, as Jetscope sees it. One thread at a time. After an error, it is over.
class NvivaProcess {
public:
    /// Starts it and waits until the library is loaded and the device is open.
    static Result<std::unique_ptr<NvivaProcess>> start(const NvivaWords &words);
    NvivaProcess(const NvivaProcess &) = delete;
    NvivaProcess &operator=(const NvivaProcess &) = delete;
    ~NvivaProcess();

    /// Makes room for frames of this size, whose pixels move.
    Status resize(int width, int height);
    /// The frame: RGBA, the rows one after another. Also the first byte of the shared memory behind its board.
    std::byte *frame() const { return m_shared.frame(); }
    std::size_t frameBytes() const { return m_shared.bytes() - kNvivaFrameOffset; }

    /// Whether the last run was on a real EGLImage.
    bool isByEglImage() const { return m_shared.board().byEglImage != 0; }

    /// Lets the library work on the frame, and waits for that. The work is valid until the next call.
    Result<const NvivaWork *> run();

private:
    NvivaProcess(int memory, std::string name) : m_memory(memory), m_name(std::move(name)) {}
    Status waitForAnswer(std::uint32_t request);

    const int m_memory;
    const std::string m_name; ///< Of the library's file.
    NvivaMapping m_shared;
    std::unique_ptr<ChildProcess> m_child;
    std::uint32_t m_requests = 1; ///< The first one is to start.
};

} // namespace jetscope
