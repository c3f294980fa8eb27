// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/stages/stagetable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// The form of an own kernel, which its parameters say.
struct KernelForm {
    const char *symbol; ///< The mangled name in machine code.
    PixelFormat format;
    bool onSurfaces; ///< Else in pitched memory.
};

/// The form of the kernel in machine code; where there are several, the first of the documented ones. An error says
/// which forms there are.
Result<const KernelForm *> kernelFormIn(const std::string &cubin);

/// A `.cu` file and the files that it includes from its folder, as they are on the disk.
class KernelSource {
public:
    /// Reads them. Errors: a file is missing or too large, they are too many, or an option is no word and value that
    /// the preprocessor takes. Included files that are not found are the compiler's to report.
    static Result<KernelSource> read(const StageAddress &address);

    const std::string &text() const { return m_text; }
    /// For the compiler: the folder of the file, the headers of the toolkit, and the options as macros.
    std::vector<std::string> options(const std::string &includeFolder) const;
    /// Everything that decides the machine code, for the cache: contents of all files and the options.
    const std::string &identity() const { return m_identity; }
    /// Whether one of the files was saved since. Cheap; reads no contents.
    bool isOutdated() const;

private:
    Status add(const std::string &file);
    Status addIncluded(const std::string &name, const std::string &folder);
    void addMissing(const std::string &file);

    std::string m_text;
    std::string m_identity;
    std::string m_folder;
    std::vector<std::string> m_macros;
    std::vector<std::string> m_files; ///< The file itself first; also where an included one would be found first.
    std::uint64_t m_stamp = 17;       ///< Of all files, taken before each was read.
};

} // namespace jetscope
