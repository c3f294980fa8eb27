// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// Numbers for the ids of a JSON file, which may be numbers or strings: "tid": 7, "tid": "main", "id": "0x1f". They are
/// compared by value, as viewers do: 7, 7.0 and "7" are the same. O(1) in both directions.
class TokenNumbers {
public:
    std::uint64_t of(std::string_view token);
    /// Display text of an id.
    std::string text(std::uint64_t number) const;
    static bool isText(std::uint64_t number) { return (number & kTextBit) != 0; }

private:
    // Marks ids that are strings; ids that are numbers are smaller.
    static constexpr std::uint64_t kTextBit = std::uint64_t{1} << 63;

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> m_numbers;
    std::vector<const std::string *> m_texts; ///< By number; pointers to keys of m_numbers, whose addresses are stable.
};

} // namespace jetscope
