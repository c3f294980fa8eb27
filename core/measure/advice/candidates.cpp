// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/candidates.h"

#include "core/measure/advice/advicerules.h"
#include "core/settings/settingtable.h"
#include "core/text/numbertext.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMinFrames = 20;
/// If the path waits this much for the source's frame rate, no choice can shorten the period.
constexpr double kPacedFrom = 0.03;

int effortOf(std::string_view key)
{
    const SettingRow *row = settingRow(key);
    return row ? row->places.effort : 0;
}

/// The place of a value in the list of its setting: of synchronizations, those come last that need another thread or
/// another API, which costs where their gain is no more certain than that of others.
std::size_t placeOf(std::string_view key, std::string_view value)
{
    const SettingRow *row = settingRow(key);
    const std::vector<SettingValue> values = row ? row->values() : std::vector<SettingValue>();
    const auto at =
        std::find_if(values.begin(), values.end(), [&](const SettingValue &each) { return each.name == value; });
    return static_cast<std::size_t>(at - values.begin());
}

template <class T>
void appendNames(std::vector<std::string_view> &names)
{
    for (const Choice<T> &choice : choices<T>())
        names.push_back(choice.name);
}

template <class Rule>
std::vector<std::string_view> valuesOf(const Rule &rule)
{
    std::vector<std::string_view> values;
    for (std::string_view rest = rule.values; !rest.empty();) {
        values.push_back(rest.substr(0, rest.find(' ')));
        rest.remove_prefix(std::min(values.back().size() + 1, rest.size()));
    }
    if (values.empty() && rule.key == "sync")
        appendNames<SyncMode>(values);
    return values;
}

/// The combined result of all rules for one choice.
struct Touched {
    std::vector<const PathShare *> pieces; ///< The pieces that the choice removes from the path.
    double hidden = 0;                     ///< Share of the period that the choice hides by overlap.
    bool replaced = false;
    std::string_view why;
};

class Collector {
public:
    Collector(const PathSummary &path, const PipelineConfig &config, const DeviceFacts &facts, WaitPolicy waitInForce)
        : m_path(path),
          m_config(config),
          m_facts(facts),
          m_waitInForce(waitInForce),
          m_metric(path.shareOf(PathCause::Camera) >= kPacedFrom ? AdviceMetric::Latency : AdviceMetric::Period)
    {
        for (const PathShare &share : path.shares)
            m_frameShare += isOfFrame(share) ? share.share : 0;
    }

    void apply(const PieceRule &rule)
    {
        if (!rule.when(m_config, m_facts))
            return;
        for (const PathShare &share : m_path.shares) {
            if (!rule.piece(share) || (m_metric == AdviceMetric::Latency && !isOfFrame(share)))
                continue;
            for (const std::string_view value : valuesOf(rule)) {
                if (Touched *touched = touch(rule.key, value, rule.effect, rule.why); touched
                    && std::find(touched->pieces.begin(), touched->pieces.end(), &share) == touched->pieces.end())
                    touched->pieces.push_back(&share);
            }
        }
    }

    /// Overlap does not shorten a single frame.
    void apply(const OverlapRule &rule)
    {
        if (m_metric == AdviceMetric::Latency || !rule.when(m_config, m_facts))
            return;
        for (const std::string_view value : valuesOf(rule)) {
            const std::optional<PipelineConfig> then = legalWith(rule.key, value);
            const double most = then && isMore(*then) ? rule.most(m_path, m_facts, m_config, *then) : 0;
            if (Touched *touched = most > 0 ? touch(rule.key, value, rule.effect, rule.why) : nullptr)
                touched->hidden = std::max(touched->hidden, most);
        }
    }

    std::vector<Candidate> candidates() const
    {
        std::vector<Candidate> found;
        for (const auto &[setting, touched] : m_touched) {
            Candidate candidate;
            candidate.key = setting.first;
            candidate.value = setting.second;
            candidate.metric = m_metric;
            candidate.atMost = std::round(atMost(touched) * 1000) / 1000;
            candidate.basis = basisOf(touched);
            candidate.replaced = touched.replaced;
            if (candidate.atMost >= kMinAtMost)
                found.push_back(std::move(candidate));
        }
        std::sort(found.begin(), found.end(), [](const Candidate &a, const Candidate &b) {
            return std::make_tuple(-a.atMost, effortOf(a.key), placeOf(a.key, a.value), a.value)
                < std::make_tuple(-b.atMost, effortOf(b.key), placeOf(b.key, b.value), b.value);
        });
        return found;
    }

private:
    /// Whether the piece lies between the frame's start on the pipeline thread and its completion.
    static bool isOfFrame(const PathShare &share)
    {
        return share.cause != PathCause::Camera && share.cause != PathCause::Capture;
    }

