// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/programmodel.h"

#include <cstdint>
#include <map>
#include <utility>

namespace jetscope {

/// The bytes of an image that GL reads or writes in memory of the host. Untrusted numbers.
struct PixelRows {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0; ///< Of a row.
    std::uint64_t rows = 1;
    std::uint64_t pitch = 0; ///< From a row to the next one; not used with one row.
    /// The program has not told GL to leave bytes out. If it has, it may also have taken that back by functions that
    /// are not in the table.
    bool isCertain = true;
};

/// How the contexts of inspected programs have told GL where the rows of images are (glPixelStorei). Memory is bounded.
/// Not thread-safe.
class PixelStore {
public:
    explicit PixelStore(const ProgramModel &model) : m_model(model) {}

    /// Calls that the model has taken, none that failed, of a thread of a process.
    void take(const AttachEvent &event, std::int32_t pid, std::int32_t tid);
    /// Of JSA_WORK_STORAGE, JSA_WORK_UPLOAD and JSA_WORK_READBACK.
    PixelRows rowsOf(const AttachEvent &event, std::int32_t pid, std::int32_t tid) const;

private:
    struct Layout {
        std::uint64_t rowLength = 0; ///< In pixels; 0: the width of the image.
        std::uint64_t skippedRows = 0;
        std::uint64_t skippedPixels = 0;
        std::uint64_t alignment = 4;

        bool hasGaps() const { return rowLength != 0 || skippedRows != 0 || skippedPixels != 0; }
    };
    struct Layouts {
        Layout unpack; ///< Of what GL reads.
        Layout pack;   ///< Of what it writes.
    };
    using Context = std::pair<std::int32_t, std::uint64_t>; ///< Process and handle; 0: not known.

    const ProgramModel &m_model;
    std::map<Context, Layouts> m_layouts; ///< Those that the program has set.
};

} // namespace jetscope
