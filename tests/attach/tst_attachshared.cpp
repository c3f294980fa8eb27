// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "tests/support/testprogram.h"

using namespace jetscope;

/// What two contexts of GL, or the CPU and an engine, share: each mistake is found, and its repair is silent.
class AttachSharedTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("EGL_PLATFORM", "surfaceless"); }
    void ordersContexts_data();
    void ordersContexts();
    void recordsNothingOfAloneContexts();
    void synchronizesBuffers_data();
    void synchronizesBuffers();
    void saysWhatIsNotChecked();
};

namespace {

QStringList hazards(const Attached &run)
{
    QStringList found;
    for (const QString &name : run.findings())
        if (name.startsWith("hazard-"))
            found += name;
    return found;
}

QString gradeOf(const Attached &run)
{
    for (const QJsonValue finding : run.json["findings"].toArray())
        if (finding["what"].toString().startsWith("hazard-"))
            return finding["grade"].toString();
    return {};
}

} // namespace

void AttachSharedTest::ordersContexts_data()
{
    QTest::addColumn<QString>("hazard");
    QTest::addColumn<QString>("grade");
    const auto row = [](const char *way, const char *hazard = "", const char *grade = "") {
        QTest::newRow(way) << hazard << grade;
    };
    row("fence");
    row("finish");
    row("client wait");
    row("flush by current");
    row("upload");
    row("fence of EGL");
    row("overwritten, fence");
    row("buffer");
    row("renderbuffer");
    row("not shared");
    row("nothing", "hazard-gl-order", "seen");
    row("only a flush", "hazard-gl-order", "seen");
    row("old fence", "hazard-gl-order", "seen");
    row("upload, nothing", "hazard-gl-order", "seen");
    row("no flush", "hazard-gl-flush", "seen");
    row("bound once", "hazard-gl-binding", "possible");
    row("fence before", "hazard-gl-order", "seen");
    row("reader finishes", "hazard-gl-order", "seen");
    row("fence of EGL, no flush", "hazard-gl-flush", "seen");
    row("sampled, nothing", "hazard-gl-order", "possible");
    row("buffer, nothing", "hazard-gl-order", "seen");
    row("renderbuffer, nothing", "hazard-gl-order", "seen");
    row("overwritten", "hazard-gl-overwrite", "possible");
}

void AttachSharedTest::ordersContexts()
{
    QFETCH(QString, hazard);
    QFETCH(QString, grade);
    const Attached run = attach({PROGRAM_SHARED, QTest::currentDataTag(), "60"}, {"--no-gpu-times"});
    if (run.plain.code == 77)
        QSKIP("OpenGL ES 3 without a window is missing");
    QVERIFY2(run.under.code == 0 && run.json["frames"].toInt() > 50, run.describe());
    QCOMPARE(hazards(run), hazard.isEmpty() ? QStringList() : QStringList{hazard});
    QCOMPARE(gradeOf(run), grade);
    for (const QJsonValue check : run.json["checks"].toArray())
        if (check["what"].toString().startsWith("hazard-gl-"))
            QCOMPARE(check["checked"].toBool(),
                     QString(QTest::currentDataTag()) != "not shared" && check["what"] != "hazard-gl-shaders");
}

/// Binding is what programs do most: nobody pays for that where it tells nothing.
void AttachSharedTest::recordsNothingOfAloneContexts()
{
    const Attached alone = attach({PROGRAM_SHARED, "not shared", "60"}, {"--no-gpu-times"});
    if (alone.plain.code == 77)
        QSKIP("OpenGL ES 3 without a window is missing");
    const Attached shared = attach({PROGRAM_SHARED, "fence", "60"}, {"--no-gpu-times"});
    for (const char *function : {"glBindTexture", "glBindFramebuffer", "glFramebufferTexture2D"}) {
        QVERIFY2(alone.calls(function) == 0, alone.describe());
        QVERIFY2(shared.calls(function) > 0, shared.describe());
    }
    QCOMPARE(alone.calls("glClear"), 60u);
    QVERIFY(!alone.json["calls"].toObject().contains("drawn"));
}

void AttachSharedTest::synchronizesBuffers_data()
{
    QTest::addColumn<QString>("hazard");
    const auto row = [](const char *way, const char *hazard = "") { QTest::newRow(way) << hazard; };
    row("synchronized");
    row("mapped each time, synchronized");
    row("sometimes");
    row("CUDA's memory");
    row("write, synchronized");
    row("old, synchronized");
    row("old write, synchronized");
    row("write, mapped each time, synchronized");
    row("later, waited");
    row("nothing", "hazard-nvbuf-cpu");
    row("read and write", "hazard-nvbuf-cpu");
    row("mapped each time", "hazard-nvbuf-cpu");
    row("old", "hazard-nvbuf-cpu");
    row("write", "hazard-nvbuf-device");
    row("old write", "hazard-nvbuf-device");
    row("write, mapped each time", "hazard-nvbuf-device");
    row("later", "hazard-nvbuf-wait");
}

void AttachSharedTest::synchronizesBuffers()
{
    QFETCH(QString, hazard);
    const Attached run = attach({PROGRAM_NVBUF, QTest::currentDataTag(), "100"}, {"--no-gpu-times"});
    QVERIFY2(run.under.code == 0 && run.json["frames"].toInt() > 90, run.describe());
    QCOMPARE(hazards(run), hazard.isEmpty() ? QStringList() : QStringList{hazard});
    QCOMPARE(gradeOf(run), hazard.isEmpty() ? QString() : QString("possible"));
}

/// Whoever reads the text alone must not take silence for "no hazard".
void AttachSharedTest::saysWhatIsNotChecked()
{
    const Attached run = attach({PROGRAM_NVBUF, "synchronized", "20"}, {"--no-gpu-times"});
    const QString text = textOf({PROGRAM_NVBUF, "synchronized", "20"});
    QVERIFY2(text.contains("not checked"), qPrintable(text));
    for (const QJsonValue check : run.json["checks"].toArray())
        QVERIFY2(check["checked"].toBool() || text.contains(check["what"].toString()), qPrintable(text));
}

JETSCOPE_TEST(AttachSharedTest)
#include "tst_attachshared.moc"
