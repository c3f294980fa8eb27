// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/filecache.h"
#include "gpu/stages/kernelmodule.h"
#include "gpu/stages/nvrtclibrary.h"
#include "gpu/stages/stagetable.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace jetscope {

/// Machine code of own kernels that passed its trial.
class KernelCache : public FileCache {
public:
    static KernelCache ofThisUser() { return KernelCache(folderOfThisUser("kernels")); }
    /// An empty folder keeps nothing.
    explicit KernelCache(std::string folder) : FileCache(std::move(folder), ".cubin") {}
};

/// What own kernels are made with; other values in tests only.
struct KernelTools {
    std::string driver = "libcuda.so.1";
    std::optional<NvrtcFile> nvrtc; ///< None: findNvrtc.
    KernelCache cache = KernelCache::ofThisUser();
    std::chrono::milliseconds timeout{10'000}; ///< A kernel that takes longer never ends.
    bool isTried = true;                       ///< New machine code runs in a child process first.
};
KernelTools &kernelTools();
/// Whether there is a compiler of kernels; it is not loaded.
Capability hasKernelCompiler();

/// A kernel that has not ended in its time: only the end of this process frees the GPU.
struct EndlessKernel {
    std::string file;
    std::string text; ///< A sentence about it.
};

/// Who learns of one, on a thread of its own, and ends the process soon. Where it still runs five seconds later, or
/// nobody is to learn of it, it is ended with that sentence. An empty function: nobody any more; returns when the
/// former one does not run.
void onEndlessKernel(std::function<void(const EndlessKernel &)> told);

/// The machine code of a kernel for an architecture, and whether it came from the cache.
struct BuiltKernel {
    std::string identity;
    std::string cubin;
    bool isCached = false;
};
/// From the cache, else compiled. An error is the compiler's first, with file and line, or why there is no compiler.
Result<BuiltKernel> buildKernel(const KernelSource &source, const std::string &name, int architecture);

/// "cu:FILE.cu": a kernel of the user in CUDA's C++.
class KernelStage final : public Stage {
public:
    explicit KernelStage(StageAddress address) : m_address(std::move(address)) {}

    /// Compiles the file as it is now, tries new machine code in a child process, and watches the file from then on:
    /// when it is saved, a thread compiles and tries it again, and later frames run the new kernel. Until then, and if
    /// that fails, they run the old one.
    Result<std::unique_ptr<StageInstance>> setUp(const StageDevice &device, int width, int height) override;
    Status rehearse(const StageDevice &device) override;

private:
    const StageAddress m_address;
};

LoadedStage loadKernelStage(const StageAddress &address);

/// The trial of machine code as the child makes it; as trialOfLibrary. `isExact`: without guards and padding.
std::string trialOfKernel(int ordinal, const std::string &cubinFile, const std::string &driver, bool isExact = false);

} // namespace jetscope