    /// Whether the numbers increase overlap; more streams than frames in flight would be idle.
    bool isMore(const PipelineConfig &then) const
    {
        return then.framesInFlight >= m_config.framesInFlight && then.streams >= m_config.streams
            && (then.streams == m_config.streams || then.streams <= then.framesInFlight);
    }

    std::optional<PipelineConfig> legalWith(std::string_view key, std::string_view value) const
    {
        PipelineConfig now = m_config;
        now.wait = m_waitInForce;
        PipelineConfig then = m_config;
        if (!applySetting(then, key, value).ok() || then == m_config || then == now
            || !availability(then, m_facts).legal())
            return std::nullopt;
        return then;
    }

    Touched *touch(std::string_view key, std::string_view value, AdviceEffect effect, std::string_view why)
    {
        if (!legalWith(key, value))
            return nullptr;
        Touched &touched = m_touched[{std::string(key), std::string(value)}];
        touched.replaced = touched.replaced || effect == AdviceEffect::Replaced;
        if (touched.why.empty())
            touched.why = why;
        return &touched;
    }

    double atMost(const Touched &touched) const
    {
        double gone = 0;
        for (const PathShare *piece : touched.pieces)
            gone += piece->share;
        if (m_metric == AdviceMetric::Latency)
            return m_frameShare > 0 ? std::min(1.0, gone / m_frameShare) : 0;
        // For one kind of piece the saving was computed by replay; for several, their sum is the upper bound.
        if (touched.pieces.size() == 1)
            gone = std::min(gone, touched.pieces.front()->mostShare.value_or(gone));
        return std::min(1.0, gone + touched.hidden);
    }

    std::string basisOf(const Touched &touched) const
    {
        std::vector<const PathShare *> pieces = touched.pieces;
        std::sort(pieces.begin(), pieces.end(),
                  [](const PathShare *a, const PathShare *b) { return a->share > b->share; });
        std::string text;
        if (!pieces.empty()) {
            double sum = 0;
            for (const PathShare *piece : pieces)
                sum += piece->share;
            text = pieces.front()->what;
            if (!pieces.front()->lane.empty() && !isNamed(pieces.front()->cause))
                text += " (" + pieces.front()->lane + ")";
            if (pieces.size() > 1)
                text += " and " + std::to_string(pieces.size() - 1)
                    + (pieces.size() == 2 ? " other piece take " : " other pieces take ");
            else
                text += " takes ";
            text += wholePercent(sum) + " of the period";
        } else {
            text = wholePercent(touched.hidden) + " of the period could happen beside the rest";
        }
        return text + ": " + std::string(touched.why);
    }

    const PathSummary &m_path;
    const PipelineConfig &m_config;
    const DeviceFacts &m_facts;
    const WaitPolicy m_waitInForce;
    const AdviceMetric m_metric;
    double m_frameShare = 0; ///< Share of the path between a frame's start in the pipeline and its completion.
    std::map<std::pair<std::string, std::string>, Touched> m_touched;
};

} // namespace

std::string_view metricName(AdviceMetric metric)
{
    return metric == AdviceMetric::Period ? "period" : "latency";
}

std::string_view metricWords(AdviceMetric metric)
{
    return metric == AdviceMetric::Period ? "period" : "frame time";
}

std::vector<Candidate> candidatesFor(const PathSummary &path, const PipelineConfig &config, const DeviceFacts &facts,
                                     WaitPolicy waitInForce)
{
    if (path.frames < kMinFrames || path.empty())
        return {};
    Collector collector(path, config, facts, waitInForce);
    for (const PieceRule &rule : pieceRules())
        collector.apply(rule);
    for (const OverlapRule &rule : overlapRules())
        collector.apply(rule);
    return collector.candidates();
}

PipelineConfig withCandidate(PipelineConfig config, const Candidate &candidate)
{
    static_cast<void>(applySetting(config, candidate.key, candidate.value).ok()); // Candidates are legal settings.
    return config;
}

} // namespace jetscope
