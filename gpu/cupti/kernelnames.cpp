// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/kernelnames.h"

#include <cstring>

namespace jetscope {

namespace {

constexpr std::string_view kOurNamespace = "8jetscope"; // In its mangled form.

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
    here = {*m_texts.emplace(text).first, text.find(kOurNamespace) != std::string_view::npos};
    return here;
}

} // namespace jetscope
