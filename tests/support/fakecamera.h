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

/// Simulated camera at the level of V4L2 system calls, without delays by default. Checks the documented order of the
/// calls and adds a text to `broken` for each violation. Calls from several threads are allowed.
class FakeCamera : public V4l2Syscalls {
public:
    FakeCamera();

    // Properties and behaviour; tests may change them at any time.
    std::vector<std::uint32_t> fourccs{V4L2_PIX_FMT_YUYV};
    int width = 64;
    int height = 48;
    std::uint32_t pitch = 128;
    std::size_t imageBytes = 0;            ///< Size of a picture; 0 for a single plane with rows `pitch` bytes apart.
    std::uint32_t colourspace = 0;         ///< V4L2_COLORSPACE_*
    std::uint32_t encoding = 0;            ///< V4L2_YCBCR_ENC_*
    std::uint32_t quantization = 0;        ///< V4L2_QUANTIZATION_*
    std::uint32_t field = V4L2_FIELD_NONE; ///< The field order that the driver sets, whatever is asked for.
    bool weaves = false;                   ///< It weaves the fields itself when it is asked for V4L2_FIELD_INTERLACED.
    int sourceChanges = 0;                 ///< Events that wait to be taken: the signal has another size.
    bool watchesSource = false;            ///< Set by the caller's subscription.
    bool present = true;
    bool takesUserMemory = true;
    bool importsBuffers = true;
    bool refusesImports = false; ///< It says that it imports, and fails.
    bool exportsBuffers = true;
    int backlog = 0; ///< Frames that are ready from the start.
    int period = 0;  ///< Milliseconds between frames; 0 for no delay.
    std::uint32_t sequence = 0;
    std::uint32_t sequenceStep = 1;
    std::function<void(v4l2_buffer &)> tamper;                 ///< Called with a filled buffer before it is returned.
    std::function<int(unsigned long request)> refuse;          ///< Returns an errno value to fail a request with, or 0.
    std::function<std::size_t(std::byte *, std::size_t)> fill; ///< Writes a picture; returns its bytes.

    std::function<void(std::uint32_t index)> queueing; ///< Called just before a buffer is queued.
    std::function<void()> freeing;                     ///< Called just before the buffers are freed.
    std::function<void()> paused;                      ///< Called when the caller waits before a retry.

    std::string broken;
    int openFiles = 0;
    int mappings = 0;
    int imports = 0;                       ///< Of buffers of others, so far.
    std::map<int, std::uint32_t> exported; ///< Open file descriptors of exported buffers, with the buffer index.
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
        std::vector<std::byte> memory; ///< Memory of a mapped buffer.
        std::byte *user = nullptr;
        std::byte *import = nullptr; ///< The mapping of a DMA-BUF of others, and its file.
        std::uint64_t importedFile = 0;
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
    int import(Slot &slot, const v4l2_buffer &buffer);
    void dropImport(Slot &slot) const;
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
    std::size_t m_ready = 0; ///< Frames that can be dequeued before the next wait.
    bool m_streaming = false;
};

} // namespace jetscope::testing
