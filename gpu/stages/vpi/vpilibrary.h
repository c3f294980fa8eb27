// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/stages/vpi/vpiabi.h"

#include <string>
#include <utility>

namespace jetscope {

/// NVIDIA's VPI, loaded at run time. Stays loaded. Any thread.
class VpiLibrary {
public:
    /// The newest of VPI 4, 3 and 2 that the linker or /opt/nvidia/vpiN has; `major`: only this one; 0: any. Errors: no
    /// such library; it is damaged, says that it has another version than its name, or its structures are not those
    /// of its documentation.
    static Result<VpiLibrary> find(int major);
    /// Whether a file of VPI is there for `find`, without loading any: an error says that there is none. Reads files.
    static Status look();
    /// One file that must be VPI `major`.
    static Result<VpiLibrary> load(const std::string &path, int major);

    const vpi::Functions &functions() const { return m_functions; }
    /// "3.2.4"
    std::string version() const;
    int major() const { return m_version / 1'000'000; }
    const std::string &path() const { return m_path; }
    /// The backends that VPI has enabled on this machine.
    std::uint64_t backends() const { return m_backends; }

    /// The image's description with the address where this version has it.
    vpi::ImageData describe(std::uint64_t format, int width, int height, int bufferType, const void *pixels,
                            std::size_t pitch) const;
    /// A Jetson's buffer by the descriptor of its dma_buf, and an EGLImage of the default display. VPI asks them for
    /// format and size.
    static vpi::ImageData describeNvBuffer(int descriptor);
    static vpi::ImageData describeEglImage(void *image);
    /// Where the pixels of a locked image begin.
    const std::byte *pixelsOf(const vpi::ImageData &data) const;
    /// An Error with VPI's own name and message of the status.
    Status check(const char *call, int status) const;

private:
    Status askBackends();
    Status findAddressWord();

    vpi::Functions m_functions;
    std::string m_path;
    int m_version = 0;
    std::uint64_t m_backends = 0;
    std::size_t m_addressWord = 0; ///< In ImageData::words.
};

/// A handle of VPI that is destroyed with this.
class VpiHandle {
public:
    VpiHandle() = default;
    VpiHandle(void *handle, void (*destroy)(void *)) : m_handle(handle), m_destroy(destroy) {}
    VpiHandle(VpiHandle &&other) noexcept : m_handle(std::exchange(other.m_handle, nullptr)), m_destroy(other.m_destroy)
    {
    }
    VpiHandle &operator=(VpiHandle &&other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        std::swap(m_destroy, other.m_destroy);
        return *this;
    }
    ~VpiHandle()
    {
        if (m_handle)
            m_destroy(m_handle);
    }
    void *get() const { return m_handle; }

private:
    void *m_handle = nullptr;
    void (*m_destroy)(void *) = nullptr;
};

} // namespace jetscope
