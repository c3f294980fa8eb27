// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/npp.h"

#include "gpu/cuda/check.h"

#include <dlfcn.h>

namespace jetscope::npp {

namespace {

/// The libraries of one version, and the first missing name.
class Loader {
public:
    explicit Loader(std::string major) : m_major(std::move(major)) {}

    template <class Function>
    void find(const char *library, const char *name, Function &function)
    {
        // Never closed: the CUDA runtime uses what they registered until the program ends.
        void *opened = dlopen((std::string("lib") + library + ".so." + m_major).c_str(), RTLD_NOW);
        function = opened ? reinterpret_cast<Function>(dlsym(opened, name)) : nullptr;
        if (!function && m_missing.empty())
            m_missing =
                opened ? std::string("lib") + library + ".so." + m_major + " has no " + name : std::string(dlerror());
    }

    const std::string &missing() const { return m_missing; }

private:
    const std::string m_major;
    std::string m_missing;
};

/// NppLibraryVersion
struct Version {
    int major;
    int minor;
    int build;
};

Result<Functions> loadVersion(const char *major)
{
    Loader loader(major);
    const Version *(*version)() = nullptr;
    Functions f;
    loader.find("nppc", "nppGetLibVersion", version);
    loader.find("nppidei", "nppiCopy_8u_C4R_Ctx", f.copyRgba);
    loader.find("nppidei", "nppiSwapChannels_8u_C3C4R_Ctx", f.swapChannels);
    loader.find("nppidei", "nppiDup_8u_C1C4R_Ctx", f.spreadGrey);
    loader.find("nppidei", "nppiConvert_16s8u_C1R_Ctx", f.narrow);
    loader.find("nppicc", "nppiNV12ToRGB_8u_P2C3R_Ctx", f.nv12ToRgb);
    loader.find("nppicc", "nppiYCbCr422ToRGB_8u_C2C3R_Ctx", f.yuyvToRgb);
    loader.find("nppicc", "nppiYCbCr422ToBGR_8u_C2C4R_Ctx", f.yuyvToBgra);
    loader.find("nppicc", "nppiRGBToGray_8u_AC4C1R_Ctx", f.rgbaToGrey);
    loader.find("nppicc", "nppiRGBToGray_8u_C3C1R_Ctx", f.rgbToGrey);
    loader.find("nppial", "nppiNot_8u_C4R_Ctx", f.invert);
    loader.find("nppial", "nppiXorC_8u_C4R_Ctx", f.xorConstants);
    loader.find("nppitc", "nppiCompareC_8u_C1R_Ctx", f.compareConstant);
    loader.find("nppif", "nppiFilterGauss_8u_C4R_Ctx", f.gaussInside);
    loader.find("nppif", "nppiFilterGaussBorder_8u_C4R_Ctx", f.gauss);
    loader.find("nppif", "nppiFilterGaussAdvancedBorder_8u_C4R_Ctx", f.gaussTapsRgba);
    loader.find("nppif", "nppiFilterGaussAdvancedBorder_8u_C3R_Ctx", f.gaussTapsRgb);
    loader.find("nppif", "nppiFilterSharpenBorder_8u_C4R_Ctx", f.sharpen);
    loader.find("nppif", "nppiFilterBorder_8u_C4R_Ctx", f.filterKernel);
    loader.find("nppif", "nppiGradientVectorSobelBorder_8u16s_C1R_Ctx", f.sobelGradient);
    if (!loader.missing().empty())
        return Error{"NPP", 0, loader.missing()};
    const Version *found = version();
    f.version = std::to_string(found->major) + "." + std::to_string(found->minor) + "." + std::to_string(found->build);
    return f;
}

} // namespace

Result<Functions> load()
{
    std::string tried;
    for (const char *major : {"13", "12", "11"}) {
        Result<Functions> functions = loadVersion(major);
        if (functions.ok())
            return functions;
        tried += (tried.empty() ? "" : "; ") + functions.error().text;
    }
    return Error{"NPP", 0,
                 "the libraries of NVIDIA Performance Primitives cannot be used: " + tried
                     + "; install NPP 11, 12 or 13, or name its folder in LD_LIBRARY_PATH"};
}

Result<StreamContext> contextOf(cudaStream_t stream)
{
    StreamContext context;
    cudaDeviceProp properties;
    CUDA_TRY(cudaGetDevice(&context.device));
    CUDA_TRY(cudaGetDeviceProperties(&properties, context.device));
    CUDA_TRY(cudaStreamGetFlags(stream, &context.streamFlags));
    context.stream = stream;
    context.multiprocessors = properties.multiProcessorCount;
    context.threadsPerMultiprocessor = properties.maxThreadsPerMultiProcessor;
    context.threadsPerBlock = properties.maxThreadsPerBlock;
    context.sharedBytesPerBlock = properties.sharedMemPerBlock;
    context.capabilityMajor = properties.major;
    context.capabilityMinor = properties.minor;
    return context;
}

} // namespace jetscope::npp
