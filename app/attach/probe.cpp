// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/probe.h"

#include "core/attach/format/calltable.h"
#include "core/attach/read/attachmemory.h"
#include "core/time/cpucounter.h"
#include "gpu/attach/host/hardwaretimes.h"
#include "gpu/attach/host/programfile.h"
#include "gpu/attach/host/scheduleraccess.h"

#include <dlfcn.h>
#include <unistd.h>

namespace jetscope {

namespace {

std::string row(const std::string &what, bool works, const std::string &detail)
{
    return "  " + what + ": " + (works ? "yes" : "no") + (detail.empty() ? "" : ", " + detail) + "\n";
}

template <class T>
std::string row(const std::string &what, const Result<T> &result, const std::string &detail)
{
    return row(what, result.ok(), result.ok() ? detail : result.error().text);
}

/// Whether programs can load a library at all. It is only opened, nothing of it is called.
std::string libraryRow(const char *tier, const char *file)
{
    void *const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return row(tier, false, std::string(file) + " is not installed");
    dlclose(library);
    return row(tier, true, std::string(file) + " is installed");
}

std::string functionsOf(char tier)
{
    std::string names;
    std::size_t width = 0;
    for (std::uint16_t number = JSA_CALL_MARK + 1; const AttachCall *call = attachCall(number); ++number) {
        if (call->tier != tier || (!isRecorded(*call) && call->action != JSA_COUNT))
            continue;
        constexpr std::size_t kMaxWidth = 100;
        if (width + call->name.size() > kMaxWidth || width == 0) {
            names += "\n   ";
            width = 0;
        }
        names += " " + std::string(call->name);
        width += call->name.size() + 1;
    }
    return names + "\n";
}

/// What the kernel has for tier D beside its scheduler.
std::string eventRows()
{
    const auto groups = tracedGroups(tracefsFolder());
    if (!groups)
        return row("the kernel's events by group (tier D)", false,
                   geteuid() == 0 ? schedulerRefusal() : "only root may see them: sudo jetscope attach --probe");
    std::string text;
    for (const TracedGroup &group : *groups)
        text += row("events of " + group.name + " (tier D)", group.has > 0,
                    std::to_string(group.has) + " of " + std::to_string(group.of) + " that are asked for");
    return text;
}

} // namespace

std::string attachProbeText()
{
    std::string text = "What jetscope attach can do on this machine:\n";
    const Result<std::string> library = findPreloadLibrary();
    text += row("library to preload", library, library.ok() ? library.value() : "");
    text += row("shared memory", AttachMemory::create(0), "");
    text += row("time stamps from the CPU's counter", hasCpuCounter(),
                hasCpuCounter() ? "" : "it is not invariant: clock_gettime is used, which takes longer");
    text += libraryRow("EGL and GL calls (tier C)", "libEGL.so.1");
    text += libraryRow("NvBuf calls (tier C)", "libnvbufsurface.so");
    text += libraryRow("CUDA calls (tier B)", "libcuda.so.1");
    const HardwareTimes hardware = planHardwareTimes(findInjectedLibrary(), TrialUse::Anew);
    text += row("GPU times (tier A)", hardware.refusal.empty(),
                hardware.refusal.empty() ? "CUPTI of CUDA " + hardware.version : hardware.refusal);
    const std::string refusal = schedulerRefusal();
    text += row("the kernel's scheduler (tier D)", refusal.empty(), refusal.empty() ? schedulerUse().value() : refusal);
    text += eventRows();
    const std::string contexts = contextsRefusal();
    text += row("the GPU's own context switches (tier D)", contexts.empty(),
                contexts.empty() ? "jetscope-sched asks nvgpu for them, too; not verified on hardware" : contexts);
    return text + "Functions of EGL, GL and NvBuf:" + functionsOf('C') + "Functions of CUDA:" + functionsOf('B');
}

} // namespace jetscope
