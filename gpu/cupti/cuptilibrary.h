// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/cupti/cuptiabi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// Where to search for libcupti. Tests use other places.
struct CuptiSurvey {
    std::vector<std::string> toolkits;  ///< Folders of CUDA toolkits, in order of preference.
    std::vector<std::string> bareNames; ///< Names for the dynamic linker: its search paths and loaded libraries.

    /// $CUDA_HOME, $CUDA_PATH, /usr/local/cuda and /usr/local/cuda-*, the newest first; libcupti.so.13, .12 and
    /// libcupti.so.
    static CuptiSurvey ofThisMachine();
};

/// The libraries to try, best first, each once: an already loaded one (then only that one, since two in one process
/// disturb each other), those of the toolkits, those that the dynamic linker finds. Loads none of them. Checks whether
/// files exist; bare names are not checked.
std::vector<std::string> cuptiCandidates(const CuptiSurvey &survey = CuptiSurvey::ofThisMachine());

/// "13.0 (130001)": the CUDA release for a result of cuptiGetVersion; empty if Jetscope cannot read its records (only
/// CUDA 12.2 to 13).
std::string cuptiVersionText(std::uint32_t version);

/// libcupti with the used functions. Stays loaded until the process ends, because CUPTI installs its own threads and
/// hooks. Loading runs foreign code that may crash: in the application, load a file only after a CuptiTrial of it.
class CuptiLibrary {
public:
    /// Errors: the file cannot be loaded, lacks a function, or belongs to a release whose records cannot be read.
    static Result<CuptiLibrary> load(const std::string &path);
    /// For tests.
    CuptiLibrary(const cupti::Api &api, std::string path, std::uint32_t version);

    const cupti::Api &api() const { return m_api; }
    const std::string &path() const { return m_path; }  ///< As resolved by the dynamic linker.
    std::uint32_t version() const { return m_version; } ///< The result of cuptiGetVersion: 20 to 29, or 130000 and up.

private:
    cupti::Api m_api;
    std::string m_path;
    std::uint32_t m_version;
};

/// What a result of CUPTI means for the user, and the remedy; by its number if it is not known.
std::string cuptiExplanation(cupti::ResultCode code);
/// The Error of a failed CUPTI call, with a remedy.
Error cuptiFailure(const cupti::Api &api, std::string call, cupti::ResultCode code);

} // namespace jetscope
