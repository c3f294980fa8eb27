// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/attachmemory.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace jetscope {

/// A record of CUPTI in an inspected program. Times are CLOCK_MONOTONIC nanoseconds.
struct AttachGpuWork {
    jsa_gpu_kind kind = JSA_GPU_KERNEL; ///< Not TEXT or NAME.
    std::uint8_t detail = 0;            ///< As in jsa_gpu_record.
    std::int32_t pid = 0;
    std::uint32_t thread = 0; ///< Of a CALL: its kernel's id.
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint32_t name = 0; ///< Of a KERNEL: index into GpuRecordReader::names.
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t bytes = 0;

    bool isOnGpu() const { return kind == JSA_GPU_KERNEL || kind == JSA_GPU_COPY || kind == JSA_GPU_SET; }
};

/// How CUPTI fared in one process of an inspected program. Numbers and texts are the program's and may be anything.
struct AttachGpuProcess {
    std::int32_t pid = 0;
    std::string process;
    jsa_gpu_state_value state = JSA_GPU_ABSENT;
    jsa_gpu_step step = JSA_GPU_STEP_NONE; ///< Of a refusal.
    std::int32_t code = 0;                 ///< CUptiResult of the step.
    std::uint32_t version = 0;
    std::array<std::int32_t, JSA_GPU_KINDS> refusals{}; ///< CUptiResult of each kind; 0: it is recorded.
    std::string reason;                                 ///< The dynamic linker's, or a function.
};

/// What became of the records of CUPTI, over all processes.
struct AttachGpuCounts {
    std::array<std::uint64_t, JSA_GPU_KINDS> delivered{}; ///< By CUPTI, exact.
    std::array<std::uint64_t, JSA_GPU_KINDS> recorded{};  ///< Of these, what was read.
    std::uint64_t lost = 0;                               ///< The ring was full.
    std::uint64_t dropped = 0;                            ///< By CUPTI, for want of a buffer.
    std::uint64_t untimed = 0;                            ///< Start or end is 0.
    std::uint64_t negative = 0;                           ///< Ends before it starts.
    std::uint64_t stray = 0;                              ///< Before the session or in the future.
    std::uint64_t unknown = 0;                            ///< Of kinds that were not asked for.
    std::uint64_t damagedBuffers = 0;
    std::uint64_t damaged = 0; ///< Records whose content was impossible.
    std::uint64_t flushes = 0;
    std::uint64_t flushNs = 0;

    std::uint64_t missing() const { return lost + dropped + untimed + negative + stray; }
};

/// Checks the records of rings of JSA_RING_GPU, whatever they contain. Not thread-safe.
class GpuRecordReader {
public:
    explicit GpuRecordReader(std::int64_t startNs) : m_startNs(startNs) { m_names.emplace_back(); }

    /// `text` is of the ring: a name that is not complete yet.
    void take(const jsa_gpu_record &record, std::int32_t pid, std::int64_t nowNs, std::string &text);
    /// A call's own record has its correlation id.
    void countSubmission() { ++m_counts.recorded[JSA_GPU_CALL]; }
    /// Adds what the header of a ring says.
    void addHeader(const jsa_ring &ring, AttachGpuCounts &counts) const;
    /// The ring is given to another writer.
    void release(const jsa_ring &ring);
    static AttachGpuProcess process(const jsa_ring &ring);

    std::vector<AttachGpuWork> takeWork();
    /// Names of kernels as the compiler made them; the first is empty. Bounded.
    const std::vector<std::string> &names() const { return m_names; }
    /// Without the headers of rings in use.
    const AttachGpuCounts &counts() const { return m_counts; }
    const std::vector<AttachGpuProcess> &ended() const { return m_ended; }

private:
    const std::int64_t m_startNs;
    std::vector<AttachGpuWork> m_work;
    std::map<std::uint64_t, std::uint32_t> m_nameOf; ///< By the program's number.
    std::vector<std::string> m_names;
    AttachGpuCounts m_counts;
    std::vector<AttachGpuProcess> m_ended;
};

} // namespace jetscope
