// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"
#include "core/tracefile/tracefile.h"

#include <QFileInfo>
#include <QTest>

#include <string>
#include <vector>

namespace jetscope::testing {

/// The rows of a query as text, columns joined by blanks. Also works while the capture is being written.
inline std::vector<std::string> rowsOf(const std::string &path, const std::string &sql)
{
    std::vector<std::string> rows;
    Result<TraceFile> file = TraceFile::open(path);
    if (!file.ok())
        return rows;
    Result<Statement> statement = file.value().database().prepare(sql);
    while (statement.ok() && statement.value().next()) {
        std::string row;
        for (int column = 0; column < statement.value().columns(); ++column)
            row += (column == 0 ? "" : " ") + std::string(statement.value().text(column));
        rows.push_back(std::move(row));
    }
    return rows;
}

inline std::int64_t numberOf(const std::string &path, const std::string &sql)
{
    const std::vector<std::string> rows = rowsOf(path, sql);
    return rows.empty() ? -1 : std::stoll(rows.front());
}

/// Checks that a capture is one complete, ordered file with this number of gap marks and no other anomalies.
inline void verifyRecordedGaps(const std::string &path, int gaps)
{
    QVERIFY(!QFileInfo::exists(QString::fromStdString(path + "-wal")));
    QVERIFY(!QFileInfo::exists(QString::fromStdString(path + "-shm")));
    QCOMPARE(rowsOf(path, "PRAGMA integrity_check"), std::vector<std::string>{"ok"});
    QCOMPARE(numberOf(path, "SELECT count(*) FROM device WHERE name = 'lost' AND value <> '0'"), 0);
    struct NobodyLooks : OpenProgress {
        bool advance(double) override { return true; }
    } nobody;
    const Result<OpenedTrace> opened = openTrace(path, nobody);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    QVERIFY2(opened.value().notes.empty(), opened.value().notes.empty() ? "" : opened.value().notes.front().c_str());

    // The pipeline's frame numbers have no gaps; only marks show the missing frames.
    const std::int64_t frames = numberOf(path, "SELECT count(*) FROM frames");
    QCOMPARE(
        numberOf(path,
                 "SELECT count(DISTINCT frame) FROM frames WHERE frame BETWEEN 0 AND " + std::to_string(frames - 1)),
        frames);
    QCOMPARE(numberOf(path, "SELECT count(*) FROM marks WHERE kind NOT IN ('gap', 'drop')"), 0);
    QCOMPARE(numberOf(path, "SELECT count(*) FROM marks WHERE kind = 'gap'"), gaps);
    QCOMPARE(numberOf(path, "SELECT count(*) FROM spans WHERE name = 'camera gone'"), gaps);
    const std::vector<std::string> texts = rowsOf(path, "SELECT text FROM marks WHERE kind = 'gap'");
    for (const std::string &text : texts)
        QVERIFY2(text.find("was unplugged; frames came again after ") != std::string::npos, text.c_str());
    // Each begins after the previous one, and before the frame that ends it.
    QCOMPARE(
        numberOf(
            path,
            "SELECT count(*) FROM marks a JOIN marks b ON b.rowid > a.rowid WHERE a.kind = 'gap' AND b.kind = 'gap' "
            "AND (b.frame < a.frame OR b.time_ns <= a.time_ns)"),
        0);
    QCOMPARE(numberOf(path,
                      "SELECT count(*) FROM marks m JOIN frames f ON f.frame = m.frame WHERE m.kind = 'gap' "
                      "AND f.start_ns > m.time_ns"),
             gaps);
}

} // namespace jetscope::testing
