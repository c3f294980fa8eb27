// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/codeplace.h"

#include <cstdlib>
#include <memory>
#include <sstream>
#include <string_view>

#include <cxxabi.h>
#include <dlfcn.h>

namespace jetscope {

namespace {

std::string readable(const char *symbol)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                           &std::free);
    return name ? name.get() : symbol;
}

std::string withOffset(std::string_view name, std::uintptr_t offset)
{
    std::ostringstream text;
    text << name << "+0x" << std::hex << offset;
    return text.str();
}

} // namespace

std::string codePlace(std::uintptr_t address)
{
    Dl_info info = {};
    if (address == 0 || dladdr(reinterpret_cast<const void *>(address), &info) == 0 || !info.dli_fname)
        return "code that is not known";
    const std::string_view path = info.dli_fname;
    const std::string_view file = path.substr(path.rfind('/') + 1);
    if (!info.dli_sname)
        return withOffset(file, address - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
    return withOffset(readable(info.dli_sname), address - reinterpret_cast<std::uintptr_t>(info.dli_saddr)) + " ("
        + std::string(file) + ")";
}

} // namespace jetscope
