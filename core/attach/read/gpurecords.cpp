// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/gpurecords.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxKernelNames = 8192;
constexpr std::size_t kMaxEndedProcesses = 1024;
/// CUPTI maps the GPU's clock to the CPU's, which is off by microseconds; more is another clock.
constexpr std::int64_t kGpuClockSlackNs = 1'000'000'000;

template <class T>
T sharedValue(const T &shared)
{
    return std::atomic_ref(const_cast<T &>(shared)).load(std::memory_order_relaxed);
}

} // namespace

void GpuRecordReader::take(const jsa_gpu_record &record, std::int32_t pid, std::int64_t nowNs, std::string &text)
{
    if (record.kind == JSA_GPU_TEXT) {
        const char *bytes = reinterpret_cast<const char *>(&record) + JSA_GPU_TEXT_OFFSET;
        if (text.size() < JSA_GPU_NAME_BYTES)
            text.append(bytes, strnlen(bytes, JSA_GPU_TEXT_BYTES));
        return;
    }
    if (record.kind == JSA_GPU_NAME) {
        if (m_names.size() < kMaxKernelNames
            && m_nameOf.emplace(record.name, static_cast<std::uint32_t>(m_names.size())).second)
            m_names.push_back(std::move(text));
        text.clear();
        return;
    }
    if (record.kind < JSA_GPU_KERNEL || record.kind >= JSA_GPU_KINDS || record.begin > record.end) {
        ++m_counts.damaged;
        return;
    }
    if (record.begin < static_cast<std::uint64_t>(m_startNs - kGpuClockSlackNs)
        || record.end > static_cast<std::uint64_t>(nowNs + kGpuClockSlackNs)) {
        ++m_counts.stray;
        return;
    }
    ++m_counts.recorded[record.kind];
    const auto name = record.kind == JSA_GPU_KERNEL ? m_nameOf.find(record.name) : m_nameOf.end();
    m_work.push_back({static_cast<jsa_gpu_kind>(record.kind), record.detail, pid, record.thread, record.device,
                      record.context, record.stream, record.correlation, name == m_nameOf.end() ? 0 : name->second,
                      static_cast<std::int64_t>(record.begin), static_cast<std::int64_t>(record.end), record.bytes});
}

void GpuRecordReader::addHeader(const jsa_ring &ring, AttachGpuCounts &counts) const
{
    for (std::size_t kind = JSA_GPU_KERNEL; kind < JSA_GPU_KINDS; ++kind)
        counts.delivered[kind] += sharedValue(ring.counts[kind]);
    counts.lost += sharedValue(ring.lost);
    counts.dropped += sharedValue(ring.gpu.dropped);
    counts.untimed += sharedValue(ring.gpu.untimed);
    counts.negative += sharedValue(ring.gpu.negative);
    counts.unknown += sharedValue(ring.gpu.unknown);
    counts.damagedBuffers += sharedValue(ring.gpu.damaged);
    counts.flushes += sharedValue(ring.gpu.flushes);
    counts.flushNs += sharedValue(ring.gpu.flush_ns);
}

AttachGpuProcess GpuRecordReader::process(const jsa_ring &ring)
{
    jsa_gpu_state state; // A copy, because the program may change it.
    std::memcpy(&state, &ring.gpu, sizeof state);
    AttachGpuProcess process;
    process.pid = ring.pid;
    process.process.assign(ring.process_name, strnlen(ring.process_name, JSA_NAME_BYTES));
    if (state.state <= JSA_GPU_REFUSED)
        process.state = static_cast<jsa_gpu_state_value>(state.state);
    if (state.step <= JSA_GPU_STEP_KERNELS)
        process.step = static_cast<jsa_gpu_step>(state.step);
    process.code = state.code;
    process.version = state.version;
    std::copy(std::begin(state.refusals), std::end(state.refusals), process.refusals.begin());
    process.reason.assign(state.reason, strnlen(state.reason, sizeof state.reason));
    return process;
}

void GpuRecordReader::release(const jsa_ring &ring)
{
    addHeader(ring, m_counts);
    if (m_ended.size() < kMaxEndedProcesses)
        m_ended.push_back(process(ring));
}

std::vector<AttachGpuWork> GpuRecordReader::takeWork()
{
    return std::exchange(m_work, {});
}

} // namespace jetscope
