// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/cudlalibrary.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

struct StatusRow {
    int status;
    const char *name;
    const char *remedy;
};
constexpr std::array kCudlaStatuses = {
    StatusRow{1, "cudlaErrorInvalidParam", "a parameter is not accepted"},
    StatusRow{2, "cudlaErrorOutOfResources", "the system lacks memory or other resources"},
    StatusRow{3, "cudlaErrorCreationFailed", "the device cannot be created"},
    StatusRow{4, "cudlaErrorInvalidAddress", "memory is not registered"},
    StatusRow{5, "cudlaErrorOs", "a call of the system failed"},
    StatusRow{6, "cudlaErrorCuda", "a call of CUDA failed"},
    StatusRow{7, "cudlaErrorUmd", "the DLA runtime failed; make the loadable again for this board"},
    StatusRow{8, "cudlaErrorInvalidDevice", "the device is not valid"},
    StatusRow{9, "cudlaErrorInvalidAttribute", "the attribute is not valid"},
    StatusRow{10, "cudlaErrorIncompatibleDlaSWVersion", "the DLA runtime is of another version; update JetPack"},
    StatusRow{11, "cudlaErrorMemoryRegistered", "the memory is registered already"},
    StatusRow{12, "cudlaErrorInvalidModule", "the file is no loadable for this DLA"},
    StatusRow{13, "cudlaErrorUnsupportedOperation", "the GPU is not the integrated one, or this is not supported"},
    StatusRow{14, "cudlaErrorNvSci", "a call of NvSci failed"},
    StatusRow{0x40000001, "cudlaErrorDlaErrInvalidInput", "the DLA refused its input"},
    StatusRow{0x40000002, "cudlaErrorDlaErrInvalidPreAction", "the DLA failed before the task"},
    StatusRow{0x40000003, "cudlaErrorDlaErrNoMem", "the DLA lacks memory"},
    StatusRow{0x40000004, "cudlaErrorDlaErrProcessorBusy", "the DLA is busy"},
    StatusRow{0x40000005, "cudlaErrorDlaErrTaskStatusMismatch", "the DLA lost its task"},
    StatusRow{0x40000006, "cudlaErrorDlaErrEngineTimeout", "the DLA did not end its task in time"},
    StatusRow{0x40000007, "cudlaErrorDlaErrDataMismatch", "the DLA computed something else than expected"},
};

const StatusRow *rowOfStatus(int status)
{
    const auto *found = std::find_if(kCudlaStatuses.begin(), kCudlaStatuses.end(),
                                     [status](const StatusRow &row) { return row.status == status; });
    return found == kCudlaStatuses.end() ? nullptr : found;
}

} // namespace

std::string cudlaStatusName(int status)
{
    const StatusRow *const row = rowOfStatus(status);
    return row ? row->name : "an unknown status of cuDLA";
}

Result<CudlaLibrary> CudlaLibrary::load(const std::string &path)
{
    void *library = nullptr;
    for (const char *name : {"libcudla.so.1", "libcudla.so", "/usr/lib/aarch64-linux-gnu/nvidia/libcudla.so"})
        if (!library)
            library = dlopen(path.empty() ? name : path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sentence("libcudla.so was not found where the linker looks; it comes with JetPack for boards that have "
                        "a DLA");
    CudlaLibrary loaded;
    loaded.m_functions = cudla::Functions(library);
    if (const std::string &missing = loaded.m_functions.missing(); !missing.empty())
        return sentence("libcudla.so has no function " + missing + "; update JetPack");
    JETSCOPE_TRY(loaded.check("cudlaGetVersion", loaded.m_functions.getVersion(&loaded.m_version)));
    if (loaded.m_version / 1'000'000 != 1)
        return sentence("libcudla.so is cuDLA " + loaded.version() + ", and Jetscope knows version 1 only");
    return loaded;
}

std::string CudlaLibrary::version() const
{
    return std::to_string(m_version / 1'000'000) + "." + std::to_string(m_version / 1000 % 1000) + "."
        + std::to_string(m_version % 1000);
}

Result<int> CudlaLibrary::deviceCount() const
{
    std::uint64_t count = 0;
    JETSCOPE_TRY(check("cudlaDeviceGetCount", m_functions.deviceCount(&count)));
    return static_cast<int>(std::min<std::uint64_t>(count, 16));
}

Status CudlaLibrary::standalone() const
{
    const std::string &missing = m_functions.standalone.missing();
    if (missing.empty())
        return {};
    return sentence("libcudla.so has no function " + missing + ", so it has no standalone mode; update JetPack");
}

Status CudlaLibrary::check(const char *call, int status) const
{
    if (status == 0)
        return {};
    const StatusRow *const row = rowOfStatus(status);
    return Error{call, status, cudlaStatusName(status) + (row ? std::string(": ") + row->remedy : std::string())};
}

} // namespace jetscope
