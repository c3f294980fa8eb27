// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// CPU time of the capture thread per camera frame, compared with a plain copy of the same bytes.
#include "gpu/sources/cameras.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/v4l2/camerasource.h"
#include "tests/bench/quantile.h"
#include "tests/support/fakecamera.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kBatches = 15;
constexpr int kFrames = 100;
constexpr double kFrameRate = 30;

double threadMilliseconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// The median of the batches' milliseconds per frame.
template <class Frame>
double measure(const Frame &frame)
{
    std::vector<double> batches;
    for (int batch = 0; batch < kBatches; ++batch) {
        const double start = threadMilliseconds();
        for (int i = 0; i < kFrames; ++i)
            frame();
        batches.push_back((threadMilliseconds() - start) / kFrames);
    }
    return median(std::move(batches));
}

void print(const char *what, double milliseconds, double copy)
{
    std::printf("%-28s %8.4f ms a frame, %5.2f %% of a core at 30 fps, %5.2f of a copy\n", what, milliseconds,
                milliseconds * kFrameRate / 10, milliseconds / copy);
}

void fail(const Error &error)
{
    std::fprintf(stderr, "%s\n", error.message().c_str());
    std::exit(1);
}

/// Reads frames of a fake camera without cost, or of a real one.
void run(const char *what, V4l2Syscalls &kernel, const std::string &text, double copy)
{
    const Result<SourceUri> uri = parseSourceUri(text);
    Result<std::unique_ptr<FrameSource>> opened = openCamera(kernel, uri.value());
    if (!opened.ok())
        return fail(opened.error());
    FrameSource &source = *opened.value();
    const std::size_t bytes = (source.info().layout.bytes + 4095) / 4096 * 4096;
    std::vector<std::byte *> buffers;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, source.buffersWanted()); ++i) {
        buffers.push_back(static_cast<std::byte *>(std::aligned_alloc(4096, bytes)));
        std::memset(buffers.back(), 0, bytes);
        if (source.buffersWanted() > 0)
            if (const Status queued = source.queue(buffers.back()); !queued.ok())
                return fail(queued.error());
    }
    std::size_t next = 0;
    print(what, measure([&] {
              if (source.buffersWanted() > 0) {
                  const auto read = source.readQueued();
                  if (!read.ok() || !source.queue(read.value()->memory).ok())
                      std::exit(1);
              } else if (!source.read(buffers[next++ % buffers.size()]).ok()) {
                  std::exit(1);
              }
          }),
          copy);
    source.flush();
    for (std::byte *buffer : buffers)
        std::free(buffer);
}

} // namespace

int main(int argc, char **argv)
{
    testing::FakeCamera camera;
    camera.width = 1280;
    camera.height = 720;
    camera.pitch = 2560;
    camera.fill = [](std::byte *, std::size_t size) { return size; };
    const std::size_t bytes = std::size_t{2560} * 720;
    std::vector<std::byte> from(4 * bytes);
    std::vector<std::byte> to(bytes);
    std::size_t turn = 0;
    const double copy = measure([&] { std::memcpy(to.data(), from.data() + turn++ % 4 * bytes, bytes); });
    print("memcpy, 1280x720 YUYV", copy, copy);
    if (argc > 1) { // A real camera, by its URI.
        run(argv[1], V4l2Syscalls::system(), argv[1], copy);
        return 0;
    }
    run("mmap", camera, "v4l2:?io=mmap", copy);
    run("userptr", camera, "v4l2:?io=userptr", copy);
}
