// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/presets.h"

#include "core/settings/filters.h"
#include "core/settings/settingtable.h"
#include "gpu/remote/sessionrequest.h"
#include "ui/session/settings.h"
#include "ui/style/text.h"

#include <QStringList>

#include <algorithm>

namespace jetscope {

namespace {

constexpr const char *kPresetsKey = "choices/presets";
constexpr QChar kFieldEnd = u'\t'; ///< After the name and each "key=value".

QString lineOf(const Presets::Preset &preset)
{
    PipelineConfig kept = preset.config;
    std::erase_if(kept.filters, isStage);
    QString line = preset.name;
    for (const auto &[key, value] : settingsOf(kept))
        line += kFieldEnd + toQString(key) + u'=' + toQString(value);
    return line;
}

Presets::Preset presetOf(const QString &line)
{
    const QStringList fields = line.split(kFieldEnd);
    Presets::Preset preset{fields.front(), {}};
    for (qsizetype i = 1; i < fields.size(); ++i)
        static_cast<void>(applySetting(preset.config, fields[i].section(u'=', 0, 0).toStdString(),
                                       fields[i].section(u'=', 1).toStdString())
                              .ok());
    return preset;
}

} // namespace

QList<Presets::Preset> Presets::all() const
{
    QList<Preset> presets;
    for (const QString &line : m_settings.text(kPresetsKey).split(u'\n', Qt::SkipEmptyParts))
        presets.append(presetOf(line));
    return presets;
}

void Presets::keep(const QString &name, const PipelineConfig &config)
{
    const QString words = name.simplified();
    if (words.isEmpty())
        return;
    QList<Preset> presets = all();
    presets.removeIf([&](const Preset &preset) { return preset.name == words; });
    presets.append({words, config});
    std::sort(presets.begin(), presets.end(), [](const Preset &a, const Preset &b) { return a.name < b.name; });
    save(presets);
}

void Presets::remove(const QString &name)
{
    QList<Preset> presets = all();
    presets.removeIf([&](const Preset &preset) { return preset.name == name; });
    save(presets);
}

void Presets::save(const QList<Preset> &presets)
{
    QStringList lines;
    for (const Preset &preset : presets)
        lines.append(lineOf(preset));
    m_settings.save(kPresetsKey, lines.join(u'\n'));
}

} // namespace jetscope
