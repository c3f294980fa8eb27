// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/checksum.h"

namespace jetscope {

void FrameChecksum::add(const std::byte *rgba, int width, int height)
{
    const auto bytes = static_cast<qsizetype>(width) * height * 4;
    m_hash.addData(QByteArray::fromRawData(reinterpret_cast<const char *>(rgba), bytes));
}

std::string FrameChecksum::hex() const
{
    return m_hash.result().toHex().toStdString();
}

} // namespace jetscope
