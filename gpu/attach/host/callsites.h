// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/wastefinder.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// Names places in the files of inspected programs: "drawFrame (render.cpp:120)" with debug information,
/// "drawFrame+0x1c (libscene.so)" with symbols, else "libscene.so+0x4f2c". Calls of a runtime (libcudart, also linked
/// statically) are those of the program's function that called it, as stacks of some calls tell. Reads files, which may
/// take long where they have much debug information. Memory grows with the files that were asked for. Not thread-safe.
class CallSites {
public:
    CallSites();
    ~CallSites();

    /// Empty for an empty place. `place` is behind a call.
    const std::string &describe(const CodePlace &place);
    /// "upload (frames.cpp:12), also show (frames.cpp:40), through cudaMemcpyAsync (libcudart.so.13)"; as above if the
    /// place is in the program's own code or if nothing more is known.
    std::string describe(const CallSite &site);

private:
    class Files;

    std::string look(const CodePlace &place);
    /// The name of the function around a place, as the file has it; empty if it has none.
    std::string symbolOf(const CodePlace &place);
    /// Where the calls of a stack return to, from the innermost one on; ends where it cannot be told.
    std::vector<CodePlace> unwind(const CallStack &stack, const std::vector<CodeMapping> &mappings);
    bool isOfRuntime(const CodePlace &place);
    static bool isRuntimeFunction(std::string_view name);
    std::string describeRuntime(const CodePlace &place);

    std::unique_ptr<Files> m_files;
    std::map<std::pair<std::string, std::uint64_t>, std::string> m_known;
    std::map<std::pair<std::string, std::uint64_t>, bool> m_ofRuntime;
};

/// Appends "; called by drawFrame (render.cpp:120), 2 calls of 3", the most frequent first, as far as places are known.
void addSites(WasteFinding &finding, CallSites &names);

} // namespace jetscope
