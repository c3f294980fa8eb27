// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/quietopencv.h"

#include <cstdio>
#include <fcntl.h>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <unistd.h>

namespace jetscope {

namespace {

int ignoreError(int, const char *, const char *, const char *, int, void *)
{
    return 0;
}

std::mutex &stderrMutex()
{
    static std::mutex mutex;
    return mutex;
}

} // namespace

void quietOpenCv()
{
    static std::once_flag once;
    std::call_once(once, [] {
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
        cv::redirectError(ignoreError);
    });
}

SilentStderr::SilentStderr() : m_lock(stderrMutex())
{
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    std::fflush(stderr);
    m_saved = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (m_saved >= 0)
        ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
}

SilentStderr::~SilentStderr()
{
    if (m_saved < 0)
        return;
    std::fflush(stderr);
    ::dup2(m_saved, STDERR_FILENO);
    ::close(m_saved);
}

} // namespace jetscope
