// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace jetscope {

/// Suppresses messages of OpenCV and its libraries on stderr; our own error message replaces them. Any thread.
void quietOpenCv();

/// Redirects the process's stderr to /dev/null during its life. Only for the picture decoders: libpng, libjpeg and the
/// code around them print to stderr unconditionally. Keep it to a single call, because output of other threads is lost
/// meanwhile. One at a time; others wait.
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
