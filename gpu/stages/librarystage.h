// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/stages/jetscope_stage.h"
#include "gpu/stages/stagetable.h"

#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// The library of a stage with the interface of jetscope_stage.h, checked as far as that is possible without calling
/// the functions of the stage. Stays loaded until the process ends, because libraries may not unload cleanly.
class StageLibrary {
public:
    /// Loading runs code of the library. Errors: the file is missing or no library for this processor, it lacks the
    /// function, it has another version of the interface, or its description is malformed.
    static Result<StageLibrary> load(const std::string &path);

    const jetscope_stage &stage() const { return *m_stage; }
    const std::string &path() const { return m_path; }
    std::vector<FilterOption> options() const; ///< With their usual values.

private:
    StageLibrary(const jetscope_stage *stage, std::string path) : m_stage(stage), m_path(std::move(path)) {}

    const jetscope_stage *m_stage;
    std::string m_path;
};

/// A stage with the values of its options.
class LibraryStage final : public Stage {
public:
    static Result<std::unique_ptr<LibraryStage>> create(const StageAddress &address);

    Result<std::unique_ptr<StageInstance>> setUp(const StageDevice &device, int width, int height) override;
    const StageLibrary &library() const { return m_library; }
    const std::vector<FilterOption> &options() const { return m_options; }

private:
    LibraryStage(StageLibrary library, std::vector<FilterOption> options)
        : m_library(std::move(library)), m_options(std::move(options))
    {
    }

    const StageLibrary m_library;
    const std::vector<FilterOption> m_options; ///< With the values of the address.
};

/// "stage:PATH": tries the library in a process of its own, then loads it.
LoadedStage loadLibraryStage(const StageAddress &address);

} // namespace jetscope
