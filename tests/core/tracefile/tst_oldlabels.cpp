// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/exporters.h"
#include "core/exchange/opentrace.h"
#include "core/measure/advice/candidates.h"
#include "core/path/tracepaths.h"
#include "core/path/verdict.h"
#include "core/tracefile/oldlabels.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/profiles.h"
#include "tests/core/sampletrace.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace jetscope;
using namespace jetscope::test;

namespace {

/// A device that has the choices of then only.
DeviceFacts factsOfThen()
{
    DeviceFacts facts = softwareFacts("soft:orin", 8, 7);
    facts.graphs = facts.streamFlags = facts.memoryPools = facts.hostRegisterIo = Capability::no("not known then");
    return facts;
}

struct Conclusions {
    std::vector<PathPiece> pieces;
    PathSummary path;
    Verdict verdict;
    std::vector<Candidate> advice;

    explicit Conclusions(const Trace &trace)
    {
        TracePaths paths(trace);
        std::vector<PathGain> gains;
        paths.follow(trace.frames().firstIndex(), trace.frames().endIndex(), pieces, &gains);
        PathSums sums;
        sums.add(pieces);
        for (const PathGain &gain : gains)
            sums.add(gain);
        path = paths.summary(sums);
        verdict = verdictOf(path);
        advice =
            candidatesFor(path, trace.origin().config.value_or(PipelineConfig()), factsOfThen(), WaitPolicy::Block);
    }

    /// As the program of before said it.
    QStringList lines() const
    {
        QStringList all{QString::fromStdString(verdict.sentence)};
        for (const PathShare &share : path.shares)
            all.append(QStringLiteral("%1, %2: %3 ns")
                           .arg(QString::fromStdString(share.what), QString::fromStdString(share.lane))
                           .arg(std::llround(share.ms * 1e6 * static_cast<double>(path.frames))));
        for (const Candidate &candidate : advice)
            all.append(QStringLiteral("%1, %2, %3")
                           .arg(QString::fromStdString(candidate.setting()))
                           .arg(std::lround(candidate.atMost * 1000))
                           .arg(QString::fromStdString(candidate.basis)));
        return all;
    }

    /// All but the texts of names.
    QStringList withoutNames() const
    {
        QStringList all{QString::number(static_cast<int>(verdict.bottleneck))};
        for (const PathPiece &piece : pieces)
            all.append(QStringLiteral("%1 %2 %3+%4 %5")
                           .arg(piece.frame)
                           .arg(static_cast<int>(piece.cause))
                           .arg(piece.startNs)
                           .arg(piece.lengthNs())
                           .arg(piece.lane));
        for (const Candidate &candidate : advice)
            all.append(QStringLiteral("%1 %2").arg(QString::fromStdString(candidate.setting())).arg(candidate.atMost));
        return all;
    }
};

Trace traceFrom(const QString &path)
{
    NoOpenProgress progress;
    Result<OpenedTrace> read = openTrace(path.toStdString(), progress);
    return read.ok() ? std::move(read.value().trace) : Trace();
}

/// A copy whose names have other texts with the same meaning. None of these captures has edges.
Trace relabelled(const Trace &trace)
{
    Trace copy;
    copy.setOrigin(trace.origin());
    copy.setLanes(trace.lanes());
    for (std::size_t i = 0; i < trace.names().size(); ++i) {
        SpanName name = trace.names().at(static_cast<TraceName>(i));
        name.text = "name " + std::to_string(i);
        copy.names().intern(name);
    }
    std::vector<CounterInfo> counters;
    std::vector<CounterSample> samples;
    for (const CounterTrack &track : trace.counters()) {
        counters.push_back(track.info());
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
            samples.push_back({track.at(i).first, track.at(i).second, track.info().id});
    }
    copy.setCounters(counters);
    copy.add(samples);
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
            copy.add(track.lane(), track.depth(), track.at(i));
    copy.add(framesOf(trace));
    return copy;
}

/// A file without what newer programs write into it.
QByteArray withoutPurposes(QByteArray chrome)
{
    chrome.replace("\"purposes\":\"1\",", "").replace(",\"emulated\":1", "");
    for (const PurposeRow &row : kPurposes) {
        const QByteArray argument = "\"purpose\":\"" + QByteArray::fromStdString(std::string(row.key)) + '"';
        chrome.replace("," + argument, "").replace(argument, "");
    }
    return chrome;
}

} // namespace

/// Captures that were recorded before files held purposes.
class TestOldLabels : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    NoProgress m_nobody;

    static void addCaptures()
    {
        QTest::addColumn<QString>("capture");
        for (const char *name : {"unified", "polling", "eglsync"})
            QTest::newRow(name) << QStringLiteral(JETSCOPE_TRACES "/older/%1.jscope").arg(QLatin1String(name));
    }

