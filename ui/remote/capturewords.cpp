// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/capturewords.h"

#include "ui/style/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace jetscope {

namespace {

QString captureWords(const char *text)
{
    return QCoreApplication::translate("jetscope::CaptureWords", text);
}

} // namespace

QString clockWords(std::int64_t ns)
{
    const qint64 seconds = ns / 1'000'000'000;
    const QString minutes =
        QStringLiteral("%1:%2").arg(seconds / 60 % 60, seconds >= 3600 ? 2 : 1, 10, QLatin1Char('0'));
    const QString text = minutes.arg(seconds % 60, 2, 10, QLatin1Char('0'));
    return seconds >= 3600 ? QStringLiteral("%1:%2").arg(seconds / 3600).arg(text) : text;
}

QString recordingWords(const RecordingState &state, const QString &board)
{
    QStringList parts{captureWords("on %1 %2").arg(board, clockWords(state.elapsedNs)),
                      bytesText(static_cast<double>(state.bytes))};
    if (state.freeBytes > 0)
        parts.append(captureWords("%1 free").arg(bytesText(static_cast<double>(state.freeBytes))));
    if (state.lost > 0)
        parts.append(captureWords("%L1 lost").arg(state.lost));
    return parts.join(QStringLiteral(" · "));
}

QString fetchWords(const FetchProgress &progress, const QString &name, const QString &board)
{
    const QString what = captureWords("Fetching %1 from %2: %3").arg(name, board);
    const QString bytes = bytesText(static_cast<double>(progress.bytes));
    const QString size = bytesText(static_cast<double>(progress.size));
    switch (progress.step) {
    case FetchProgress::Step::Away:
        return what.arg(captureWords("away for %1, goes on when it answers")
                            .arg(durationText(static_cast<std::int64_t>(progress.away.count()) * 1'000'000)));
    case FetchProgress::Step::Checking:
        return what.arg(captureWords("comparing checksums"));
    case FetchProgress::Step::Coming:
        break;
    }
    if (progress.bytesPerSecond < 1)
        return what.arg(captureWords("%1 of %2").arg(bytes, size));
    return what.arg(captureWords("%1 of %2, %3 a second").arg(bytes, size, bytesText(progress.bytesPerSecond)));
}

} // namespace jetscope
