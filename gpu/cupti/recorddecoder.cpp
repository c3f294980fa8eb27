// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/recorddecoder.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace jetscope {

namespace {

/// Copies a record from any address; false if the valid bytes end inside it.
template <class Record>
bool readRecord(Record &record, const std::uint8_t *from, const std::uint8_t *end)
{
    if (static_cast<std::size_t>(end - from) < sizeof(Record))
        return false;
    std::memcpy(&record, from, sizeof(Record));
    return true;
}

template <class Record>
GpuActivity activityOf(const Record &record, GpuActivity::Kind kind)
{
    GpuActivity activity;
    activity.kind = kind;
    activity.deviceId = record.deviceId;
    activity.contextId = record.contextId;
    activity.streamId = record.streamId;
    activity.correlationId = record.correlationId;
    return activity;
}

GpuCopy copyOf(std::uint8_t kind)
{
    return kind <= static_cast<std::uint8_t>(GpuCopy::PeerToPeer) ? static_cast<GpuCopy>(kind) : GpuCopy::Unknown;
}

/// Appends the activity if its times are plausible.
template <class Record, class Pass>
void addTimed(GpuActivity activity, const Record &record, const Pass &pass)
{
    if (record.start == 0 || record.end == 0) {
        ++pass.counters.untimed;
    } else if (record.end < record.start) {
        ++pass.counters.negative;
    } else if (record.start < static_cast<std::uint64_t>(pass.times.earliestNs)
               || record.end > static_cast<std::uint64_t>(pass.times.latestNs)) {
        ++pass.counters.stray;
    } else {
        activity.startNs = static_cast<std::int64_t>(record.start);
        activity.endNs = static_cast<std::int64_t>(record.end);
        pass.activities.push_back(activity);
    }
}

// In their mangled form: what Jetscope was built with, and the kernels that it loads for the user (KernelForm).
constexpr std::string_view kOurNamespace = "8jetscope";
constexpr std::string_view kOwnKernels[] = {"_Z15jetscope_filter", "_Z20jetscope_grey_filter"};

bool isOurs(std::string_view name)
{
    return name.find(kOurNamespace) != std::string_view::npos
        || std::any_of(std::begin(kOwnKernels), std::end(kOwnKernels),
                       [name](std::string_view kernel) { return name.starts_with(kernel); });
}

} // namespace

void RecordDecoder::decode(const cupti::Api &api, std::uint8_t *buffer, std::size_t validBytes, Times times,
                           std::vector<GpuActivity> &activities, CuptiCounters &counters)
{
    const Pass pass{buffer + validBytes, times, activities, counters};
    const std::uint8_t *before = nullptr;
    void *next = nullptr;
    cupti::ResultCode code = cupti::kSuccess;
    while ((code = api.getNextRecord(buffer, validBytes, &next)) == cupti::kSuccess) {
        const auto *const at = static_cast<const std::uint8_t *>(next);
        const bool moved = before ? at > before : at >= buffer;
        if (!moved || at >= pass.end || !decodeRecord(at, pass)) {
            ++counters.damaged;
            return;
        }
        before = at;
    }
    if (code != cupti::kMaxLimitReached)
        ++counters.damaged;
}

bool RecordDecoder::decodeRecord(const std::uint8_t *at, const Pass &pass)
{
    cupti::ActivityKind kind = 0;
    if (!readRecord(kind, at, pass.end))
        return false;
    switch (kind) {
    case cupti::kConcurrentKernel:
        return decodeKernel(at, pass);
    case cupti::kMemcpy:
        return decodeMemcpy(at, pass);
    case cupti::kMemset:
        return decodeMemset(at, pass);
    default:
        ++pass.counters.unknown;
        return true;
    }
}

bool RecordDecoder::decodeKernel(const std::uint8_t *at, const Pass &pass)
{
    cupti::KernelRecord record;
    if (!readRecord(record, at, pass.end))
        return false;
    GpuActivity activity = activityOf(record, GpuActivity::Kind::Kernel);
    const KernelNames::Name name = m_names.keep(record.name);
    activity.name = name.text;
    activity.ours = name.ours;
    addTimed(activity, record, pass);
    return true;
}

bool RecordDecoder::decodeMemcpy(const std::uint8_t *at, const Pass &pass)
{
    cupti::MemcpyRecord record;
    if (!readRecord(record, at, pass.end))
        return false;
    GpuActivity activity = activityOf(record, GpuActivity::Kind::Memcpy);
    activity.copy = copyOf(record.copyKind);
    activity.bytes = record.bytes;
    addTimed(activity, record, pass);
    return true;
}

bool RecordDecoder::decodeMemset(const std::uint8_t *at, const Pass &pass)
{
    cupti::MemsetRecord record;
    if (!readRecord(record, at, pass.end))
        return false;
    GpuActivity activity = activityOf(record, GpuActivity::Kind::Memset);
    activity.bytes = record.bytes;
    addTimed(activity, record, pass);
    return true;
}

KernelNames::Name KernelNames::keep(const char *name)
{
    if (!name)
        return {};
    // Another module's name may be at this address by now, so compare the text.
    const std::string_view text(name, strnlen(name, kMaxBytes));
    const std::lock_guard lock(m_mutex);
    if (m_byAddress.size() >= kMaxNames)
        m_byAddress.clear();
    Name &here = m_byAddress[name];
    if (here.text == text)
        return here;
    if (m_texts.size() >= kMaxNames && m_texts.find(std::string(text)) == m_texts.end())
        return {};
    here = {*m_texts.emplace(text).first, isOurs(text)};
    return here;
}

} // namespace jetscope
