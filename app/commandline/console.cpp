// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/console.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace jetscope {

namespace {

/// Replaces every control character except those in `kept` by a blank: names in traces and of devices are untrusted,
/// and a terminal would interpret control characters.
std::string harmless(std::string_view text, std::string_view kept)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(1, characterLength(text));
        const std::string_view character = text.substr(0, length);
        if (isControl(character) && kept.find(character) == std::string_view::npos)
            out += ' ';
        else
            out += character;
        text.remove_prefix(length);
    }
    return out;
}

} // namespace

void keepStandardFilesOpen()
{
    for (int descriptor = 0; descriptor < 3; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF)
            continue;
        // Opened in the wrong mode, so that writing to a closed output still fails instead of seeming to succeed.
        // open() returns the lowest free number, which is `descriptor`.
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
    // Mesa reports an unwritable home directory, and the cache saves no time for so few shaders.
    setenv("MESA_SHADER_CACHE_DISABLE", "true", kKeepTheUsers);
    setenv("OPENCV_LOG_LEVEL", "SILENT", kKeepTheUsers);
    setenv("GST_DEBUG", "0", kKeepTheUsers);
}

Status print(std::string_view text)
{
    errno = 0;
    const std::string shown = harmless(text, "\n\t");
    const std::size_t written = std::fwrite(shown.data(), 1, shown.size(), stdout);
    if (written == shown.size() && std::fflush(stdout) == 0)
        return {};
    return sentence(std::string("the result could not be written to standard output (") + std::strerror(errno)
                    + "); check the file or program that receives it");
}

void complain(std::string_view sentence)
{
    std::string line = "jetscope: " + harmless(sentence, {});
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
