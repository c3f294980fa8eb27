// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// FFmpeg from 6.1 on.
#include "gpu/sources/displaymatrix.h"

namespace jetscope {

std::optional<std::array<std::int32_t, 4>> displayMatrixOf(const AVStream &stream)
{
    for (int i = 0; i < stream.codecpar->nb_coded_side_data; ++i) {
        const AVPacketSideData &data = stream.codecpar->coded_side_data[i];
        if (data.type == AV_PKT_DATA_DISPLAYMATRIX && static_cast<std::size_t>(data.size) >= kMatrixBytes)
            return displayMatrixIn(data.data);
    }
    return std::nullopt;
}

} // namespace jetscope
