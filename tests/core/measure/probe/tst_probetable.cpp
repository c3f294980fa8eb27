// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/keptprobes.h"
#include "core/measure/probe/probefindings.h"
#include "core/measure/probe/probejson.h"
#include "core/settings/choices.h"

#include "tests/core/probetables.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace jetscope;
using namespace jetscope::testing;

class TestProbeTable : public QObject {
    Q_OBJECT

private slots:
    void everyMemoryKindHasItsRows();
    void writtenAndReadItIsTheSame();
    void hostileTablesAreRefused_data();
    void hostileTablesAreRefused();
    void damagedBytesNeverCrash();
    void unknownMembersAreIgnored();
    void slowReadsAreExplained();
    void noiseMakesNoFinding();
    void equalFiguresMakeNoFinding();
    void withoutIntervalsOnlyLargeDifferencesCount();
    void rateOfCopiesBetweenSizes();
    void keptForItsDeviceAlone();
    void unwritableFoldersAreSaid();

private:
    static bool anyContains(const std::vector<ProbeFinding> &findings, const std::string &part)
    {
        return std::any_of(findings.begin(), findings.end(), [&part](const ProbeFinding &finding) {
            return finding.text.find(part) != std::string::npos;
        });
    }
};

void TestProbeTable::everyMemoryKindHasItsRows()
{
    const std::vector<std::string> &keys = probeKeys();
    for (const Choice<MemoryKind> &kind : choices<MemoryKind>())
        for (const std::string_view access : kProbeAccesses)
            QVERIFY2(std::find(keys.begin(), keys.end(), memoryKey(kind.name, access)) != keys.end(), kind.name.data());
    for (const std::string &key : keys) {
        QCOMPARE(std::count(keys.begin(), keys.end(), key), 1);
        const bool cost = std::any_of(probeCosts().begin(), probeCosts().end(),
                                      [&key](const ProbeCost &row) { return row.key == key; });
        QCOMPARE(isRate(key), !cost);
    }
}

void TestProbeTable::writtenAndReadItIsTheSame()
{
    ProbeTable table = madeUpTable(8, 7);
    table.driver = "a \"driver\"\n";
    table.method = "a method";
    table.figures["nvbuf.cpu_read"].unavailable = "no camera";
    const Result<ProbeTable> read = probeOf(probeJson(table));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QCOMPARE(probeJson(read.value()), probeJson(table));
    QCOMPARE(read.value().absence("nvbuf.cpu_read"), std::string("no camera"));
    QCOMPARE(read.value().find("pinned.cpu_read")->estimate.atMost, 10.2);
    QCOMPARE(read.value().device.computeMinor, 7);
}

void TestProbeTable::hostileTablesAreRefused_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("part");
    QTest::newRow("format") << "jetscope-probe-1"
                            << "other"
                            << "format";
    QTest::newRow("no device") << "\"device\":{"
                               << "\"divice\":{"
                               << "which device";
    QTest::newRow("no name") << "made-up board (test data)"
                             << ""
                             << "name";
    QTest::newRow("capability") << "\"8.7\""
                                << "\"8.7x\""
                                << "compute_capability";
    QTest::newRow("capability number") << "\"8.7\""
                                       << "8.7"
                                       << "text";
    QTest::newRow("flag") << "\"software\":false"
                          << "\"software\":0"
                          << "software";
    QTest::newRow("size") << "\"width\":1280"
                          << "\"width\":-1"
                          << "width";
    QTest::newRow("huge size") << "\"width\":1280"
                               << "\"width\":99999999999999999999"
                               << "JSON";
    QTest::newRow("unknown key") << "pinned.cpu_read\""
                                 << "pinned.cpu_reed\""
                                 << "pinned.cpu_reed";
    QTest::newRow("twice") << "pinned.cpu_read\""
                           << "pinned.cpu_write\""
                           << "twice";
    QTest::newRow("unit") << "\"unit\":\"GB/s\""
                          << "\"unit\":\"MB/s\""
                          << "unit";
    QTest::newRow("negative") << "\"value\":10,"
                              << "\"value\":-10,"
                              << "positive";
    QTest::newRow("zero") << "\"value\":10,"
                          << "\"value\":0,"
                          << "positive";
    QTest::newRow("text") << "\"value\":10,"
                          << "\"value\":\"10\","
                          << "positive";
    QTest::newRow("absurd") << "\"value\":10,"
                            << "\"value\":1e300,"
                            << "positive";
    QTest::newRow("infinite") << "\"value\":10,"
                              << "\"value\":1e999,"
                              << "JSON";
    QTest::newRow("outside") << "\"at_least\":9.8"
                             << "\"at_least\":11"
                             << "at_least";
    QTest::newRow("one bound") << "\"at_least\":9.8,"
                               << ""
                               << "at_least";
    QTest::newRow("rounds") << "\"rounds\":10"
                            << "\"rounds\":-10"
                            << "rounds";
    QTest::newRow("figures") << "\"figures\":["
                             << "\"figures\":3,\"x\":["
                             << "figures";
    QTest::newRow("long text") << "test data\"," << QString(5000, 'x') + "\","
                               << "longer";
    QTest::newRow("cut") << "]}"
                         << ""
                         << "JSON";
    QTest::newRow("no object") << ""
                               << "[]"
                               << "JSON";
}

