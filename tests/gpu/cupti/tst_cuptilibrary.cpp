// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Finding and loading libcupti, and reading its buffers when they are truncated.
#include "gpu/cupti/cuptilibrary.h"
#include "gpu/cupti/recorddecoder.h"
#include "tests/support/fakecupti.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>

using namespace jetscope;
using jetscope::testing::FakeCupti;

namespace {

bool makeFile(const QString &path)
{
    QFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly)
        && file.write(QByteArray("no library\n").repeated(100)) > 0;
}

} // namespace

class TestCuptiLibrary : public QObject {
    Q_OBJECT

private slots:
    void releases_data();
    void releases();
    void loads();
    void otherReleasesAreRefused_data();
    void otherReleasesAreRefused();
    void whatIsNoCupti_data();
    void whatIsNoCupti();
    void candidatesInOrder();
    void aLoadedLibraryIsTheOnlyOne();
    void environmentComesFirst();
    void everyCutIsSafe_data();
    void everyCutIsSafe();
};

void TestCuptiLibrary::releases_data()
{
    QTest::addColumn<quint32>("version");
    QTest::addColumn<QString>("text");
    const auto row = [](quint32 version, const char *text) {
        QTest::addRow("%u", version) << version << QString(text);
    };
    row(0, "");
    row(12, "");
    row(19, ""); // CUDA 12.0: has the same kernel records but is untested.
    row(20, "12.2 (20)");
    row(24, "12.6 (24)");
    row(28, "12.9 (28)");
    row(29, "12 (29)");
    row(30, "");
    row(129'999, "");
    row(130'000, "13.0 (130000)");
    row(130'001, "13.0 (130001)");
    row(130'300, "13.3 (130300)");
    row(131'000, "13.10 (131000)");
    row(140'000, "");
    row(0xffffffffu, "");
}

void TestCuptiLibrary::releases()
{
    QFETCH(quint32, version);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(cuptiVersionText(version)), text);
}

void TestCuptiLibrary::loads()
{
    const Result<CuptiLibrary> library = CuptiLibrary::load(JETSCOPE_FAKE_CUPTI);
    QVERIFY2(library.ok(), library.ok() ? "" : library.error().message().c_str());
    QCOMPARE(library.value().version(), 130'000u);
    QCOMPARE(library.value().path(), std::string(JETSCOPE_FAKE_CUPTI));
    QVERIFY(library.value().api().enable && library.value().api().getStreamId);
}

void TestCuptiLibrary::otherReleasesAreRefused_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("JetPack 5") << "15"
                               << "of CUDA 11.2 to 11.4";
    QTest::newRow("CUDA 12.0") << "19"
                               << "of CUDA 12.0";
    QTest::newRow("CUDA 14") << "140000"
                             << "of CUDA 14.0";
    QTest::newRow("nonsense") << "99999"
                              << "version 99999;";
}

void TestCuptiLibrary::otherReleasesAreRefused()
{
    QFETCH(QString, version);
    QFETCH(QString, mentions);
    const FakeCupti fake(JETSCOPE_FAKE_CUPTI);
    QVERIFY(fake.isLoaded());
    fake.reset(qPrintable("version=" + version));
    const Result<CuptiLibrary> library = CuptiLibrary::load(JETSCOPE_FAKE_CUPTI);
    fake.reset();
    QVERIFY(!library.ok());
    const QString text = QString::fromStdString(library.error().message());
    QVERIFY2(text.contains(mentions) && text.contains("12.2 to 13"), qPrintable(text));
}

void TestCuptiLibrary::whatIsNoCupti_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("nothing") << "/nowhere/libcupti.so"
                             << "No such file";
    QTest::newRow("no such name") << "libjetscopehasnosuch.so.13"
                                  << "libjetscopehasnosuch.so.13";
    QTest::newRow("a text") << "TEXT"
                            << "invalid ELF header";
    QTest::newRow("another library") << "libc.so.6"
                                     << "no function cuptiGetVersion";
    QTest::newRow("one that lacks a function") << JETSCOPE_PARTIAL_CUPTI << "no function cuptiGetStreamIdEx";
}

void TestCuptiLibrary::whatIsNoCupti()
{
    QFETCH(QString, path);
    QFETCH(QString, mentions);
    const QTemporaryDir folder;
    if (path == "TEXT") {
        path = folder.filePath("libcupti.so");
        QVERIFY(makeFile(path));
    }
    const Result<CuptiLibrary> library = CuptiLibrary::load(path.toStdString());
    QVERIFY(!library.ok());
    const QString text = QString::fromStdString(library.error().message());
    QVERIFY2(text.contains(mentions), qPrintable(text));
    QVERIFY2(text.contains("install"), qPrintable(text));
    QVERIFY2(!text.contains('\n'), qPrintable(text));
}

void TestCuptiLibrary::candidatesInOrder()
{
    const QTemporaryDir root;
    const auto at = [&](const char *path) { return root.filePath(path); };
    // A toolkit as installed: the names are links to one file, and one of the folders is a link.
    QVERIFY(makeFile(at("a/extras/CUPTI/lib64/libcupti.so.2024.1")));
    QVERIFY(QFile::link("libcupti.so.2024.1", at("a/extras/CUPTI/lib64/libcupti.so.12")));
    QVERIFY(QFile::link("libcupti.so.12", at("a/extras/CUPTI/lib64/libcupti.so")));
    QVERIFY(QDir().mkpath(at("a/targets/x86_64-linux")));
    QVERIFY(QFile::link(at("a/extras/CUPTI/lib64"), at("a/targets/x86_64-linux/lib")));
    // Another with a broken link, and a file that only a Jetson has.
    QVERIFY(QDir().mkpath(at("b/lib64")));
    QVERIFY(QFile::link("libcupti.so.13", at("b/lib64/libcupti.so")));
    QVERIFY(makeFile(at("b/targets/aarch64-linux/lib/libcupti.so.13")));
    QVERIFY(QDir().mkpath(at("c/lib64/libcupti.so"))); // A folder.
    CuptiSurvey survey;
    for (const char *toolkit : {"a", "b", "c", "absent", "a"})
        survey.toolkits.push_back(at(toolkit).toStdString());
    survey.bareNames = {"libjetscopehasnosuch.so.13"};
    const QString base = QDir(root.path()).canonicalPath();
    const std::vector<std::string> expected = {(base + "/a/extras/CUPTI/lib64/libcupti.so.2024.1").toStdString(),
                                               (base + "/b/targets/aarch64-linux/lib/libcupti.so.13").toStdString(),
                                               "libjetscopehasnosuch.so.13"};
    QCOMPARE(cuptiCandidates(survey), expected);
}

void TestCuptiLibrary::aLoadedLibraryIsTheOnlyOne()
{
    const QTemporaryDir root;
    QVERIFY(makeFile(root.filePath("lib64/libcupti.so")));
    CuptiSurvey survey;
    survey.toolkits = {root.path().toStdString()};
    survey.bareNames = {"libjetscopehasnosuch.so.13", JETSCOPE_FAKE_CUPTI};
    QVERIFY(FakeCupti(JETSCOPE_FAKE_CUPTI).isLoaded());
    QCOMPARE(cuptiCandidates(survey), std::vector<std::string>{JETSCOPE_FAKE_CUPTI});
}

void TestCuptiLibrary::environmentComesFirst()
{
    const QByteArray before = qgetenv("CUDA_HOME");
    qputenv("CUDA_HOME", "/opt/mine");
    const CuptiSurvey survey = CuptiSurvey::ofThisMachine();
    if (before.isNull())
        qunsetenv("CUDA_HOME");
    else
        qputenv("CUDA_HOME", before);
    QCOMPARE(survey.toolkits.front(), std::string("/opt/mine"));
    QVERIFY(std::find(survey.toolkits.begin(), survey.toolkits.end(), "/usr/local/cuda") != survey.toolkits.end());
    QCOMPARE(survey.bareNames.front(), std::string("libcupti.so.13"));
}

void TestCuptiLibrary::everyCutIsSafe_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("kernelBytes");
    QTest::addColumn<int>("copyBytes");
    QTest::newRow("CUDA 12.2") << "layout=12" << 208 << 88;
    QTest::newRow("CUDA 13.0") << "layout=13" << 216 << 96;
}

void TestCuptiLibrary::everyCutIsSafe()
{
    QFETCH(QString, settings);
    QFETCH(int, kernelBytes);
    QFETCH(int, copyBytes);
    const FakeCupti fake(JETSCOPE_FAKE_CUPTI);
    fake.reset(settings.toUtf8());
    const Result<CuptiLibrary> library = CuptiLibrary::load(JETSCOPE_FAKE_CUPTI);
    QVERIFY(library.ok());
    cupti::KernelRecord kernel{};
    kernel.kind = cupti::kConcurrentKernel;
    kernel.start = kernel.end = 100;
    kernel.name = "kernel";
    cupti::MemcpyRecord copy{};
    copy.kind = cupti::kMemcpy;
    copy.start = copy.end = 200;
    copy.copyKind = 255;
    const auto all = static_cast<std::size_t>(kernelBytes + copyBytes);
    RecordDecoder decoder;
    for (std::size_t valid = 1; valid <= all; ++valid) {
        // Exactly as large, so that a sanitizer detects reading one byte too much.
        std::vector<std::uint8_t> buffer(valid, 0);
        const auto put = [&](std::size_t at, const auto &record) {
            if (at < valid)
                std::memcpy(buffer.data() + at, &record, std::min(sizeof record, valid - at));
        };
        put(0, kernel);
        put(static_cast<std::size_t>(kernelBytes), copy);
        std::vector<GpuActivity> activities;
        CuptiCounters counters;
        decoder.decode(library.value().api(), buffer.data(), valid, {1, 1'000}, activities, counters);
        const std::size_t whole =
            (valid >= sizeof kernel) + (valid >= static_cast<std::size_t>(kernelBytes) + sizeof copy);
        QCOMPARE(activities.size(), whole);
        if (whole == 2)
            QCOMPARE(activities[1].copy, GpuCopy::Unknown); // An undefined kind.
        const bool cut = valid < sizeof kernel
            || (valid > static_cast<std::size_t>(kernelBytes)
                && valid < static_cast<std::size_t>(kernelBytes) + sizeof copy);
        QCOMPARE(counters.damaged, std::uint64_t(cut));
    }
    fake.reset();
}

JETSCOPE_TEST(TestCuptiLibrary)
#include "tst_cuptilibrary.moc"
