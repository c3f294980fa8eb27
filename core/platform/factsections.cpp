// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/factsections.h"

#include "core/platform/cudaversion.h"
#include "core/platform/tegrafeatures.h"

#include <algorithm>

namespace jetscope {

namespace {

using State = FactRow::State;

constexpr const char *kUnknownText = "unknown";

FactRow unknownRow(std::string name, std::string reason)
{
    return {std::move(name), kUnknownText, State::Unknown, std::move(reason), {}, {}};
}

FactRow rowOf(std::string name, const Reading<std::string> &reading)
{
    if (!reading.known())
        return unknownRow(std::move(name), reading.reason);
    return {std::move(name), *reading.value, State::Plain, {}, {}, {}};
}

std::string mebibytes(std::uint64_t bytes)
{
    constexpr std::uint64_t kMebi = 1024 * 1024;
    return std::to_string(bytes / kMebi) + " MiB";
}

FactRow versionRow(std::string name, const std::optional<int> &version, const DeviceFacts &facts)
{
    if (version)
        return {std::move(name), cudaVersionText(*version), State::Plain, {}, {}, {}};
    return unknownRow(std::move(name),
                      facts.software ? "the software iGPU runs without CUDA" : "the driver did not report it");
}

FactRow nodeRow(const NodeAccess &access)
{
    FactRow row{access.pattern, "none", State::Plain, access.purpose, access.command, {}};
    if (access.state != NodeAccess::State::Absent)
        row.value = access.denied.empty()
            ? "allowed (" + std::to_string(access.found) + ")"
            : "denied (" + std::to_string(access.denied.size()) + " of " + std::to_string(access.found) + ")";
    if (access.state == NodeAccess::State::Allowed)
        row.state = State::Good;
    if (access.state == NodeAccess::State::Denied)
        row.state = State::Bad;
    if (!access.reason.empty())
        row.detail += "; " + access.reason;
    return row;
}

FactRow groupRow(const GroupMembership &membership)
{
    FactRow row{"group " + membership.group, kUnknownText, State::Unknown, membership.reason, membership.command, {}};
    if (membership.isMember) {
        row.value = *membership.isMember ? "member" : "not a member";
        row.state = *membership.isMember ? State::Good : membership.command.empty() ? State::Plain : State::Bad;
    }
    return row;
}

FactRow libraryRow(const LibraryFact &library)
{
    FactRow row{library.name, "absent", State::Plain, library.purpose, {}, {}};
    switch (library.state) {
    case LibraryFact::State::Found:
        row.state = State::Good;
        row.value = (library.version.empty() ? "found" : library.version) + ", " + library.path;
        break;
    case LibraryFact::State::Broken:
        row.state = State::Bad;
        row.value = "broken: " + library.path;
        break;
    case LibraryFact::State::Absent:
        break;
    }
    if (!library.reason.empty())
        row.detail += "; " + library.reason;
    return row;
}

bool hasWord(std::string_view list, std::string_view word)
{
    for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1))
        if ((at == 0 || list[at - 1] == ' ') && (at + word.size() == list.size() || list[at + word.size()] == ' '))
            return true;
    return false;
}

State stateOf(FeatureState state)
{
    switch (state) {
    case FeatureState::Supported:
        return State::Good;
    case FeatureState::Unsupported:
    case FeatureState::Discouraged:
        return State::Bad;
    case FeatureState::Unknown:
        break;
    }
    return State::Unknown;
}

} // namespace

FactSection identitySection(const BoardIdentity &board)
{
    FactSection section{"board", "Board", {}, {}};
    section.rows = {rowOf("model", board.model), rowOf("module", board.module), rowOf("chip", board.chip)};
    section.rows.push_back(board.l4t.known()
                               ? FactRow{"Jetson Linux (L4T)", board.l4t.value->text(), State::Plain, {}, {}, {}}
                               : unknownRow("Jetson Linux (L4T)", board.l4t.reason));
    section.rows.push_back(rowOf("JetPack", board.jetpack));
    section.rows.push_back(rowOf("kernel", board.kernel));
    section.note = "Paths of a Jetson are those of NVIDIA's documents; they were not tried on one.";
    return section;
}

FactSection permissionSection(const PlatformFacts &platform)
{
    FactSection section{"permissions", "Permissions", {}, {}};
    for (const GroupMembership &membership : platform.groups)
        section.rows.push_back(groupRow(membership));
    for (const NodeAccess &access : platform.nodes)
        section.rows.push_back(nodeRow(access));
    return section;
}

FactSection profilingSection(const PlatformFacts &platform)
{
    FactSection section{"profiling", "Profiling", {}, {}};
    const ProfilingAccess &access = platform.profiling;
    FactRow row = unknownRow("profiling by users", access.reason);
    if (access.state != ProfilingAccess::State::Unknown) {
        const bool open = access.state == ProfilingAccess::State::Open;
        row = {row.name,
               open ? "open" : "for administrators only",
               open ? State::Good : State::Bad,
               access.reason,
               access.command,
               {}};
    }
    section.rows.push_back(std::move(row));
    section.note = "CUPTI on integrated GPUs needs root up to CUDA 12; from CUDA 13 on it needs the profiling nodes.";
    return section;
}

