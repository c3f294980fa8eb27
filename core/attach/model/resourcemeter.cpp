// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/resourcemeter.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/arraybytes.h"

#include <algorithm>
#include <limits>

namespace jetscope {

namespace {

constexpr std::size_t kMaxParts = 1 << 18;
constexpr std::uint64_t kMaxAtOnce = 1 << 30; ///< Arguments may be anything.
/// Setting up belongs to the first frames.
constexpr std::uint32_t kFramesToSettle = 10;
constexpr std::uint64_t kMinMore = 5;
constexpr std::uint64_t kForDevice = 2; // CU_MEMHOSTALLOC_DEVICEMAP, CU_MEMHOSTREGISTER_DEVICEMAP

} // namespace

struct ResourceMeter::Row {
    std::string_view name; ///< Of the counter.
    std::string_view unit;
    bool isCounted = false; ///< Objects that only their number is known of.
};

const std::array<ResourceMeter::Row, ResourceMeter::kUses> ResourceMeter::kRows = {{
    {"device memory", "B"},
    {"pooled device memory", "B"},
    {"pinned memory", "B"},
    {"zero-copy memory", "B"},
    {"managed memory", "B"},
    {"registered host memory", "B"},
    {"CUDA arrays", "B"},
    {"memory mapped by the program", "B"},
    {"NvBuf buffers", "objects"},
    {"CUDA streams", "objects"},
    {"CUDA events", "objects"},
    {"EGLImages", "objects"},
    {"fences", "objects"},
    {"resources registered with CUDA", "objects"},
    {"mapped EGL frames", "objects"},
    {"EGLStreams", "objects"},
    {"connections of CUDA to EGLStreams", "objects", true},
    {"textures", "objects", true},
}};

/// Those that count as one each, and what makes and ends them.
struct ResourceMeter::Object {
    jsa_work made;
    jsa_work ended;
    Use use;
};

const std::array<ResourceMeter::Object, 8> ResourceMeter::kObjects = {{
    {JSA_WORK_STREAMMADE, JSA_WORK_STREAMEND, Use::Streams},
    {JSA_WORK_EVENTMADE, JSA_WORK_EVENTEND, Use::Events},
    {JSA_WORK_FENCE, JSA_WORK_FENCEEND, Use::Fences},
    {JSA_WORK_IMAGE, JSA_WORK_IMAGEEND, Use::Images},
    {JSA_WORK_NVIMAGE, JSA_WORK_NVIMAGEEND, Use::Images},
    {JSA_WORK_GRAPHICS, JSA_WORK_GRAPHICSEND, Use::Graphics},
    {JSA_WORK_EGLFRAME, JSA_WORK_GRAPHICSEND, Use::EglFrames},
    {JSA_WORK_STREAM, JSA_WORK_EGLSTREAMEND, Use::EglStreams},
}};

void ResourceMeter::sample(Use use, std::int64_t ns)
{
    const auto index = static_cast<std::size_t>(use);
    Sum &sum = m_sums[index];
    if (!sum.counter) {
        sum.counter = static_cast<CounterId>(m_counters.size());
        m_counters.push_back({*sum.counter, std::string(kRows[index].name), std::string(kRows[index].unit), {}});
    }
    const double value = sum.known ? static_cast<double>(sum.sum) : std::numeric_limits<double>::quiet_NaN();
    m_samples.push_back({ns, value, *sum.counter});
}

void ResourceMeter::add(Use use, const AttachEvent &event, std::int32_t process, std::optional<std::uint64_t> amount)
{
    Sum &sum = m_sums[static_cast<std::size_t>(use)];
    if (!sum.known)
        return;
    sum.known = sum.parts.size() < kMaxParts && amount.has_value();
    std::uint64_t &part = sum.parts[{process, event.argument[0]}]; // Its end was lost if there is one.
    sum.sum += amount.value_or(0) - part;
    part = amount.value_or(0);
    sum.call = event.call;
    sample(use, event.endNs);
}

void ResourceMeter::addCounted(Use use, const AttachEvent &event, std::int32_t process, std::uint64_t more,
                               std::uint64_t less)
{
    Sum &sum = m_sums[static_cast<std::size_t>(use)];
    std::uint64_t &part = sum.parts[{process, 0}];
    const std::uint64_t before = part;
    part = part + more - std::min(part + more, less); // Some may have been made before the recording.
    sum.sum += part - before;
    if (more > 0)
        sum.call = event.call;
    sample(use, event.endNs);
}

bool ResourceMeter::remove(Use use, const AttachEvent &event, std::int32_t process, std::uint64_t key)
{
    Sum &sum = m_sums[static_cast<std::size_t>(use)];
    const auto part = sum.parts.find({process, key});
    if (part == sum.parts.end())
        return false;
    sum.sum -= part->second;
    sum.parts.erase(part);
    if (sum.known)
        sample(use, event.endNs);
    return true;
}

void ResourceMeter::take(const AttachEvent &event, std::int32_t process, std::uint32_t frame)
{
    if (!m_settled && frame != kNoFrame && frame >= kFramesToSettle) {
        m_settled = true;
        for (std::size_t i = 0; i < kUses; ++i)
            m_sums[i].objectsBefore = m_sums[i].objects(kRows[i].isCounted);
    }
    if (event.failed())
        return;
    const std::uint64_t bytes = event.argument[1];
    switch (attachCall(event.call)->work) {
    case JSA_WORK_ALLOC:
        return add(Use::Device, event, process, bytes);
    case JSA_WORK_POOLALLOC:
        return add(Use::Pool, event, process, bytes);
    case JSA_WORK_HOSTALLOC:
        return add((event.argument[2] & kForDevice) != 0 ? Use::ZeroCopy : Use::Pinned, event, process, bytes);
    case JSA_WORK_MANAGED:
        return add(Use::Managed, event, process, bytes);
    case JSA_WORK_REGISTER:
        return add((event.argument[2] & kForDevice) != 0 ? Use::ZeroCopy : Use::Registered, event, process, bytes);
    case JSA_WORK_FREE:
    case JSA_WORK_POOLFREE:
        for (const Use use : {Use::Device, Use::Managed, Use::Pinned, Use::ZeroCopy, Use::Pool})
            if (remove(use, event, process))
                return;
        return;
    case JSA_WORK_UNREGISTER:
        if (!remove(Use::Registered, event, process))
            remove(Use::ZeroCopy, event, process);
        return;
    case JSA_WORK_ARRAY:
        return add(Use::Arrays, event, process, arrayBytes(event));
    case JSA_WORK_ARRAYEND:
        remove(Use::Arrays, event, process);
        return;
    case JSA_WORK_PHYSICAL:
    case JSA_WORK_PHYSICALEND:
    case JSA_WORK_VIRTUALMAP:
    case JSA_WORK_VIRTUALUNMAP:
        return takeMapped(event, process);
    default:
        return takeObject(event, process);
    }
}

void ResourceMeter::takeMapped(const AttachEvent &event, std::int32_t process)
{
    if (attachCall(event.call)->work == JSA_WORK_PHYSICAL)
        add(Use::Virtual, event, process, event.argument[1]);
    for (const std::uint64_t handle : m_virtual.take(event, process))
        remove(Use::Virtual, event, process, handle);
}

void ResourceMeter::takeObject(const AttachEvent &event, std::int32_t process)
{
    const jsa_work work = attachCall(event.call)->work;
    const std::uint64_t number = std::min(event.argument[0], kMaxAtOnce);
    switch (work) {
    case JSA_WORK_TEXTURES:
        return addCounted(Use::Textures, event, process, number, 0);
    case JSA_WORK_TEXTURESEND:
        return addCounted(Use::Textures, event, process, 0, number);
    case JSA_WORK_CONNECT:
        return addCounted(Use::Connections, event, process, 1, 0);
    case JSA_WORK_DISCONNECT:
        return addCounted(Use::Connections, event, process, 0, 1);
    case JSA_WORK_RELEASE: // Of CUDA's consumers, argument 1 is the resource.
        remove(Use::EglFrames, event, process, event.argument[1]);
        return;
    case JSA_WORK_NVBUF:
        return add(Use::NvBufs, event, process, std::clamp(event.argument[1], std::uint64_t{1}, kMaxAtOnce));
    case JSA_WORK_NVBUFEND:
        remove(Use::NvBufs, event, process);
        return;
    default:
        break;
    }
    for (const Object &object : kObjects)
        if (work == object.made)
            add(object.use, event, process, 1);
        else if (work == object.ended)
            remove(object.use, event, process);
}

std::vector<GrowingObjects> ResourceMeter::growing(std::uint32_t frames) const
{
    std::vector<GrowingObjects> found;
    for (std::size_t i = 0; i < kUses && m_settled && frames > kFramesToSettle; ++i) {
        const Sum &sum = m_sums[i];
        const std::uint64_t objects = sum.objects(kRows[i].isCounted);
        const std::uint64_t more = objects - std::min(objects, *sum.objectsBefore);
        if (more >= kMinMore && more * 2 >= frames - kFramesToSettle)
            found.push_back({kRows[i].name, sum.call, more});
    }
    return found;
}

} // namespace jetscope
