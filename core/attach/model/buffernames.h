// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace jetscope {

/// Names that inspected programs gave to memory (jetscope_name_buffer in jetscope_mark.h). Memory is bounded. Not
/// thread-safe.
class BufferNames {
public:
    /// The mark of a buffer; of other calls nothing is taken. A range has one name, and an empty one takes it away.
    void take(const AttachEvent &event, std::int32_t pid);
    /// The memory is freed: its names go with it.
    void forget(std::int32_t pid, std::uint64_t address, std::uint64_t bytes);
    /// `named "left", "right"`: the first names of these bytes, by address; empty if they have none.
    std::string in(std::int32_t pid, std::uint64_t address, std::uint64_t bytes) const;

private:
    using Range = std::tuple<std::int32_t, std::uint64_t, std::uint64_t>; ///< Process, address, bytes.

    std::map<Range, std::string> m_names;
};

/// Whether the event is the mark of a buffer. Arguments: 1 address, 2 bytes.
bool marksBuffer(const AttachEvent &event);

} // namespace jetscope
