// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/sessionrequest.h"

#include "core/settings/settingtable.h"
#include "gpu/hazards/scenes.h"

namespace jetscope {

namespace {

constexpr const char *kImpossible = "command line";
constexpr const char *kQuestion = "question";

Status applyAll(PipelineConfig &config, const SettingValues &settings)
{
    for (const auto &[key, value] : settings)
        JETSCOPE_TRY(applySetting(config, key, value));
    return {};
}

Result<PipelineConfig> resolveChoices(const SessionRequest &request, const DeviceFacts &facts)
{
    PipelineConfig config = nearestLegal(request.config, facts);
    if (const Status applied = applyAll(config, request.fixed); !applied.ok())
        return Error{kImpossible, 0, applied.error().text};
    const Availability first = availability(config, facts);
    if (!first.unavailable())
        return config;
    // Settings that were not requested may conflict with requested ones; then they are adjusted.
    PipelineConfig yielding = nearestLegal(config, facts);
    PipelineConfig asked = yielding;
    if (applyAll(asked, request.fixed).ok() && asked == yielding)
        return yielding;
    return Error{kImpossible, 0, first.reason};
}

} // namespace

Result<PipelineConfig> resolveConfig(const SessionRequest &request, const DeviceFacts &facts)
{
    auto config = resolveChoices(request, facts);
    const Scene *scene = sceneNamed(request.scene);
    if (!scene || !config.ok())
        return config;
    if (const Capability shown = sceneCapability(*scene, config.value(), facts); !shown.available)
        return Error{"", 0, "The mistake \"" + std::string(scene->title) + "\" cannot be shown: " + shown.reason};
    return scene->choose(config.value());
}

PipelineConfig askedConfig(const SessionRequest &request)
{
    PipelineConfig config = request.config;
    for (const auto &[key, value] : request.fixed) {
        PipelineConfig with = config;
        if (applySetting(with, key, value).ok())
            config = with;
    }
    return config;
}

bool isImpossibleRequest(const Error &error)
{
    return error.call == kImpossible;
}

Error questionOf(const SessionRequest &request)
{
    return Error{kQuestion, 0,
                 "The last session showed a GStreamer pipeline, which may also write or send files, so it needs "
                 "your confirmation: "
                     + request.source};
}

bool isQuestion(const Error &error)
{
    return error.call == kQuestion;
}

SettingValues settingsOf(const PipelineConfig &config)
{
    SettingValues values;
    for (const SettingRow &row : settingTable())
        values.emplace_back(row.key, row.text(config));
    return values;
}

} // namespace jetscope
