// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "tests/support/testprogram.h"

/// Programs with one mistake each, and their repaired twins, on a libcuda without a GPU.
class AttachHazardsTest : public QObject {
    Q_OBJECT

private slots:
    void findsMistakes_data();
    void findsMistakes();
    void knowsEveryMistake();
    void knowsTheDevice();
    void saysWhatIsNotFollowed();
    void namesBuffers_data();
    void namesBuffers();
};

namespace {

/// "possible" where only the order of the calls says so, or where the device is not known.
const std::pair<const char *, const char *> kMistakes[] = {
    {"streams", "seen hazard-B5"},
    {"values", "seen hazard-B5"},
    {"values-early", "seen hazard-B5"},
    {"values-batch", "seen hazard-B5"},
    {"read-early", "seen hazard-O1"},
    {"read-rows", "seen hazard-O1"},
    {"hand-over", "seen hazard-O1"},
    {"callback", "seen hazard-O1"},
    {"refill", "possible hazard-O1"},
    {"halves", "seen hazard-B5"},
    {"halves-set", "seen hazard-B5"},
    {"half-refill", "possible hazard-O1"},
    {"free-host", "seen hazard-A11"},
    {"free-pool", "seen hazard-A11"},
    {"free-set", "seen hazard-A11"},
    {"free-staged", "seen hazard-A11"},
    {"free-behind-gl", "seen hazard-A11"},
    {"free-unmapped", "seen hazard-A11"},
    {"free-presented", "seen hazard-A11"},
    {"unregister", "seen hazard-A11"},
    {"free-in-stream", "seen hazard-A11"},
    {"managed-touch", "possible hazard-A1"},
    {"managed-new", "possible hazard-A3"},
    {"managed-frames", "possible hazard-A1"},
    {"managed-first", "possible hazard-A1"},
    {"attach-early", "possible hazard-A4"},
    {"attach-part", "seen hazard-A6"},
    {"attach-behind", "possible hazard-A7"},
    {"host-function", "seen hazard-B1"},
    {"image-flags", "seen hazard-C3"},
    {"sync-late", "seen hazard-D1"},
    {"sync-default", "seen hazard-D1"},
    {"sync-unrecorded", "seen hazard-D2"},
    {"event-of-sync", "seen hazard-D4"},
    {"sync-more", "possible sync-waits-for-more"},
    {"device-sync", "seen device-sync-per-frame"},
    {"registration", "seen registration-per-frame"},
    {"allocation", "seen allocation-per-frame"},
    {"pool", "possible pool-keeps-nothing"},
    {"default-stream", "seen default-stream"},
    {"pageable", "seen pageable-async-copy"},
    {"half-pageable", "seen pageable-async-copy"},
    {"managed-copy", "seen managed-copy"},
    {"round-trip", "possible host-round-trip"},
    {"round-trip-default", "possible host-round-trip"},
    {"leak-events", "seen growing-objects"},
    {"leak-textures", "seen growing-objects"},
};

/// What is found in a program, with its grade; `object`: all of the answer.
QStringList foundIn(const QString &name, const QString &twin, const QStringList &options, QJsonObject *object = nullptr,
                    const QString &library = MOCK_CUDA)
{
    QTemporaryDir folder;
    const QString file = folder.filePath("a.json");
    const QStringList words = QStringList{"attach", "--json", file} + options
        + QStringList{"--", PROGRAM_HAZARDS, library, MOCK_GL, name, twin, "40"};
    const Outcome run = runProgram(words, QProcessEnvironment::systemEnvironment());
    const QJsonObject json = jsonOf(file);
    if (object)
        *object = json;
    if (run.code != 0 || json["frames"].toInt() != 40 || json["lost"]["calls"].toInt() != 0)
        return {"the run failed: " + run.out + run.err};
    QStringList found;
    for (const QJsonValue finding : json["findings"].toArray())
        found += finding["grade"].toString() + " " + finding["what"].toString();
    return found;
}

} // namespace

void AttachHazardsTest::findsMistakes_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("found");
    for (const auto &[name, found] : kMistakes)
        QTest::newRow(name) << name << found;
}

