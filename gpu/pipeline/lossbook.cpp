// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/lossbook.h"

#include "core/text/numbertext.h"

#include <utility>

namespace jetscope {

namespace {

/// Losses that come closer together are told at once.
constexpr std::int64_t kToldApartNs = 250'000'000;

std::string evidenceOf(const ViewMailbox::Dropped &dropped)
{
    if (dropped.wasTaken)
        return "the view took it, and a newer one before it was on the screen";
    if (dropped.sinceNs == 0)
        return "the view had not taken any frame yet";
    return "the view took no frame for " + fixedText(static_cast<double>(dropped.ns - dropped.sinceNs) / 1e6, 1)
        + " ms";
}

/// "7 frames missing: 5 overtaken in the queue, 2 damaged".
std::string wordsOf(const std::vector<LostFrames> &lost)
{
    LossCounts counts;
    for (const LostFrames &each : lost)
        counts.add(each);
    const std::string text = std::to_string(counts.sum()) + (counts.sum() == 1 ? " frame " : " frames ");
    return counts[LossCause::NotShown] > 0 ? text + "not shown: the view was late"
                                           : text + "missing: " + lossText(counts);
}

} // namespace

void LossBook::add(Untold &to, LostFrames lost)
{
    m_counts.add(lost);
    append(to.lost, std::move(lost), kMostLossRows);
}

void LossBook::collect(std::vector<LostFrames> bySource, const std::vector<ViewMailbox::Dropped> &byView,
                       std::uint32_t frame)
{
    for (LostFrames &lost : bySource) {
        add(m_source, std::move(lost));
        m_source.frame = frame;
    }
    for (const ViewMailbox::Dropped &dropped : byView) {
        add(m_view, {dropped.number, 1, LossCause::NotShown, dropped.ns, evidenceOf(dropped)});
        m_view.frame = dropped.frame;
    }
}

std::vector<PipelineNotice> LossBook::take(std::int64_t ns, bool all)
{
    std::vector<PipelineNotice> notices;
    takeDue(m_source, ns, all, notices);
    takeDue(m_view, ns, all, notices);
    return notices;
}

void LossBook::takeDue(Untold &untold, std::int64_t ns, bool all, std::vector<PipelineNotice> &notices)
{
    if (untold.lost.empty() || (!all && ns - untold.toldNs < kToldApartNs))
        return;
    untold.toldNs = ns;
    PipelineNotice &notice = notices.emplace_back();
    notice.kind = PipelineNotice::Kind::Dropped;
    notice.frame = untold.frame;
    notice.text = wordsOf(untold.lost);
    notice.lost = std::exchange(untold.lost, {});
}

} // namespace jetscope
