// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace jetscope {

/// Kernels' names, copied since CUPTI's live no longer than the kernel's module, and never forgotten, so that views of
/// them may be kept. Any thread.
class KernelNames {
public:
    static constexpr std::size_t kMostBytes = 4'096;  ///< Of a name; the rest is cut off.
    static constexpr std::size_t kMostNames = 65'536; ///< More have none.

    struct Name {
        std::string_view text;
        bool ours = false;
    };
    /// The kept copy; an empty text for null.
    Name keep(const char *name);

private:
    std::mutex m_mutex;
    std::unordered_set<std::string> m_texts;
    /// What was last found there: saves hashing long names again and again.
    std::unordered_map<const void *, Name> m_byAddress;
};

} // namespace jetscope
