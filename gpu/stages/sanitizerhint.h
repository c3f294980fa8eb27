// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// A kernel's trial on a device, as its child makes it.
struct KernelTrial {
    int ordinal = 0;
    std::string cubinFile;
    std::string driver;
};

/// Of a kernel that used memory which is not its own: the command with which NVIDIA's compute-sanitizer names the line
/// of the kernel, as the end of a sentence. It repeats the trial, for which the machine code is kept in `folder`. Empty
/// where compute-sanitizer is not installed, or the reason of the refusal is another one.
std::string sanitizerHint(const std::string &reason, const KernelTrial &trial, const std::string &folder);

/// The reason with an addition behind it. Where the reason ends with a hint, before that: it is a command to be copied
/// to the end.
std::string beforeSanitizerHint(std::string reason, const std::string &addition);

} // namespace jetscope
