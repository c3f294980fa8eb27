// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <vector>

namespace jetscope::test {

/// An event of an archive as Perfetto's trace processor places it.
struct MergedEvent {
    QString machine;
    qint64 process = 0;
    QString name;
    std::int64_t startNs = 0; ///< On the time line of the archive.
    std::int64_t durationNs = 0;
};

/// What Perfetto makes of an archive.
struct MergedTraces {
    QString trouble; ///< Why it refuses the archive; empty if it does not.
    std::vector<MergedEvent> events;
    int dropped = 0;         ///< Events that would lie before the begin of the time line.
    int sharedProcesses = 0; ///< Of a machine, with the same number in two files.
};

/// A second reading of such archives, which shares nothing with the writer: the conditions that the source of Perfetto
/// 58.2 states for tar files (order, hidden names), the manifest (machines, clock relations) and Chrome traces (clock
/// of a file, the first file's clock is the time line, nothing behind the last brace).
MergedTraces mergeAsPerfetto(const QByteArray &tar);

} // namespace jetscope::test
