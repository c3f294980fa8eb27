// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace jetscope {

/// SHA-256 (FIPS 180-4) over bytes in the order in which they are added. One thread at a time.
class Sha256 {
public:
    void add(std::span<const std::byte> bytes);
    /// Of what was added so far: 64 lower-case digits, as sha256sum prints them.
    std::string hex() const;

private:
    static constexpr std::size_t kBlockBytes = 64;

    void mix(const std::byte *block);

    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, kBlockBytes> m_block{}; ///< The bytes behind the last whole block.
    std::uint64_t m_bytes = 0;                    ///< All that were added.
};

} // namespace jetscope
