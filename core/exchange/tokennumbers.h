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

/// Numbers for the ids of a JSON file, which may be numbers or texts: "tid": 7, "tid": "main", "id": "0x1f". The same
/// token has the same number. O(1) each way.
class TokenNumbers {
public:
    std::uint64_t of(std::string_view token);
    /// What an id says to a reader.
    std::string text(std::uint64_t number) const;
    static bool isText(std::uint64_t number) { return (number & kTextBit) != 0; }

private:
    // Marks the number of an id that is a text; ids that are numbers stay below.
    static constexpr std::uint64_t kTextBit = std::uint64_t{1} << 63;

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> m_numbers;
    std::vector<const std::string *> m_texts; ///< By number; keys of m_numbers, which stay where they are.
};

} // namespace jetscope
