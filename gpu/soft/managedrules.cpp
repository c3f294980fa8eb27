// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/managedrules.h"

#include "core/hazards/hazardwords.h"
#include "gpu/soft/pageguard.h"
#include "gpu/soft/softmemory.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

namespace jetscope {

namespace {

std::string readable(const char *symbol)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                           &std::free);
    return name ? name.get() : symbol;
}

std::string withOffset(std::string_view name, std::uintptr_t offset)
{
    std::ostringstream text;
    text << name << "+0x" << std::hex << offset;
    return text.str();
}

/// Where an instruction stands: "cv::Canny(...)+0x12 (libopencv_imgproc.so.406)", "jetscope+0x1234" where the symbol is
/// not exported, or "code that is not known" for 0.
std::string codePlace(std::uintptr_t address)
{
    Dl_info info = {};
    if (address == 0 || dladdr(reinterpret_cast<const void *>(address), &info) == 0 || !info.dli_fname)
        return "code that is not known";
    const std::string_view path = info.dli_fname;
    const std::string_view file = path.substr(path.rfind('/') + 1);
    if (!info.dli_sname)
        return withOffset(file, address - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
    return withOffset(readable(info.dli_sname), address - reinterpret_cast<std::uintptr_t>(info.dli_saddr)) + " ("
        + std::string(file) + ")";
}

std::uint64_t lookUp(const std::map<std::uint64_t, std::uint64_t> &map, std::uint64_t key)
{
    const auto found = map.find(key);
    return found == map.end() ? 0 : found->second;
}

/// An access that page protection caught. It may have been made by any library's code, outside of every scope.
Hazard hazardOf(const PageGuard::Touch &touch, std::size_t bytes)
{
    const bool writes = touch.access == FaultAccess::Write;
    Hazard hazard;
    hazard.rule = RuleId::A1;
    hazard.text = std::string("Code on the CPU ") + (writes ? "writes" : "reads")
        + " managed memory that kernels may be using: with concurrentManagedAccess = 0 a Jetson ends the process with "
          "a bus error here";
    hazard.memory = memoryWords(Allocation::Managed, bytes);
    hazard.first = HazardAccess{"kernels", "a CUDA stream", Access::Read, touch.kernelFrame, touch.launchNs};
    hazard.second =
        HazardAccess{"byte " + std::to_string(touch.offset) + ", in " + codePlace(touch.code), threadWords(touch.role),
                     writes ? Access::Write : Access::Read, touch.frame, touch.timeNs};
    hazard.frame = touch.frame;
    hazard.timeNs = touch.timeNs;
    return hazard;
}

} // namespace

void ManagedRules::add(SoftManagedBuffer &buffer)
{
    if (!m_enforced)
        return;
    const std::lock_guard lock(m_mutex);
    PageGuard::instance().add(buffer.host(), pageRounded(buffer.bytes()));
    State state;
    state.buffer = &buffer;
    m_states.push_back(state);
    // New managed memory is attached globally, so work in flight already forbids CPU access (A3).
    if (!cpuMayTouch(state)) {
        m_states.back().accessible = false;
        PageGuard::instance().protect(buffer.host());
    }
}

void ManagedRules::remove(SoftManagedBuffer &buffer)
{
    if (!m_enforced)
        return;
    const std::lock_guard lock(m_mutex);
    PageGuard::instance().remove(buffer.host());
    m_states.erase(
        std::remove_if(m_states.begin(), m_states.end(), [&](const State &state) { return state.buffer == &buffer; }),
        m_states.end());
}

void ManagedRules::attached(Buffer &buffer, Attach target, std::uint64_t streamId, std::uint64_t sequence)
{
    if (!m_enforced)
        return;
    const std::lock_guard lock(m_mutex);
    for (State &state : m_states) {
        if (state.buffer != &buffer)
            continue;
        state.attach = target;
        state.stream = streamId;
        state.attachSequence = sequence;
    }
}

void ManagedRules::launched(std::uint64_t streamId, std::uint64_t sequence)
{
    if (!m_enforced)
        return;
    const std::lock_guard lock(m_mutex);
    m_launched[streamId] = sequence;
    for (State &state : m_states) {
        const bool taken =
            state.attach == Attach::Global || (state.attach == Attach::Single && state.stream == streamId);
        // Protect it even if it was protected before, because a recorded access makes it accessible.
        if (taken) {
            state.accessible = false;
            PageGuard::instance().protect(state.buffer->host());
        }
    }
}

void ManagedRules::observed(std::uint64_t streamId, std::uint64_t sequence)
{
    if (!m_enforced)
        return;
    const std::lock_guard lock(m_mutex);
    std::uint64_t &known = m_observed[streamId];
    if (sequence <= known)
        return;
    known = sequence;
    for (State &state : m_states) {
        if (state.accessible || !cpuMayTouch(state))
            continue;
        state.accessible = true;
        PageGuard::instance().allow(state.buffer->host());
    }
}

void ManagedRules::ended(std::uint64_t streamId)
{
    observed(streamId, UINT64_MAX);
    const std::lock_guard lock(m_mutex);
    m_launched.erase(streamId);
    // m_observed keeps its entry, because memory may still be attached to the destroyed stream.
}

bool ManagedRules::cpuMayTouch(const State &state) const
{
    switch (state.attach) {
    case Attach::Global:
        return std::all_of(m_launched.begin(), m_launched.end(),
                           [this](const auto &launch) { return lookUp(m_observed, launch.first) >= launch.second; });
    case Attach::Single:
        return lookUp(m_observed, state.stream) >= lookUp(m_launched, state.stream);
    case Attach::Host:
        return lookUp(m_observed, state.stream) >= state.attachSequence;
    }
    return true;
}

std::vector<Hazard> ManagedRules::takeHazards()
{
    std::vector<Hazard> hazards;
    if (!m_enforced)
        return hazards;
    const std::lock_guard lock(m_mutex);
    for (const PageGuard::Touch &touch : PageGuard::instance().takeTouches()) {
        const auto state = std::find_if(m_states.begin(), m_states.end(),
                                        [&](const State &each) { return each.buffer->host() == touch.memory; });
        hazards.push_back(hazardOf(touch, state == m_states.end() ? 0 : state->buffer->bytes()));
    }
    return hazards;
}

} // namespace jetscope
