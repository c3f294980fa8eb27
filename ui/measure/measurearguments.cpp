// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measurearguments.h"

#include "ui/session/sessionrequest.h"
#include "ui/style/text.h"

namespace jetscope {

namespace {

template <class T>
QString listOf(const SweepValues<T> &values, const T &base)
{
    QStringList names;
    for (const T &value : values.named)
        names += toQString(nameOf(value));
    return names.isEmpty() ? toQString(nameOf(base)) : names.join(u',');
}

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
    const PipelineConfig &base = choices.base;
    QStringList words = common("sweep", wish.on);
    const auto add = [&words](const char *option, const QString &value) {
        words << QString::fromLatin1(option) << value;
    };
    add("--memory", listOf(choices.memories, base.memory));
    add("--output", listOf(choices.outputs, base.output));
    add("--sync", listOf(choices.syncs, base.sync));
    add("--wait", listOf(choices.waits, base.wait));
    add("--cpu-stage", listOf(choices.cpuStages, base.cpuStage));
    add("--cpu-work", toQString(nameOf(base.cpuWork)));
    add("--filters", toQString(filterNames(base.filters, "+")));
    add("--frames-in-flight", QString::number(base.framesInFlight));
    add("--streams", QString::number(base.streams));
    add("--gpu-time", toQString(nameOf(base.gpuTime)));
    QStringList sizes;
    for (const SweepSize &size : choices.sizes)
        sizes += QStringLiteral("%1x%2").arg(size.width).arg(size.height);
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

QStringList tuneArguments(const MeasuredOn &on, const PipelineConfig &from, std::uint64_t seconds)
{
    QStringList settings;
    for (const auto &[key, value] : settingsOf(from)) {
        const QString text = key == "filters" ? toQString(filterNames(from.filters, "+")) : toQString(value);
        settings += toQString(key) + u'=' + text;
    }
    QStringList words = common("tune", on);
    words << QStringLiteral("--time") << QString::number(seconds) << QStringLiteral("--from") << settings.join(u',');
    return words;
}

} // namespace jetscope
