// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/console.h"

#include "app/plainerror.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace jetscope {

namespace {

bool isControl(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

} // namespace

void keepStandardFilesOpen()
{
    for (int descriptor = 0; descriptor < 3; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF)
            continue;
        // Opened the wrong way round, so that using it still fails: an output that was closed must not look like a
        // success. open() returns the lowest free number, which is this one.
        const int opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
        if (opened != descriptor)
            std::abort();
    }
}

void silenceLibraries()
{
    constexpr int kKeepTheUsers = 0;
    setenv("EGL_LOG_LEVEL", "fatal", kKeepTheUsers);
    setenv("LIBGL_DEBUG", "quiet", kKeepTheUsers);
    setenv("MESA_DEBUG", "silent", kKeepTheUsers);
    // It complains of a home that it cannot write to, and saves no time with as few shaders as ours.
    setenv("MESA_SHADER_CACHE_DISABLE", "true", kKeepTheUsers);
    setenv("OPENCV_LOG_LEVEL", "SILENT", kKeepTheUsers);
    setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", kKeepTheUsers);
    setenv("GST_DEBUG", "0", kKeepTheUsers);
}

Status print(std::string_view text)
{
    errno = 0;
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
    if (written == text.size() && std::fflush(stdout) == 0)
        return {};
    return plainError(std::string("the result could not be written to standard output (") + std::strerror(errno)
                      + "); check the file or program that receives it");
}

void complain(std::string_view sentence)
{
    std::string line = "jetscope: ";
    for (char c : sentence)
        line += isControl(c) ? ' ' : c;
    if (line.find_last_of(".?!") + 1 != line.size())
        line += '.';
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

int complain(const Error &error, ExitCode code)
{
    complain(error.message());
    return code;
}

int finishWith(std::string_view text, ExitCode code)
{
    const Status printed = print(text);
    return printed.ok() ? code : complain(printed.error(), Failed);
}

} // namespace jetscope
