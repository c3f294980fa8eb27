// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/wastefinder.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Names places in the files of inspected programs: "drawFrame (render.cpp:120)" with debug information,
/// "drawFrame+0x1c (libscene.so)" with symbols, else "libscene.so+0x4f2c". Reads files, which may take long where they
/// have much debug information. Memory grows with the files that were asked for. Not thread-safe.
class CallSites {
public:
    CallSites();
    ~CallSites();

    /// Empty for an empty place. `place` is behind a call.
    const std::string &describe(const CodePlace &place);

private:
    class Files;

    std::string look(const CodePlace &place);

    std::unique_ptr<Files> m_files;
    std::map<std::pair<std::string, std::uint64_t>, std::string> m_known;
};

/// "drawFrame (render.cpp:120), 2 calls of 3", the most frequent first; empty if no place is known.
std::string sitesText(const WasteFinding &finding, CallSites &names);

} // namespace jetscope
