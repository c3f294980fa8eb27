// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measurearguments.h"

#include "core/settings/settingtable.h"
#include "ui/style/text.h"

namespace jetscope {

namespace {

QStringList common(const char *command, const MeasuredOn &on)
{
    return {QString::fromLatin1(command), QStringLiteral("--json"), QStringLiteral("--progress"),
            QStringLiteral("--source"),   toQString(on.source),     QStringLiteral("--device"),
            toQString(on.deviceId)};
}

} // namespace

QStringList sweepArguments(const SweepWish &wish)
{
    const SweepChoices &choices = wish.choices;
    QStringList words = common("sweep", wish.on);
    const auto add = [&words](const char *option, const QString &value) {
        words << QString::fromLatin1(option) << value;
    };
    for (const SettingRow &row : settingTable()) {
        QStringList values;
        for (const std::string &value : choices.of(row.key).named)
            values += toQString(value);
        if (values.isEmpty())
            values += toQString(row.text(choices.base, "+"));
        words << QStringLiteral("--") + toQString(row.key)
              << values.join(row.kind == SettingRow::Kind::Names ? u'/' : u',');
    }
    QStringList sizes;
    for (const SweepSize &size : choices.sizes)
        sizes += toQString(size.text());
    if (!sizes.isEmpty())
        add("--sizes", sizes.join(u','));
    if (wish.rounds)
        add("--rounds", QString::number(*wish.rounds));
    if (wish.seconds)
        add("--time", QString::number(*wish.seconds));
    add("--out", wish.file);
    return words;
}

QStringList resumeArguments(const QString &file, const std::string &allowedSource)
{
    QStringList words{QStringLiteral("sweep"),
                      QStringLiteral("--json"),
                      QStringLiteral("--progress"),
                      QStringLiteral("--out"),
                      file,
                      QStringLiteral("--resume")};
    if (!allowedSource.empty())
        words << QStringLiteral("--source") << toQString(allowedSource);
    return words;
}

QStringList experimentArguments(const QString &experiment, const std::string &deviceId)
{
    return {QStringLiteral("experiment"), experiment,         QStringLiteral("--json"), QStringLiteral("--progress"),
            QStringLiteral("--device"),   toQString(deviceId)};
}

QStringList probeArguments(const std::string &deviceId)
{
    return {QStringLiteral("probe"), QStringLiteral("--json"), QStringLiteral("--progress"), QStringLiteral("--device"),
            toQString(deviceId)};
}

QStringList verifyArguments(const std::string &deviceId)
{
    QStringList words{QStringLiteral("verify"), QStringLiteral("--json"), QStringLiteral("--progress")};
    if (!deviceId.empty())
        words << QStringLiteral("--device") << toQString(deviceId);
    return words;
}

QStringList tuneArguments(const MeasuredOn &on, const PipelineConfig &from, std::uint64_t seconds)
{
    QStringList settings;
    for (const SettingRow &row : settingTable())
        settings += toQString(row.key) + u'=' + toQString(row.text(from, "+"));
    QStringList words = common("tune", on);
    words << QStringLiteral("--time") << QString::number(seconds) << QStringLiteral("--from") << settings.join(u',');
    return words;
}

} // namespace jetscope
