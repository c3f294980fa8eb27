// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/cupti/cuptiabi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// Where to look for libcupti. Tests look elsewhere.
struct CuptiSurvey {
    std::vector<std::string> toolkits;  ///< Folders of CUDA toolkits, the preferred one first.
    std::vector<std::string> bareNames; ///< Asked of the dynamic linker: its paths, and what is loaded already.

    /// $CUDA_HOME, $CUDA_PATH, /usr/local/cuda and /usr/local/cuda-*, the newest first; libcupti.so.13, .12 and
    /// libcupti.so.
    static CuptiSurvey ofThisMachine();
};

/// Libraries worth trying, best first, each once: one that is loaded already (then no other, since two in one process
/// disturb each other), those of the toolkits, those that the linker finds. Loads none. Files below are looked for,
/// bare names stay as they are.
std::vector<std::string> cuptiCandidates(const CuptiSurvey &survey = CuptiSurvey::ofThisMachine());

/// "13.0 (130001)": the CUDA release that an answer of cuptiGetVersion stands for; empty when it is none that Jetscope
/// can read the records of (CUDA 12.2 to 13).
std::string cuptiVersionText(std::uint32_t version);

/// libcupti with the functions that are used. Stays loaded as long as the process lives, since CUPTI has threads and
/// hooks of its own once it was used. Loading runs foreign code that may crash: in a program of the user's only after a
/// CuptiTrial of the same file.
class CuptiLibrary {
public:
    /// Errors: the file cannot be loaded, lacks a function, or is of a release whose records cannot be read.
    static Result<CuptiLibrary> load(const std::string &path);
    /// For tests.
    CuptiLibrary(const cupti::Api &api, std::string path, std::uint32_t version);

    const cupti::Api &api() const { return m_api; }
    const std::string &path() const { return m_path; }  ///< As the linker knows it.
    std::uint32_t version() const { return m_version; } ///< cuptiGetVersion's answer: 20 to 29, or 130000 and up.

private:
    cupti::Api m_api;
    std::string m_path;
    std::uint32_t m_version;
};

/// The Error of a failed call of CUPTI's, with what to do about it.
Error cuptiFailure(const cupti::Api &api, std::string call, cupti::ResultCode code);

} // namespace jetscope
