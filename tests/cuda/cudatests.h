// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/gpufixture.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jetscope::testing {

/// The CUDA devices of this machine; none on most machines.
inline std::vector<std::string> cudaDevices()
{
    std::vector<std::string> ids;
    for (const std::string &id : usableDevices())
        if (id.rfind("cuda:", 0) == 0)
            ids.push_back(id);
    return ids;
}

/// For initTestCase_data. Without a device, adds one row that the test skips, so that the skip is visible.
inline void addCudaRows()
{
    const std::vector<std::string> ids = cudaDevices();
    addDeviceRows(ids.empty() ? std::vector<std::string>{""} : ids);
}

/// Bytes that differ for each picture and are the same at each call.
inline std::vector<std::byte> randomBytes(std::size_t picture, std::size_t bytes)
{
    std::vector<std::byte> all(bytes);
    auto random = static_cast<std::uint32_t>(picture * 2654435761u + 1);
    for (std::byte &byte : all)
        byte = static_cast<std::byte>((random = random * 1664525 + 1013904223) >> 24);
    return all;
}

} // namespace jetscope::testing
