// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/result.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace jetscope {

/// A JSON file in memory, with the room behind it that the parser reads over.
class JsonFile {
public:
    static Result<JsonFile> read(const std::string &path, Progress &progress, double share);

    std::string_view text() const { return {m_bytes.get() + m_begin, m_end - m_begin}; }
    /// Of the text and what may be read behind it.
    std::size_t capacity() const { return m_capacity - m_begin; }

    /// Whether this is an array without its end. Programs that are killed leave such traces, and the format allows
    /// them.
    bool isCutShort() const;
    /// Ends such an array behind its last whole element.
    void mend();

private:
    struct Free {
        void operator()(char *bytes) const { std::free(bytes); }
    };
    using Bytes = std::unique_ptr<char, Free>;

    JsonFile(Bytes bytes, std::size_t capacity, std::size_t size);
    static std::size_t capacityFor(std::size_t size);
    void trim();

    Bytes m_bytes;
    std::size_t m_capacity = 0;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
};

} // namespace jetscope