private slots:
    void theyLeadToTheSameConclusions_data() { addCaptures(); }
    void theyLeadToTheSameConclusions()
    {
        QFETCH(const QString, capture);
        const QJsonObject expected =
            QJsonDocument::fromJson(readFile(QStringLiteral(JETSCOPE_TRACES "/older/expected.json"))).object();
        QStringList wanted;
        for (const QJsonValue &line : expected[QLatin1String(QTest::currentDataTag())].toArray())
            wanted.append(line.toString());
        QVERIFY(wanted.size() > 20);
        QCOMPARE(Conclusions(traceFrom(capture)).lines(), wanted);
    }

    void labelsDecideNothing_data() { addCaptures(); }
    void labelsDecideNothing()
    {
        QFETCH(const QString, capture);
        const Trace trace = traceFrom(capture);
        const QStringList before = Conclusions(trace).withoutNames();
        QVERIFY(before.size() > 50);
        QCOMPARE(Conclusions(relabelled(trace)).withoutNames(), before);
    }

    /// Both formats hold the purposes of names that no table knows.
    void filesKeepPurposes_data() { addCaptures(); }
    void filesKeepPurposes()
    {
        QFETCH(const QString, capture);
        const Trace trace = relabelled(traceFrom(capture));
        const QStringList before = Conclusions(trace).withoutNames();
        const QString saved = m_folder.filePath(QStringLiteral("%1.jscope").arg(QTest::currentDataTag()));
        const QString chrome = m_folder.filePath(QStringLiteral("%1.json").arg(QTest::currentDataTag()));
        QVERIFY(saveTrace(trace, saved.toStdString(), m_nobody).ok());
        QVERIFY(exportChrome(trace, chrome.toStdString(), {}, m_nobody).ok());
        Trace back = traceFrom(chrome);
        TraceOrigin origin = back.origin(); // This format does not hold the configuration.
        origin.config = trace.origin().config;
        back.setOrigin(std::move(origin));
        QCOMPARE(Conclusions(back).withoutNames(), before);
        QCOMPARE(Conclusions(traceFrom(saved)).withoutNames(), before);
    }

    void olderExportsAreReadByTheirLabels_data() { addCaptures(); }
    void olderExportsAreReadByTheirLabels()
    {
        QFETCH(const QString, capture);
        const Trace trace = traceFrom(capture);
        const QString path = m_folder.filePath(QStringLiteral("older %1.json").arg(QTest::currentDataTag()));
        QVERIFY(exportChrome(trace, path.toStdString(), {}, m_nobody).ok());
        const QByteArray older = withoutPurposes(readFile(path));
        QVERIFY(older.size() < readFile(path).size() && !older.contains("purpose") && !older.contains("emulated"));
        QVERIFY(writeFile(path, older));
        QCOMPARE(described(traceFrom(path), false), described(trace, false));
    }

    /// A newer program may write a purpose that this one does not know.
    void anUnknownPurposeIsTheUsualOne()
    {
        const QString path = m_folder.filePath(QStringLiteral("newer.json"));
        QVERIFY(exportChrome(sampleTrace(), path.toStdString(), {}, m_nobody).ok());
        QByteArray bytes = readFile(path);
        QVERIFY(bytes.contains("\"purpose\":\"gl-map\""));
        bytes.replace("\"purpose\":\"gl-map\"", "\"purpose\":\"of tomorrow\"");
        QVERIFY(writeFile(path, bytes));
        const Trace trace = traceFrom(path);
        QVERIFY(trace.spanCount() == sampleTrace().spanCount());
        for (std::size_t i = 0; i < trace.names().size(); ++i) {
            const SpanName &name = trace.names().at(static_cast<TraceName>(i));
            QCOMPARE(name.purpose, usualPurpose(name.category));
        }
    }

    /// Traces of other programs have no purposes; their calls have the names of the interfaces.
    void callsOfOthersAreKnown()
    {
        QCOMPARE(purposeOfLabel("cudaDeviceSynchronize_v3020", Category::WaitSync), Purpose::DeviceAll);
        QCOMPARE(purposeOfLabel("cuStreamSynchronize", Category::WaitSync), Purpose::DeviceStream);
        QCOMPARE(purposeOfLabel("glClientWaitSync", Category::WaitSync), Purpose::GlDone);
        QCOMPARE(purposeOfLabel("vkWaitForFences", Category::WaitSync), Purpose::DeviceFrame);
        QCOMPARE(purposeOfLabel("cudaDeviceSynchronize", Category::Submit), Purpose::Work);
    }
};

JETSCOPE_TEST(TestOldLabels)
#include "tst_oldlabels.moc"
