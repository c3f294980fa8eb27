// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/stages/stagetable.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

struct stat;

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

/// The state that files had before they were read, and that no file was at some places.
class FileStamp {
public:
    bool has(const std::string &file) const;
    std::size_t size() const { return m_files.size(); }
    void add(const std::string &file, const struct stat &state);
    /// Whether one of the files was saved, came or went since. Cheap; reads no contents.
    bool isOutdated() const;

private:
    std::vector<std::string> m_files;
    std::uint64_t m_stamp = 17;
};

/// A `.cu` file and the files that it includes from its folder, as they are on the disk.
class KernelSource {
public:
    /// Reads them. Errors: a file is missing, too large or cannot be read, they are too many, or an option is no word
    /// and value that the preprocessor takes. Included files that are not found are the compiler's to report. `looked`
    /// gets the stamp of what was looked at, also with an error.
    static Result<KernelSource> read(const StageAddress &address, FileStamp *looked = nullptr);

    const std::string &text() const { return m_text; }
    /// For the compiler: the folder of the file, the headers of the toolkit, and the options as macros.
    std::vector<std::string> options(const std::string &includeFolder) const;
    /// Everything that decides the machine code, for the cache: contents of all files and the options.
    const std::string &identity() const { return m_identity; }
    /// Whether it does: not where the name of an included file is the preprocessor's to find out, or files are searched
    /// at too many places.
    bool isIdentified() const { return m_isIdentified; }
    const FileStamp &stamp() const { return m_stamp; }

private:
    Status add(const std::string &file, const struct stat &state);
    Status addIncludedBy(const std::string &text, const std::string &folder);
    Result<bool> addCandidate(const std::string &folder, const std::string &name);

    std::string m_text;
    std::string m_identity;
    std::string m_folder;
    std::vector<std::string> m_macros;
    FileStamp m_stamp; ///< The file itself first; also of where an included one would be found first.
    std::set<std::string> m_read;
    bool m_isIdentified = true;
};

} // namespace jetscope
