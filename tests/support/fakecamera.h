// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/v4l2/v4l2syscalls.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <linux/videodev2.h>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace jetscope::testing {

/// A camera that is no more than its answers to the kernel's calls, as quick as it is asked. Holds the caller to the
/// order that the calls have: a mistake is a text in `broken`. The calls may come from several threads.
class FakeCamera final : public V4l2Syscalls {
public:
    FakeCamera();

    // What it is and does; tests change it at any time.
    std::vector<std::uint32_t> fourccs{V4L2_PIX_FMT_YUYV};
    int width = 64;
    int height = 48;
    std::uint32_t pitch = 128;
    std::size_t imageBytes = 0;    ///< Of one picture; 0 when it is one plane of rows, `pitch` apart.
    std::uint32_t colourspace = 0; ///< V4L2_COLORSPACE_*
    bool present = true;
    bool takesUserMemory = true;
    bool exportsBuffers = true;
    int backlog = 0; ///< Frames that are there already, from before.
    int period = 0;  ///< Milliseconds between frames; 0 delivers as fast as it is asked.
    std::uint32_t sequence = 0;
    std::uint32_t sequenceStep = 1;
    std::function<void(v4l2_buffer &)> tamper;                 ///< With a filled buffer on its way out.
    std::function<int(unsigned long request)> refuse;          ///< An error number to answer a request with, or 0.
    std::function<std::size_t(std::byte *, std::size_t)> fill; ///< Writes a picture; the bytes used.

    std::function<void(std::uint32_t index)> queueing; ///< Just before a buffer is the driver's again.
    std::function<void()> freeing;                     ///< Just before buffers go.
    std::function<void()> paused;                      ///< When the caller waits before it tries again.

    std::string broken;
    int openFiles = 0;
    int mappings = 0;
    std::map<int, std::uint32_t> exported; ///< Files of buffers that are open, with their buffer.
    std::uint64_t delivered = 0;

    std::vector<std::string> devices() override;
    int open(const char *path) override;
    void close(int fd) override;
    int control(int fd, unsigned long request, void *argument) override;
    void *map(int fd, std::size_t bytes, std::size_t offset) override;
    void unmap(void *memory, std::size_t bytes) override;
    Wait wait(int fd, int wakeFd, int milliseconds) override;

private:
    struct Slot {
        std::vector<std::byte> memory; ///< Of a mapped buffer.
        std::byte *user = nullptr;
        bool queued = false;
        bool mapped = false;
        bool exported = false;
    };

    int answer(unsigned long request, void *argument);
    int capability(v4l2_capability &out) const;
    int describeFormat(v4l2_fmtdesc &out) const;
    int tryFormat(v4l2_format &format) const;
    int requestBuffers(v4l2_requestbuffers &request);
    int queue(const v4l2_buffer &buffer);
    int dequeue(v4l2_buffer &buffer);
    std::size_t bytes() const
    {
        return imageBytes > 0 ? imageBytes : static_cast<std::size_t>(pitch) * static_cast<std::size_t>(height);
    }
    void mistake(const char *what) { broken += std::string(broken.empty() ? "" : "; ") + what; }

    int exportBuffer(v4l2_exportbuffer &buffer);
    void freeBuffers();

    std::recursive_mutex m_mutex;
    int m_nextFile = 2000;
    std::vector<Slot> m_slots;
    std::deque<std::uint32_t> m_queued;
    std::uint32_t m_memory = 0;
    std::size_t m_ready = 0; ///< Frames that may be taken before the next wait.
    bool m_streaming = false;
};

} // namespace jetscope::testing