void TestProbeTable::hostileTablesAreRefused()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, part);
    QString json = QString::fromStdString(probeJson(madeUpTable(8, 7)));
    if (from.isEmpty())
        json.prepend(to);
    else {
        const auto at = json.indexOf(from);
        QVERIFY(at >= 0);
        json.replace(at, from.size(), to);
    }
    const Result<ProbeTable> read = probeOf(json.toStdString());
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().text).contains(part), read.error().text.c_str());
    QVERIFY(read.error().text.find('\n') == std::string::npos);
}

void TestProbeTable::damagedBytesNeverCrash()
{
    const std::string whole = probeJson(madeUpTable(7, 2));
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); at += 37) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x5b);
        refused += probeOf(damaged).ok() ? 0 : 1;
        QVERIFY(!probeOf(whole.substr(0, at)).ok());
    }
    QVERIFY(refused > 0);
    QVERIFY(!probeOf("").ok());
    QVERIFY(!probeOf(std::string(100'000, '[')).ok());
    QVERIFY(!probeOf(std::string(2'000'000, ' ')).ok());
}

void TestProbeTable::unknownMembersAreIgnored()
{
    std::string json = probeJson(madeUpTable(8, 7));
    json.insert(1, "\"advice\":[{\"deep\":[1,2]}],");
    QVERIFY(probeOf(json).ok());
}

void TestProbeTable::slowReadsAreExplained()
{
    ProbeTable table = madeUpTable(5, 3);
    plant(table, "zero-copy.cpu_read", 1);
    plant(table, "zero-copy.cpu_reread", 1);
    plant(table, "unified.cpu_read", 2);
    plant(table, "zero-copy.gpu_read", 10);
    plant(table, "zero-copy.gpu_reread", 10);
    const std::vector<ProbeFinding> findings = probeFindings(table);
    QVERIFY(anyContains(findings, "reads zero-copy memory 10.0 times slower than pageable memory"));
    QVERIFY(anyContains(findings, "not cached for the CPU"));
    QVERIFY(anyContains(findings, "not cached for the GPU"));
    QVERIFY(anyContains(findings, "only the first read after the GPU's turn is slow"));
    for (const ProbeFinding &finding : findings)
        for (const std::string &key : finding.keys)
            QVERIFY2(table.find(key), key.c_str());
}

void TestProbeTable::noiseMakesNoFinding()
{
    ProbeTable table = madeUpTable(5, 3);
    plant(table, "zero-copy.cpu_read", 5, 1.2); // Half as fast, but 120 % noise.
    plant(table, "pinned.cpu_read", 9.5);       // Beyond noise, but too little to matter.
    QVERIFY(!anyContains(probeFindings(table), "zero-copy memory"));
    QVERIFY(!anyContains(probeFindings(table), "pinned memory 1"));
    plant(table, "zero-copy.cpu_read", 5);
    QVERIFY(anyContains(probeFindings(table), "zero-copy memory"));
    // Copies so noisy that their interval contains zero, and a quick registration.
    for (const std::size_t bytes : kProbeCopyBytes)
        plant(table, copyKey("to_device", "pageable", bytes), 12, 1.5);
    plant(table, "register_host", 1);
    plant(table, "unregister_host", 1);
    QVERIFY(!anyContains(probeFindings(table), "register"));
}

void TestProbeTable::equalFiguresMakeNoFinding()
{
    ProbeTable table = madeUpTable(8, 7);
    // A registration that costs as much as a copy.
    plant(table, "register_host", 154);
    plant(table, "unregister_host", 154);
    plant(table, "attach", 154);
    const std::vector<ProbeFinding> findings = probeFindings(table);
    QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().text.c_str());
}

void TestProbeTable::withoutIntervalsOnlyLargeDifferencesCount()
{
    ProbeFigure a;
    a.estimate.value = 10;
    ProbeFigure b = a;
    b.estimate.value = 14;
    QVERIFY(!ratioOf(a, b).differs);
    b.estimate.value = 16;
    QVERIFY(ratioOf(a, b).differs);
    QCOMPARE(ratioOf(a, b).ratio.value, 1.6);
}

void TestProbeTable::rateOfCopiesBetweenSizes()
{
    ProbeTable table = madeUpTable(8, 7);
    plant(table, copyKey("to_device", "pinned", kProbeCopyBytes[1]), 1);
    plant(table, copyKey("to_device", "pinned", kProbeCopyBytes[2]), 4);
    const std::size_t between = 2 * kProbeCopyBytes[1]; // Both sizes take the same time, hence so does this one.
    QVERIFY(std::abs(copyRate(table, "to_device", "pinned", between).estimate.value - 2) < 1e-9);
    QCOMPARE(copyRate(table, "to_device", "pinned", 1).estimate.value, 12.0);
    QCOMPARE(copyRate(table, "to_device", "pinned", std::size_t{1} << 30U).estimate.value, 12.0);
    for (const std::size_t bytes : kProbeCopyBytes)
        table.figures[copyKey("to_host", "pinned", bytes)].unavailable = "no such copies";
    QCOMPARE(copyRate(table, "to_host", "pinned", 5).unavailable, std::string("no such copies"));
}

void TestProbeTable::keptForItsDeviceAlone()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("data").toStdString();
    ProbeTable table = madeUpTable(8, 7);
    const auto before = keptProbe(table.device, path);
    QVERIFY(before.ok() && !before.value());
    QVERIFY(keepProbe(table, path).ok());
    table.date = "2026-01-31T12:00:00Z";
    QVERIFY(keepProbe(table, path).ok()); // Replaces the first.
    const auto kept = keptProbe(table.device, path);
    QVERIFY(kept.ok() && kept.value());
    QCOMPARE(kept.value()->date, table.date);
    DeviceFacts other = table.device;
    other.name = "another board";
    QVERIFY(keptProbe(other, path).ok() && !keptProbe(other, path).value());
    std::ofstream(keptProbePath(path, table.device)) << "{\"format\":";
    QVERIFY(!keptProbe(table.device, path).ok());
    other = table.device;
    other.id = "../../evil";
    QVERIFY(keptProbePath(path, other).find("..") == std::string::npos);
}

void TestProbeTable::unwritableFoldersAreSaid()
{
    const QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString();
    std::ofstream(file) << "x";
    const Status kept = keepProbe(madeUpTable(8, 7), file);
    QVERIFY(!kept.ok());
    QVERIFY(kept.error().text.find(file) != std::string::npos);
    QVERIFY(!keepProbe(madeUpTable(8, 7), "").ok());
    QVERIFY(!writeProbe(madeUpTable(8, 7), file).ok()); // Never replaces a file.
    QVERIFY(!readProbe(folder.filePath("absent").toStdString()).ok());
    QVERIFY(!readProbe(folder.path().toStdString()).ok());
}

JETSCOPE_TEST(TestProbeTable)
#include "tst_probetable.moc"
