// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/instrumenteddriver.h"

#include "core/text/shorttext.h"

#include <array>
#include <filesystem>
#include <system_error>

namespace jetscope {

namespace {

/// JetPack 7.0; JetPack 7.2 with the kernel driver of Orin, and with that of Thor.
constexpr std::array kInstrumentedPlaces = {"usr/lib/aarch64-linux-gnu/nvidia/libcuda_instrumentation.so",
                                            "opt/nvidia/l4t-gpu-libs/nvgpu/libcuda_instrumentation.so",
                                            "opt/nvidia/l4t-gpu-libs/openrm/libcuda_instrumentation.so"};

} // namespace

std::string InstrumentedDriver::find(const std::string &root)
{
    std::error_code unknown;
    for (const char *place : kInstrumentedPlaces)
        if (const std::filesystem::path path = std::filesystem::path(root) / place;
            std::filesystem::is_regular_file(path, unknown))
            return path.string();
    return {};
}

Result<InstrumentedDriver> InstrumentedDriver::prepare(const std::string &library)
{
    std::error_code failure;
    const std::filesystem::path path = std::filesystem::canonical(library, failure);
    if (failure || !std::filesystem::is_regular_file(path, failure))
        return sentence(quotedWords(library)
                        + " is no library: give the path of libcuda_instrumentation.so, which CUDA 12.9 and newer have "
                          "on a Jetson");
    JETSCOPE_TRY_ASSIGN(TemporaryFolder folder, TemporaryFolder::create());
    std::filesystem::create_symlink(path, folder.path() + "/libcuda.so.1", failure);
    if (failure)
        return sentence("no link can be made in " + folder.path() + " (" + failure.message()
                        + "): name a folder for temporary files in TMPDIR where links can be made");
    return InstrumentedDriver(path.string(), std::move(folder));
}

std::vector<std::string> InstrumentedDriver::variables(const char *searched) const
{
    std::string folders = "LD_LIBRARY_PATH=" + m_folder.path();
    if (searched && *searched)
        folders.append(":").append(searched);
    return {folders, "CUDA_DIAG_TASK_TRACKER=1"};
}

} // namespace jetscope
