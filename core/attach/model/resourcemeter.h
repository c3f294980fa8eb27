// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/virtualmemory.h"
#include "core/attach/read/ringreader.h"
#include "core/trace/countertrack.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// Objects of an inspected program that become more with its frames.
struct GrowingObjects {
    std::string_view what;  ///< "EGLImages"
    std::uint16_t call = 0; ///< That made the newest one.
    std::uint64_t more = 0; ///< Than after the first frames.
};

/// Adds up the memory and the objects that an inspected program has, by the arguments of its calls, as counters for the
/// timeline. What was made before the recording, or by calls that were lost, is not in the sums. Memory is bounded.
/// Not thread-safe.
class ResourceMeter {
public:
    /// Calls in order of their ends. `frame` may be kNoFrame.
    void take(const AttachEvent &event, std::int32_t process, std::uint32_t frame);

    /// Counters of what the program uses, all so far.
    const std::vector<CounterInfo> &counters() const { return m_counters; }
    /// Samples since the last call.
    std::vector<CounterSample> takeSamples() { return std::exchange(m_samples, {}); }
    /// Kinds of which every second frame leaves one behind, at least.
    std::vector<GrowingObjects> growing(std::uint32_t frames) const;

private:
    enum class Use : std::uint8_t {
        Device,
        Pool,
        Pinned,
        ZeroCopy,
        Managed,
        Registered,
        Arrays,
        Virtual,
        NvBufs,
        Streams,
        Events,
        Images,
        Fences,
        Graphics,
        EglFrames,
        EglStreams,
        Connections,
        Textures,
    };
    static constexpr std::size_t kUses = 18;
    struct Row;
    static const std::array<Row, kUses> kRows;
    struct Object;
    static const std::array<Object, 8> kObjects;
    struct Sum {
        std::map<std::pair<std::int32_t, std::uint64_t>, std::uint64_t> parts; ///< By process and address or handle.
        std::uint64_t sum = 0;
        bool known = true; ///< False once there were too many, or one of unknown size.
        std::optional<CounterId> counter;
        std::optional<std::uint64_t> objectsBefore; ///< When the first frames had passed.
        std::uint16_t call = 0;

        std::uint64_t objects(bool areCounted) const { return areCounted ? sum : parts.size(); }
    };

    void takeObject(const AttachEvent &event, std::int32_t process);
    void takeMapped(const AttachEvent &event, std::int32_t process);
    /// Empty: its size is not known.
    void add(Use use, const AttachEvent &event, std::int32_t process, std::optional<std::uint64_t> amount);
    /// Objects whose names are not followed, because contexts use the same ones.
    void addCounted(Use use, const AttachEvent &event, std::int32_t process, std::uint64_t more, std::uint64_t less);
    bool remove(Use use, const AttachEvent &event, std::int32_t process)
    {
        return remove(use, event, process, event.argument[0]);
    }
    bool remove(Use use, const AttachEvent &event, std::int32_t process, std::uint64_t key);
    void sample(Use use, std::int64_t ns);

    std::array<Sum, kUses> m_sums;
    VirtualMemory m_virtual;
    bool m_settled = false; ///< The first frames have passed.
    std::vector<CounterInfo> m_counters;
    std::vector<CounterSample> m_samples;
};

} // namespace jetscope
