// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/filters.h"
#include "gpu/stages/vpi/vpistage.h"
#include "tests/support/fakevpi.h"

#include <QString>

#include <cstdint>
#include <string>

#include <dlfcn.h>

// The made-up VPI as tests use it.
namespace jetscope::testing {

inline constexpr int kWidth = 164;
inline constexpr int kHeight = 122;

/// A function of the made-up library, its own or one of VPI.
template <class Function>
Function *vpiCall(const char *name)
{
    void *const library = dlopen(vpiTools().library.c_str(), RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function *>(dlsym(library, name));
}
#define FAKE(name) vpiCall<decltype(name)>(#name)

inline std::string fakeFile(const std::string &variant)
{
    return std::string(JETSCOPE_FAKE_VPI) + "/libjetscope_fakevpi_" + variant + ".so";
}

inline void useFake(const std::string &variant)
{
    vpiTools().library = fakeFile(variant);
    vpiTools().major = variant[0] - '0';
    vpiTools().driver = vpiTools().library;
}

inline QString violations()
{
    return QString::fromUtf8(FAKE(fakeVpiViolations)());
}

inline void *streamNumber(std::uintptr_t number)
{
    return reinterpret_cast<void *>(number); // NOLINT
}

inline StageAddress addressOf(const std::string &text)
{
    return StageAddress::parse(text).value();
}

inline StageDevice deviceOf(bool isCuda)
{
    StageDevice device;
    device.memory = isCuda ? StageDevice::Memory::Cuda : StageDevice::Memory::Host;
    return device;
}

/// What the row of a stage says against its use on the software iGPU; empty if nothing.
inline QString reasonOf(const std::string &name)
{
    const Status added = addStages(name);
    if (!added.ok())
        return QString::fromStdString(added.error().text);
    return QString::fromStdString(filterRow(*choiceByName<Filter>(name))->onCpu.reason);
}

} // namespace jetscope::testing
