// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/lanekeys.h"

#include "ui/style/text.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

namespace jetscope {

QString lastingName(const QString &name)
{
    static const QRegularExpression numbered(QStringLiteral("\\b(thread|process|context) \\d+\\b"),
                                             QRegularExpression::CaseInsensitiveOption);
    return QString(name).replace(numbered, QStringLiteral("\\1"));
}

QString processOf(const LaneInfo &lane)
{
    QStringList parts = toQString(lane.detail).split(QStringLiteral(" · "));
    if (parts.front() == QStringLiteral("asynchronous") && parts.size() > 1)
        parts.removeFirst();
    return parts.front();
}

QString gpuOf(const LaneInfo &lane)
{
    if (lane.gpu)
        return QStringLiteral("GPU %1").arg(*lane.gpu);
    static const QRegularExpression numbered(QStringLiteral("\\bGPU[ :](\\d+)\\b"));
    for (const QString &text : {toQString(lane.detail), toQString(lane.name)})
        if (const auto found = numbered.match(text); found.hasMatch())
            return QStringLiteral("GPU ") + found.captured(1);
    return {};
}

bool isOwnTrace(const TraceOrigin &origin)
{
    return origin.file.empty() || origin.program.starts_with("Jetscope");
}

QString producerOf(const TraceOrigin &origin)
{
    QStringList words;
    for (const QString &word : toQString(origin.program).split(u' ', Qt::SkipEmptyParts)) {
        if (word.front().isDigit())
            break;
        words.append(word);
    }
    if (!words.isEmpty())
        return words.join(u' ');
    if (origin.file.empty())
        return QStringLiteral("Jetscope");
    // Nothing says who wrote the file, but its kind does not change from one to the next.
    static const QRegularExpression packed(QStringLiteral("\\.(gz|zst)$"));
    return u'.' + QFileInfo(toQString(origin.file).remove(packed)).suffix();
}

} // namespace jetscope
