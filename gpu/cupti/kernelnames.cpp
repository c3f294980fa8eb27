// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/kernelnames.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace jetscope {

namespace {

// In their mangled form: what Jetscope was built with, and the kernels that it loads for the user (KernelForm).
constexpr std::string_view kOurNamespace = "8jetscope";
constexpr std::string_view kOwnKernels[] = {"_Z15jetscope_filter", "_Z20jetscope_grey_filter"};

bool isOurs(std::string_view name)
{
    return name.find(kOurNamespace) != std::string_view::npos
        || std::any_of(std::begin(kOwnKernels), std::end(kOwnKernels),
                       [name](std::string_view kernel) { return name.starts_with(kernel); });
}

} // namespace

KernelNames::Name KernelNames::keep(const char *name)
{
    if (!name)
        return {};
    // Another module's name may be at this address by now, so compare the text.
    const std::string_view text(name, strnlen(name, kMostBytes));
    const std::lock_guard lock(m_mutex);
    if (m_byAddress.size() >= kMostNames)
        m_byAddress.clear();
    Name &here = m_byAddress[name];
    if (here.text == text)
        return here;
    if (m_texts.size() >= kMostNames && m_texts.find(std::string(text)) == m_texts.end())
        return {};
    here = {*m_texts.emplace(text).first, isOurs(text)};
    return here;
}

} // namespace jetscope
