// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace jetscope {

/// Copies of kernel names. CUPTI's names are valid only while the kernel's module is loaded; the copies are never
/// freed, so that views of them stay valid. Any thread.
class KernelNames {
public:
    static constexpr std::size_t kMostBytes = 4'096;  ///< Limit per name; the rest is cut off.
    static constexpr std::size_t kMostNames = 65'536; ///< Further names are empty.

    struct Name {
        std::string_view text;
        bool ours = false;
    };
    /// The stored copy; an empty text for null.
    Name keep(const char *name);

private:
    std::mutex m_mutex;
    std::unordered_set<std::string> m_texts;
    /// Last name at each address; avoids hashing long names repeatedly.
    std::unordered_map<const void *, Name> m_byAddress;
};

} // namespace jetscope
