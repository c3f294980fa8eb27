// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/v4l2syscalls.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::string_view kDevices = "/dev/video";

int numberOf(const std::string &path)
{
    return parseNumber<int>(std::string_view(path).substr(kDevices.size())).value_or(0);
}

class SystemKernel final : public V4l2Syscalls {
public:
    std::vector<std::string> devices() override
    {
        std::vector<std::string> paths;
        std::error_code failed;
        for (std::filesystem::directory_iterator entry("/dev", failed), end; !failed && entry != end;
             entry.increment(failed)) {
            const std::string path = entry->path().string();
            if (path.size() > kDevices.size() && path.compare(0, kDevices.size(), kDevices) == 0
                && std::all_of(path.begin() + kDevices.size(), path.end(), [](char c) { return c >= '0' && c <= '9'; }))
                paths.push_back(path);
        }
        std::sort(paths.begin(), paths.end(),
                  [](const std::string &a, const std::string &b) { return numberOf(a) < numberOf(b); });
        return paths;
    }

    int open(const char *path) override
    {
        const int fd = ::open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        return fd < 0 ? -errno : fd;
    }

    void close(int fd) override { ::close(fd); }

    int control(int fd, unsigned long request, void *argument) override
    {
        int done = 0;
        do
            done = ::ioctl(fd, request, argument);
        while (done < 0 && errno == EINTR);
        return done < 0 ? -errno : 0;
    }

    void *map(int fd, std::size_t bytes, std::size_t offset) override
    {
        void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(offset));
        return memory == MAP_FAILED ? nullptr : memory;
    }

    void unmap(void *memory, std::size_t bytes) override { ::munmap(memory, bytes); }

    Wait wait(int fd, int wakeFd, int milliseconds) override
    {
        pollfd files[] = {{fd, POLLIN | POLLPRI, 0}, {wakeFd, POLLIN, 0}};
        int ready = 0;
        do
            ready = ::poll(files, 2, milliseconds);
        while (ready < 0 && errno == EINTR);
        if (files[1].revents != 0)
            return Wait::Woken;
        if (ready == 0)
            return Wait::TimedOut;
        if (ready > 0 && (files[0].revents & POLLPRI))
            return Wait::Event;
        // An available frame takes precedence over an error after it.
        return ready > 0 && (files[0].revents & POLLIN) ? Wait::Ready : Wait::Failed;
    }
};

} // namespace

V4l2Syscalls &V4l2Syscalls::system()
{
    static SystemKernel kernel;
    return kernel;
}

} // namespace jetscope
