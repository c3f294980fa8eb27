// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>

namespace jetscope {

struct AttachCall;

/// The bytes that a copy or a set touches on each side. Untrusted numbers.
struct CopyRows {
    std::uint64_t bytes = 0; ///< Of a row.
    std::uint64_t rows = 1;
    std::uint64_t toPitch = 0; ///< From a row to the next one; not used with one row.
    std::uint64_t fromPitch = 0;
    bool isAll = true; ///< Otherwise it touches more than these rows.

    bool isEmpty() const { return isAll && (bytes == 0 || rows == 0); }
};

/// Of JSA_WORK_COPY, JSA_WORK_SET and the asynchronous ones.
CopyRows copyRowsOf(const AttachEvent &event);
/// Whether the function is given a description of rows.
bool isCopyInRows(const AttachCall &call);
/// JSA_COPY_* of a call of such a function.
std::uint64_t directionInRows(const AttachEvent &event);

} // namespace jetscope
