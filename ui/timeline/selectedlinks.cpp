// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/selectedlinks.h"

namespace jetscope {

namespace {

/// Device activity is reported within this time.
constexpr std::int64_t kReportedNs = 1'000'000'000;

} // namespace

bool SelectedLinks::isKnown(const Trace &trace, const SpanPlace &span) const
{
    const bool isSame = m_span && m_span->track == span.track && m_span->bar.index == span.bar.index
        && m_span->bar.span.startNs == span.bar.span.startNs && m_shape == trace.shape();
    return isSame && (m_complete || m_version == trace.version());
}

const std::vector<SpanLink> &SelectedLinks::of(const Trace &trace, const std::optional<SpanPlace> &span)
{
    if (!span) {
        m_links.clear();
        m_span.reset();
    } else if (!isKnown(trace, *span)) {
        m_links = linksAround(trace, *span);
        m_span = span;
        m_shape = trace.shape();
        m_version = trace.version();
        m_complete = trace.newestNs() > span->bar.span.endNs() + kReportedNs;
    }
    return m_links;
}

} // namespace jetscope
