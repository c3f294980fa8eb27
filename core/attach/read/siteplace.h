// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/moduletable.h"

#include <string>
#include <string_view>

namespace jetscope {

/// What users write for a place of a program: "render.cpp:120" if `name`, which describes it, tells the line, else
/// "libscene.so+0x4f2c".
std::string wordsOfPlace(const CodePlace &place, std::string_view name);
/// Whether a place is the one that the user has named, in either way, with or without folders.
bool isAtPlace(const CodePlace &place, std::string_view name, std::string_view wish);

} // namespace jetscope
