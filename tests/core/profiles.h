// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <string>
#include <utility>
#include <vector>

namespace jetscope::test {

/// Facts that all integrated devices with OpenGL ES share.
inline DeviceFacts integratedFacts(std::string id, int major, int minor)
{
    DeviceFacts facts;
    facts.id = std::move(id);
    facts.integrated = true;
    facts.computeMajor = major;
    facts.computeMinor = minor;
    facts.mapHostMemory = Capability::yes();
    facts.managedMemory = Capability::yes();
    facts.hostRegister = major * 10 + minor >= 72 ? Capability::yes() : Capability::no("no registration before 7.2");
    facts.eglImage = Capability::yes();
    facts.eglSync = facts.streamFlags = facts.graphs = Capability::yes();
    facts.memoryPools = major >= 7 ? Capability::yes() : Capability::no("no pools in CUDA 10.2");
    facts.hostRegisterIo = facts.hostRegister;
    const bool isThor = major >= 11;
    facts.systemMemory = isThor ? Capability::yes() : Capability::no("pageableMemoryAccess = 0");
    facts.prefetch = isThor ? Capability::yes() : Capability::no("concurrentManagedAccess = 0");
    facts.dmabuf = isThor ? Capability::yes() : Capability::no("hostAllocDmaBufSupported = 0");
    return facts;
}

inline DeviceFacts softwareFacts(std::string id, int major, int minor)
{
    DeviceFacts facts = integratedFacts(std::move(id), major, minor);
    facts.software = true;
    facts.glInterop = Capability::no("the software iGPU has no GL interop");
    facts.eglStream = Capability::no("the software iGPU has no EGLStreams");
    facts.nvBuf = Capability::no("not a Jetson");
    facts.concurrentManagedAccess = facts.pageableMemoryAccess = major >= 11;
    return facts;
}

inline DeviceFacts jetsonFacts()
{
    DeviceFacts facts = integratedFacts("cuda:0", 8, 7);
    facts.glInterop = facts.eglStream = facts.nvBuf = Capability::yes();
    return facts;
}

inline DeviceFacts discreteFacts()
{
    DeviceFacts facts = jetsonFacts();
    facts.integrated = false;
    facts.computeMajor = 9;
    facts.computeMinor = 0;
    facts.concurrentManagedAccess = true;
    facts.prefetch = Capability::yes();
    facts.hostRegisterIo = Capability::no("the driver takes no ordinary memory for I/O memory");
    facts.eglSync = Capability::no("EGLSync made from events exists on Tegra only");
    facts.nvBuf = Capability::no("not a Jetson");
    return facts;
}

inline std::vector<DeviceFacts> softwareProfiles()
{
    return {softwareFacts("soft:nano", 5, 3), softwareFacts("soft:tx2", 6, 2), softwareFacts("soft:xavier", 7, 2),
            softwareFacts("soft:orin", 8, 7), softwareFacts("soft:thor", 11, 0)};
}

} // namespace jetscope::test
