// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace jetscope {

/// Keeps what OpenCV and the libraries below it have to say off stderr: our own sentence says what failed. Any thread.
void quietOpenCv();

/// Sends the process's stderr nowhere while it lives. For the picture decoders alone: libpng, libjpeg and the code
/// around them print straight to it and cannot be told not to. Keep it to the one call; what other threads print
/// meanwhile is lost. One at a time, others wait.
class SilentStderr {
public:
    SilentStderr();
    ~SilentStderr();
    SilentStderr(const SilentStderr &) = delete;
    SilentStderr &operator=(const SilentStderr &) = delete;

private:
    std::lock_guard<std::mutex> m_lock;
    int m_saved = -1;
};

} // namespace jetscope