void AttachHazardsTest::findsMistakes()
{
    QFETCH(QString, name);
    QFETCH(QString, found);
    QJsonObject object;
    QCOMPARE(foundIn(name, "bad", {"--no-gpu-times"}, &object), QStringList{found});
    const QString text = object["findings"][0]["text"].toString();
    QVERIFY2(text.contains(": "), qPrintable(text));
    if (name.startsWith("managed-") && found.contains("hazard-"))
        QVERIFY2(text.contains("concurrentManagedAccess = 0"), qPrintable(text));
    QCOMPARE(foundIn(name, "good", {"--no-gpu-times"}), QStringList());
}

/// The program itself says what each of its mistakes is.
void AttachHazardsTest::knowsEveryMistake()
{
    QStringList rows;
    for (const auto &[name, found] : kMistakes)
        rows += QString(name) + " " + QString(found).section(' ', 1);
    QCOMPARE(runPlain({PROGRAM_HAZARDS}).out.split('\n', Qt::SkipEmptyParts), rows);
}

/// The trial of CUPTI tells whether CPU and GPU must take turns with managed memory.
void AttachHazardsTest::knowsTheDevice()
{
    QTemporaryDir cache;
    const std::pair<const char *, QByteArray> variables[] = {{"CUDA_HOME", MOCK_TOOLKIT},
                                                             {"LD_LIBRARY_PATH", MOCK_TOOLKIT "/lib64"},
                                                             {"XDG_CACHE_HOME", cache.path().toUtf8()}};
    std::map<QByteArray, QByteArray> before;
    for (const auto &[name, value] : variables) {
        before[name] = qgetenv(name);
        qputenv(name, value);
    }
    const auto restore = qScopeGuard([&] {
        for (const auto &[name, value] : before)
            value.isNull() ? qunsetenv(name) : qputenv(name, value);
    });
    const QString library = MOCK_TOOLKIT "/lib64/libcuda.so.1";
    QCOMPARE(foundIn("managed-touch", "bad", {}, nullptr, library), QStringList{"seen hazard-A1"});
    QCOMPARE(foundIn("managed-frames", "bad", {}, nullptr, library), QStringList{"possible hazard-A1"});
    QJsonObject object;
    qputenv("MOCK_CONCURRENT_MANAGED", "1");
    const auto unset = qScopeGuard([] { qunsetenv("MOCK_CONCURRENT_MANAGED"); });
    QVERIFY(QDir(cache.filePath("jetscope")).removeRecursively());
    QCOMPARE(foundIn("managed-touch", "bad", {}, &object, library), QStringList());
    for (const QJsonValue check : object["checks"].toArray())
        if (check["what"] == "hazard-A1")
            QVERIFY2(check["reason"].toString().contains("does not apply"), QJsonDocument(object).toJson());
}

void AttachHazardsTest::saysWhatIsNotFollowed()
{
    QJsonObject object;
    foundIn("device-sync", "good", {"--no-gpu-times"}, &object);
    std::map<QString, QString> reasons;
    for (const QJsonValue check : object["checks"].toArray())
        reasons[check["what"].toString()] = check["reason"].toString();
    for (const char *followed : {"growing-objects", "sync-waits-for-more", "hazard-O1", "hazard-A11", "hazard-B5"})
        QVERIFY2(reasons.contains(followed) && reasons[followed].isEmpty(), followed);
    for (const char *unseen : {"hazard-A2", "hazard-A5", "hazard-A12", "hazard-C1"})
        QVERIFY2(!reasons[unseen].isEmpty(), unseen);
}

void AttachHazardsTest::namesBuffers_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::newRow("hazard") << "read-early"
                            << "(pinned memory, 4096 bytes, named \"result\")";
    QTest::newRow("hazard of frames") << "refill"
                                      << "(pinned memory, named \"result\")";
    QTest::newRow("registered") << "unregister"
                                << "(registered memory, 4096 bytes, named \"input\")";
    QTest::newRow("waste") << "pageable"
                           << ", of memory named \"input\"";
}

/// Programs can say what memory is (jetscope_mark.h).
void AttachHazardsTest::namesBuffers()
{
    QFETCH(QString, name);
    QFETCH(QString, text);
    QJsonObject object;
    foundIn(name, "bad", {"--no-gpu-times"}, &object);
    const QString said = object["findings"][0]["text"].toString();
    QVERIFY2(said.contains(text), qPrintable(said));
}

JETSCOPE_TEST(AttachHazardsTest)
#include "tst_attachhazards.moc"