FactSection librarySection(const PlatformFacts &platform)
{
    FactSection section{"libraries", "Engines and libraries", {}, {}};
    const DlaCount &dlas = platform.dlas;
    const char *const kDla = "deep-learning accelerators (DLA)";
    section.rows.push_back(dlas.count ? FactRow{kDla, std::to_string(*dlas.count), State::Plain, dlas.reason, {}, {}}
                                      : unknownRow(kDla, dlas.reason));
    for (const LibraryFact &library : platform.libraries)
        section.rows.push_back(libraryRow(library));
    section.note = "Files are looked at, but not loaded.";
    return section;
}

FactSection sharingSection(const PlatformFacts &platform, std::string_view eglExtensions)
{
    FactSection section{"sharing", "Frames between processes", {}, {}};
    constexpr std::string_view kCross = "EGL_KHR_stream_cross_process_fd";
    const bool cross = hasWord(eglExtensions, kCross);
    section.rows.push_back({"EGLStream",
                            cross ? "the display has it" : "not available",
                            cross ? State::Good : State::Bad,
                            std::string(cross ? "" : "the display lacks ") + std::string(kCross)
                                + "; with it, producer and consumer of an EGLStream can be in two processes",
                            {},
                            "EGL registry; CUDA for Tegra Application Note, EGLStream"});
    const bool sci =
        std::count_if(platform.libraries.begin(), platform.libraries.end(),
                      [](const LibraryFact &library) {
                          return library.name.starts_with("NvSci") && library.state == LibraryFact::State::Found;
                      })
        >= 2;
    section.rows.push_back({"NvSci",
                            sci ? "its libraries are there" : "not available",
                            sci ? State::Good : State::Bad,
                            std::string(sci ? "" : "its libraries were not found; they offer ")
                                + "buffers and synchronization objects that CUDA imports as external memory and "
                                  "external semaphores, for processes and for engines such as the DLA; Jetscope uses "
                                  "it for dla: stages with mode=standalone",
                            {},
                            "CUDA for Tegra Application Note, EGL Interoperability"});
    section.note = "CUDA IPC has limits on integrated GPUs; see the features of the device.";
    return section;
}

FactSection attributeSection(const DeviceFacts &facts)
{
    FactSection section{"attributes", "Attributes", {}, {}};
    section.rows.push_back({"compute capability",
                            std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor),
                            State::Plain,
                            {},
                            {},
                            {}});
    section.rows.push_back(versionRow("CUDA of the driver", facts.driverVersion, facts));
    section.rows.push_back(versionRow("CUDA runtime", facts.runtimeVersion, facts));
    for (const DeviceAttribute &attribute : facts.attributes)
        section.rows.push_back(attribute.value
                                   ? FactRow{attribute.name, std::to_string(*attribute.value), State::Plain, {}, {}, {}}
                                   : unknownRow(attribute.name, attribute.reason));
    section.note = facts.software ? "The software iGPU takes these attributes from the rules of the named board."
                                  : "As the driver reports them.";
    return section;
}

FactSection limitSection(const DeviceFacts &facts, const PlatformFacts &platform)
{
    FactSection section{"limits", "Memory limits", {}, {}};
    const char *const kReported = "reported by cudaMemGetInfo";
    if (const auto &memory = facts.reportedMemory)
        section.rows.push_back({kReported,
                                mebibytes(memory->freeBytes) + " free of " + mebibytes(memory->totalBytes),
                                State::Plain,
                                "when the device was opened",
                                {},
                                {}});
    else
        section.rows.push_back(unknownRow(
            kReported, facts.software ? "the software iGPU runs without CUDA" : "the driver did not report it"));
    FactRow row = unknownRow("allocatable", platform.allocatableReason);
    row.source = "CUDA for Tegra Application Note, Estimating Total Allocatable Device Memory";
    if (facts.software) {
        row.detail = "the software iGPU uses the memory of its process";
    } else if (!facts.integrated) {
        row.value = "as reported";
        row.state = State::Plain;
        row.detail = "a discrete GPU has memory of its own, which the CPU does not use";
    } else if (platform.allocatable) {
        const AllocatableMemory &memory = *platform.allocatable;
        row.value = mebibytes(memory.allocatable);
        row.state = State::Plain;
        row.detail = "estimate: the CPU has " + mebibytes(memory.hostAllocated) + ", of which "
            + mebibytes(memory.swapFree) + " fit into swap; devices have " + mebibytes(memory.deviceAllocated);
    }
    section.rows.push_back(std::move(row));
    return section;
}

FactSection featureSection(const DeviceFacts &facts)
{
    FactSection section{"features", "CUDA features with limits on Tegra", {}, {}};
    for (const TegraFeature &feature : tegraFeatures(facts)) {
        FactRow row{
            std::string(feature.name),  std::string(nameOf(feature.state)), stateOf(feature.state), feature.why, {},
            std::string(feature.source)};
        if (feature.state != FeatureState::Supported)
            row.detail += "; instead: " + feature.alternative;
        section.rows.push_back(std::move(row));
    }
    return section;
}

} // namespace jetscope
