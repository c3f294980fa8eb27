// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/copyrows.h"

#include "core/attach/format/calltable.h"

namespace jetscope {

bool isCopyInRows(const AttachCall &call)
{
    return call.direction == JSA_COPY_IN_ROWS;
}

CopyRows copyRowsOf(const AttachEvent &event)
{
    const AttachCall &call = *attachCall(event.call);
    const auto &argument = event.argument;
    if (call.work == JSA_WORK_SET || call.work == JSA_WORK_SETASYNC)
        return {argument[2], argument[3] & UINT32_MAX, argument[3] >> 32, 0, true};
    if (!isCopyInRows(call))
        return {argument[3], 1, 0, 0, true};
    if (event.operations.empty()) // There was no place for it.
        return {0, 0, 0, 0, false};
    const AttachOperation &words = event.operations.front();
    CopyRows rows{words[0], words[1], words[2], words[3], true};
    const bool areApart = (argument[1] == 0 || rows.toPitch >= rows.bytes)
        && (argument[2] == 0 || rows.fromPitch >= rows.bytes); // Else the pitch means something else.
    rows.isAll = rows.rows != JSA_UNEVEN_ROWS && (rows.rows <= 1 || areApart);
    if (!rows.isAll)
        rows.rows = 1;
    return rows;
}

std::uint64_t directionInRows(const AttachEvent &event)
{
    const std::uint64_t direction = event.operations.empty() ? JSA_COPY_UNKNOWN : event.operations.front()[4];
    return direction <= JSA_COPY_ON_HOST ? direction : JSA_COPY_UNKNOWN;
}

} // namespace jetscope
