// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpicorners.h"

#include "core/recording/tracer.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace jetscope {

namespace {

constexpr std::int32_t kMaxCorners = 8192; ///< That VPI may find; more are cut off.
/// Frames whose corners are not read yet. More are never in flight, so the corners of an older frame are not wanted.
constexpr std::size_t kMaxUnread = 16;

/// An array that the CPU reads until this goes.
class LockedArray {
public:
    explicit LockedArray(const VpiLibrary &library) : m_library(library) {}
    LockedArray(const LockedArray &) = delete;
    LockedArray &operator=(const LockedArray &) = delete;
    ~LockedArray() { static_cast<void>(unlock()); }

    /// VPI may map or copy memory for the CPU meanwhile.
    Status lock(vpi::Array array, std::uint64_t frame)
    {
        static const NameId kLock = internName("vpiArrayLockData", Category::WaitMemory, Purpose::DeviceFrame);
        const SpanScope span(kLock, static_cast<std::uint32_t>(frame));
        JETSCOPE_TRY(m_library.check(
            "vpiArrayLockData", m_library.functions().lockArray(array, vpi::kLockRead, vpi::kHostStructures, &m_data)));
        m_array = array;
        return {};
    }
    Status unlock()
    {
        vpi::Array const array = std::exchange(m_array, nullptr);
        return array ? m_library.check("vpiArrayUnlock", m_library.functions().unlockArray(array)) : Status();
    }
    const vpi::ArrayData &data() const { return m_data; }

private:
    const VpiLibrary &m_library;
    vpi::Array m_array = nullptr;
    vpi::ArrayData m_data;
};

bool isSoundArray(const vpi::ArrayData &data, int type, std::size_t bytes)
{
    return static_cast<int>(data.beforeType & 0xffffffff) == type && data.size && data.elements && *data.size >= 0
        && *data.size <= data.capacity && data.strideBytes >= static_cast<int>(bytes);
}

template <class T>
T elementOf(const vpi::ArrayData &data, int index)
{
    T element{};
    std::memcpy(&element, static_cast<const std::byte *>(data.elements) + std::ptrdiff_t{index} * data.strideBytes,
                sizeof element);
    return element;
}

} // namespace

VpiCorners::VpiCorners(VpiLibrary library, std::uint64_t backends, int most)
    : m_library(std::move(library)), m_backends(backends | vpi::kCpu), m_most(static_cast<std::size_t>(most))
{
}

VpiCorners::Slot *VpiCorners::slotOf(std::uint64_t frame)
{
    const auto found =
        std::find_if(m_slots.begin(), m_slots.end(), [frame](const auto &slot) { return slot->frame == frame; });
    return found == m_slots.end() ? nullptr : found->get();
}

Result<VpiCorners::Slot *> VpiCorners::slotFor(std::uint64_t frame)
{
    if (Slot *const same = slotOf(frame))
        return same;
    Slot *oldest = nullptr;
    for (const auto &slot : m_slots) {
        if (!slot->frame)
            return slot.get();
        if (!slot->isBeingRead && (!oldest || *slot->frame < *oldest->frame))
            oldest = slot.get();
    }
    if (oldest && m_slots.size() >= kMaxUnread)
        return oldest;
    auto slot = std::make_unique<Slot>();
    const vpi::Functions &f = m_library.functions();
    for (const auto &[array, type] :
         {std::pair(&slot->corners, vpi::kKeypoints), std::pair(&slot->scores, vpi::kU32Elements)}) {
        void *made = nullptr;
        JETSCOPE_TRY(m_library.check("vpiArrayCreate", f.createArray(kMaxCorners, type, m_backends, &made)));
        *array = VpiHandle(made, f.destroyArray);
    }
    m_slots.push_back(std::move(slot));
    return m_slots.back().get();
}

Result<VpiCorners::Arrays> VpiCorners::begin(std::uint64_t frame)
{
    const std::lock_guard lock(m_mutex);
    JETSCOPE_TRY_ASSIGN(Slot *const slot, slotFor(frame));
    slot->frame = frame;
    slot->isSynchronized = false;
    return Arrays{slot->corners.get(), slot->scores.get()};
}

void VpiCorners::synchronized(std::uint64_t frame)
{
    const std::lock_guard lock(m_mutex);
    if (Slot *const slot = slotOf(frame))
        slot->isSynchronized = true;
}

bool VpiCorners::isSynchronized(std::uint64_t frame)
{
    const std::lock_guard lock(m_mutex);
    const Slot *const slot = slotOf(frame);
    return !slot || slot->isSynchronized;
}

Result<std::vector<StagePoint>> VpiCorners::read(std::uint64_t frame)
{
    Slot *slot = nullptr;
    bool wasSynchronized = false;
    {
        const std::lock_guard lock(m_mutex);
        slot = slotOf(frame);
        if (!slot)
            return std::vector<StagePoint>();
        slot->isBeingRead = true;
        wasSynchronized = slot->isSynchronized;
    }
    Result<std::vector<StagePoint>> points = lockAndRead(*slot, frame);
    const std::lock_guard lock(m_mutex);
    slot->isBeingRead = false;
    if (wasSynchronized)
        slot->frame.reset();
    else if (!points.ok())
        return std::vector<StagePoint>();
    return points;
}

Result<std::vector<StagePoint>> VpiCorners::lockAndRead(const Slot &slot, std::uint64_t frame) const
{
    LockedArray corners(m_library);
    LockedArray scores(m_library);
    JETSCOPE_TRY(corners.lock(slot.corners.get(), frame));
    JETSCOPE_TRY(scores.lock(slot.scores.get(), frame));
    Result<std::vector<StagePoint>> points = strongest(corners.data(), scores.data());
    JETSCOPE_TRY(scores.unlock());
    JETSCOPE_TRY(corners.unlock());
    return points;
}

/// VPI does not sort corners.
Result<std::vector<StagePoint>> VpiCorners::strongest(const vpi::ArrayData &corners, const vpi::ArrayData &scores) const
{
    if (!isSoundArray(corners, vpi::kKeypoints, sizeof(vpi::Keypoint))
        || !isSoundArray(scores, vpi::kU32Elements, sizeof(std::uint32_t)) || *corners.size != *scores.size)
        return sentence("VPI " + m_library.version() + " describes arrays otherwise than its documentation");
    std::vector<int> indices(static_cast<std::size_t>(*corners.size));
    std::iota(indices.begin(), indices.end(), 0);
    const std::size_t kept = std::min(indices.size(), m_most);
    const auto scoreOf = [&](int index) { return elementOf<std::uint32_t>(scores, index); };
    std::partial_sort(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(kept), indices.end(),
                      [&](int a, int b) { return std::pair(scoreOf(b), a) < std::pair(scoreOf(a), b); });
    std::vector<StagePoint> points(kept);
    for (std::size_t i = 0; i < kept; ++i) {
        const auto corner = elementOf<vpi::Keypoint>(corners, indices[i]);
        points[i] = {corner.x, corner.y};
    }
    return points;
}

} // namespace jetscope
