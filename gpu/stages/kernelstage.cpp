// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kernelstage.h"

#include "core/system/temporaryfolder.h"
#include "gpu/stages/kernelinstance.h"
#include "gpu/stages/sanitizerhint.h"
#include "gpu/stages/stageoptions.h"
#include "gpu/stages/stagetrial.h"

#include <filesystem>
#include <fstream>

#include <sys/stat.h>

namespace jetscope {

namespace {

Result<NvrtcFile> nvrtcToUse()
{
    return kernelTools().nvrtc ? Result<NvrtcFile>(*kernelTools().nvrtc) : findNvrtc();
}

/// Names a compiler without loading it, which takes longer than a cached kernel may.
std::string compilerIdentity(const NvrtcFile &file)
{
    struct stat state = {};
    static_cast<void>(::stat(file.path.c_str(), &state));
    return file.path + " " + std::to_string(state.st_size) + " " + std::to_string(state.st_mtim.tv_sec) + "\n";
}

} // namespace

KernelTools &kernelTools()
{
    static KernelTools tools;
    return tools;
}

Capability hasKernelCompiler()
{
    const Result<NvrtcFile> nvrtc = nvrtcToUse();
    return nvrtc.ok() ? Capability::yes() : Capability::no(nvrtc.error().text);
}

Result<BuiltKernel> buildKernel(const KernelSource &source, const std::string &name, int architecture)
{
    JETSCOPE_TRY_ASSIGN(const NvrtcFile file, nvrtcToUse());
    BuiltKernel built;
    built.identity = "sm_" + std::to_string(architecture) + " " + compilerIdentity(file) + source.identity();
    if (std::optional<std::string> cached =
            source.isIdentified() ? kernelTools().cache.find(built.identity) : std::nullopt) {
        built.cubin = *std::move(cached);
        built.isCached = true;
        return built;
    }
    JETSCOPE_TRY_ASSIGN(const NvrtcLibrary nvrtc, NvrtcLibrary::load(file));
    JETSCOPE_TRY_ASSIGN(built.cubin,
                        nvrtc.compile(source.text(), name, architecture, source.options(file.includeFolder)));
    JETSCOPE_TRY(kernelFormIn(built.cubin));
    return built;
}

Result<std::string> triedKernel(const KernelSource &source, const StageAddress &address, const StageDevice &device,
                                const std::stop_token &stop)
{
    JETSCOPE_TRY_ASSIGN(const BuiltKernel built,
                        buildKernel(source, address.path, device.computeMajor * 10 + device.computeMinor));
    if (built.isCached)
        return built.cubin;
    if (kernelTools().isTried) {
        JETSCOPE_TRY_ASSIGN(const TemporaryFolder folder, TemporaryFolder::create());
        const std::string file = folder.path() + "/kernel.cubin";
        std::ofstream out(file, std::ios::binary);
        out << built.cubin;
        out.close();
        if (!out)
            return sentence(address.path + ": its machine code cannot be written to " + folder.path()
                            + " for its trial; make room there, or set TMPDIR");
        if (const Capability tried = tryStage(kernelTrialPlan(device.ordinal, file, kernelTools().driver), stop);
            !tried.available)
            return sentence(address.path + ": " + tried.reason
                            + sanitizerHint(tried.reason, {device.ordinal, file, kernelTools().driver},
                                            kernelTools().cache.folder()));
    }
    // Else the compiler may have read other headers than the identity names.
    if (source.isIdentified() && !source.stamp().isOutdated())
        kernelTools().cache.store(built.identity, built.cubin);
    return built.cubin;
}

Status KernelStage::rehearse(const StageDevice &device)
{
    JETSCOPE_TRY_ASSIGN(const KernelSource source, KernelSource::read(m_address));
    const Result<std::string> cubin = triedKernel(source, m_address, device);
    return cubin.ok() ? Status() : cubin.error();
}

Result<std::unique_ptr<StageInstance>> KernelStage::setUp(const StageDevice &device, int, int)
{
    if (device.memory != StageDevice::Memory::Cuda)
        return sentence("a kernel needs a CUDA device");
    return KernelInstance::create(m_address, device);
}

LoadedStage loadKernelStage(const StageAddress &address)
{
    const std::string file = std::filesystem::path(address.path).filename().string();
    const auto refuse = [&](const std::string &reason) {
        return unusableStage(file, "The kernel \"" + file + "\" is not used: " + reason + ".");
    };
    const Result<KernelSource> source = KernelSource::read(address);
    if (!source.ok())
        return refuse(source.error().text);
    Result<std::vector<FilterOption>> options = kernelOptionsIn(source.value().text(), address.path);
    if (!options.ok())
        return refuse(options.error().text);
    FilterRow row;
    row.options = std::move(options).value();
    if (const Status set = setOptions(row.options, address, false); !set.ok())
        return refuse(set.error().text);
    row.label = file;
    row.help = "Your own kernel, compiled anew whenever " + file + " is saved.";
    row.onCpu = Capability::no("The kernel \"" + file
                               + "\" is CUDA code, which the software iGPU does not run: its filters run on the CPU. "
                                 "Take a CUDA device.");
    if (const Result<NvrtcFile> nvrtc = nvrtcToUse(); !nvrtc.ok())
        row.onCuda = Capability::no("The kernel \"" + file + "\" is not used: " + nvrtc.error().text + ".");
    return {std::move(row), std::make_unique<KernelStage>(address)};
}

} // namespace jetscope
