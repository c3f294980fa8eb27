// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cupti/cuptiabi.h"
#include "gpu/cupti/gpuactivity.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace jetscope {

/// Copies of kernel names. CUPTI's names are valid only while the kernel's module is loaded; the copies are never
/// freed, so that views of them stay valid. Any thread.
class KernelNames {
public:
    static constexpr std::size_t kMaxBytes = 4'096;  ///< Limit per name; the rest is cut off.
    static constexpr std::size_t kMaxNames = 65'536; ///< Further names are empty.

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

/// Reads the records of a buffer, using the leading fields that all known releases share. Any thread: it holds no lock
/// while it calls CUPTI, which may hold its own.
class RecordDecoder {
public:
    /// The plausible times: work requested after `earliestNs` that ended by `latestNs`.
    struct Times {
        std::int64_t earliestNs = 0;
        std::int64_t latestNs = 0;
    };

    /// Appends the valid records to `activities` and counts the rest. `validBytes` of the buffer are filled; later
    /// bytes are not read.
    void decode(const cupti::Api &api, std::uint8_t *buffer, std::size_t validBytes, Times times,
                std::vector<GpuActivity> &activities, CuptiCounters &counters);

private:
    /// Arguments of a pass over a buffer.
    struct Pass {
        const std::uint8_t *end; ///< End of the valid bytes.
        Times times;
        std::vector<GpuActivity> &activities;
        CuptiCounters &counters;
    };

    /// False if the record is truncated.
    bool decodeRecord(const std::uint8_t *at, const Pass &pass);
    bool decodeKernel(const std::uint8_t *at, const Pass &pass);
    static bool decodeMemcpy(const std::uint8_t *at, const Pass &pass);
    static bool decodeMemset(const std::uint8_t *at, const Pass &pass);

    KernelNames m_names;
};

} // namespace jetscope
