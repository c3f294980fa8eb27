// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/format/attachformat.h"
#include "core/result.h"

#include <cstdint>
#include <string>
#include <utility>

namespace jetscope {

/// The memory file of a session with an inspected program (core/attach/format/attachformat.h): sparse, so that it takes
/// memory only for threads that record. The program can write all of it, but can neither shrink nor grow it.
class AttachMemory {
public:
    /// `options`: bits JSA_OPTION_*.
    static Result<AttachMemory> create(std::uint32_t options);
    ~AttachMemory();
    AttachMemory(AttachMemory &&other) noexcept
        : m_file(std::exchange(other.m_file, -1)),
          m_bytes(std::exchange(other.m_bytes, nullptr)),
          m_token(std::move(other.m_token))
    {
    }
    AttachMemory &operator=(AttachMemory &&) noexcept = delete;

    jsa_session &session() const { return *static_cast<jsa_session *>(m_bytes); }
    /// `index` < JSA_RINGS.
    jsa_ring &ring(std::uint32_t index) const;
    /// JSA_RING_RECORDS records.
    const jsa_record *records(std::uint32_t index) const;
    /// Gives the memory of a ring's records back; they read as zeros from then on.
    void discardRecords(std::uint32_t index);
    /// The value of JSA_VARIABLE, by which a program finds the file while this process lives. Of this session alone.
    std::string address() const;
    /// While quiet, calls in the program only pass through.
    void setQuiet(bool quiet);

private:
    AttachMemory(int file, void *bytes) : m_file(file), m_bytes(bytes) {}

    int m_file;
    void *m_bytes;
    std::string m_token;
};

} // namespace jetscope
