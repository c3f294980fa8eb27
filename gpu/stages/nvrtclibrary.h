// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/symbols.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jetscope {

/// The file of NVIDIA's run-time compiler and the folder of the toolkit's headers beside it.
struct NvrtcFile {
    std::string path;
    std::string includeFolder; ///< Empty if there is none.
};

/// The compiler of the newest toolkit in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda*, else the one that the dynamic
/// linker finds. An error says what to install. Looks at files only, unless no toolkit has it.
Result<NvrtcFile> findNvrtc();

/// libnvrtc, loaded at run time. Stays loaded.
class NvrtcLibrary {
public:
    /// Errors: the file cannot be loaded, or it is older than CUDA 11.2 and cannot make machine code.
    static Result<NvrtcLibrary> load(const NvrtcFile &file);

    /// "13.0"
    std::string version() const;
    /// Compiles a file to machine code for an architecture such as 87. `name` is how errors call the file. An error is
    /// the first one of the compiler, with file and line, and says how many there are.
    Result<std::string> compile(const std::string &source, const std::string &name, int architecture,
                                const std::vector<std::string> &options) const;

private:
    using Program = void *;
    struct Api : SymbolTable {
        using SymbolTable::SymbolTable;

        int (*version)(int *major, int *minor) = find("nvrtcVersion");
        int (*archCount)(int *count) = find("nvrtcGetNumSupportedArchs");
        int (*archs)(int *archs) = find("nvrtcGetSupportedArchs");
        int (*create)(Program *program, const char *source, const char *name, int headerCount,
                      const char *const *headers, const char *const *headerNames) = find("nvrtcCreateProgram");
        int (*destroy)(Program *program) = find("nvrtcDestroyProgram");
        int (*compile)(Program program, int optionCount, const char *const *options) = find("nvrtcCompileProgram");
        int (*cubinSize)(Program program, std::size_t *bytes) = find("nvrtcGetCUBINSize");
        int (*cubin)(Program program, char *bytes) = find("nvrtcGetCUBIN");
        int (*logSize)(Program program, std::size_t *bytes) = find("nvrtcGetProgramLogSize");
        int (*log)(Program program, char *text) = find("nvrtcGetProgramLog");
    };
    explicit NvrtcLibrary(const Api &api) : m_api(api) {}
    Status checkArchitecture(int architecture) const;
    std::string logOf(Program program) const;

    Api m_api;
};

} // namespace jetscope
