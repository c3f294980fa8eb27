// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/hazardremedy.h"

#include "ui/style/text.h"

#include <QCoreApplication>

namespace jetscope {

namespace {

template <class T>
std::optional<HazardRemedy> useInstead(T PipelineConfig::*choice, T value, PipelineConfig config,
                                       const DeviceFacts &facts)
{
    config.*choice = value;
    if (!availability(value, config, facts).legal())
        return std::nullopt;
    const QString label = QCoreApplication::translate("jetscope::HazardRemedy", "Use \"%1\"");
    return HazardRemedy{label.arg(toQString(choiceOf(value).label)), std::move(config)};
}

std::optional<HazardRemedy> orderedInstead(const PipelineConfig &config, const DeviceFacts &facts)
{
    if (config.sync != SyncMode::None)
        return std::nullopt;
    return useInstead(&PipelineConfig::sync, bestSyncMode(config.output, facts), config, facts);
}

/// The CPU stage reads unified memory beside kernels: another memory kind keeps its placement.
std::optional<HazardRemedy> apartInstead(const PipelineConfig &config, const DeviceFacts &facts)
{
    if (config.memory != MemoryKind::Unified || availability(config.memory, config, facts).legal())
        return std::nullopt;
    if (auto attached = useInstead(&PipelineConfig::memory, MemoryKind::UnifiedAttach, config, facts))
        return attached;
    return useInstead(&PipelineConfig::cpuStage, CpuStagePlacement::Pipelined, config, facts);
}

bool copiesFrom(MemoryKind kind, RuleId rule)
{
    return rule == RuleId::A17 ? kind == MemoryKind::Pageable
                               : kind == MemoryKind::Unified || kind == MemoryKind::UnifiedAttach;
}

} // namespace

std::optional<HazardRemedy> remedyFor(RuleId rule, const PipelineConfig &config, const DeviceFacts &facts)
{
    switch (rule) {
    case RuleId::A1:
    case RuleId::A2:
    case RuleId::A3:
    case RuleId::A4:
        if (auto apart = apartInstead(config, facts))
            return apart;
        return orderedInstead(config, facts);
    case RuleId::A17:
    case RuleId::A18:
        if (!copiesFrom(config.memory, rule))
            return std::nullopt;
        return useInstead(&PipelineConfig::memory, MemoryKind::Pinned, config, facts);
    case RuleId::O1:
    case RuleId::A11:
    case RuleId::B5:
    case RuleId::C1:
    case RuleId::C6:
        return orderedInstead(config, facts);
    default:
        return std::nullopt;
    }
}

} // namespace jetscope
