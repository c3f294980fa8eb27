// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/chainplan.h"

namespace jetscope {

namespace {

PassKind passOf(Filter filter)
{
    switch (filter) {
    case Filter::Identity:
        return PassKind::Convert;
    case Filter::Gaussian5:
        return PassKind::Gaussian5;
    case Filter::Gaussian15:
        return PassKind::Gaussian15;
    case Filter::Sobel:
        return PassKind::Sobel;
    case Filter::Threshold:
        return PassKind::Threshold;
    case Filter::Sharpen:
        return PassKind::Sharpen;
    case Filter::Invert:
        return PassKind::Invert;
    }
    return PassKind::Convert;
}

} // namespace

std::vector<PassKind> planChain(std::span<const Filter> filters, bool isWords)
{
    std::vector<PassKind> passes;
    for (const Filter filter : filters) {
        if (filter == Filter::Identity)
            continue;
        const PassKind pass = passOf(filter);
        if (pass == PassKind::Sobel && !passes.empty() && passes.back() == PassKind::Gaussian5)
            passes.back() = PassKind::Gaussian5Sobel;
        else
            passes.push_back(pass);
    }
    const bool needsConversion = passes.empty() || (passes.front() == PassKind::Gaussian15 && !isWords);
    if (needsConversion)
        passes.insert(passes.begin(), PassKind::Convert);
    return passes;
}

bool makesHalfGrey(PassKind kind)
{
    return kind != PassKind::Gaussian15;
}

} // namespace jetscope
