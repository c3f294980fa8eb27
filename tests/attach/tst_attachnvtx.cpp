// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "tests/support/testprogram.h"

/// Frames by the ranges and marks of NVTX, with NVIDIA's headers where they are installed, and with a stand-in.
class AttachNvtxTest : public QObject {
    Q_OBJECT

private slots:
    void takesFrames_data();
    void takesFrames();
    void saysWhatThereIsInstead();
    void leavesAnotherTool();
};

void AttachNvtxTest::takesFrames_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("way");
    QTest::addColumn<int>("frames");
    const QStringList programs = QString(NVTX_PROGRAMS).split(':');
    for (const QString &program : programs) {
        const QString name = QFileInfo(program).fileName() + ", ";
        QTest::newRow((name + "pushed").toUtf8().constData()) << program << "push" << 50;
        QTest::newRow((name + "domain").toUtf8().constData()) << program << "domain" << 50;
        QTest::newRow((name + "started").toUtf8().constData()) << program << "start" << 50;
        QTest::newRow((name + "numbered").toUtf8().constData()) << program << "numbered" << 50;
        // The last mark begins a frame without an end.
        QTest::newRow((name + "marks").toUtf8().constData()) << program << "mark" << 49;
    }
}

void AttachNvtxTest::takesFrames()
{
    QFETCH(QString, program);
    QFETCH(QString, way);
    QFETCH(int, frames);
    const QString wish = way == "numbered" ? "nvtx:frame *" : "nvtx:frame";
    const Attached run = attach({program, way, "50"}, {"--frame", wish});
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.under.err, run.plain.err);
    QCOMPARE(run.under.code, 7);
    QCOMPARE(run.json["frame_source"].toString(), wish);
    QVERIFY2(run.json["frames"].toInt() == frames, run.describe());
    QVERIFY(run.json["frame_note"].toString().contains("NVTX"));
}

void AttachNvtxTest::saysWhatThereIsInstead()
{
    const QString program = QString(NVTX_PROGRAMS).split(':').front();
    const Attached run = attach({program, "mark", "5"}, {"--frame", "nvtx:picture"});
    QCOMPARE(run.json["frames"].toInt(), 0);
    const QString note = run.json["frame_note"].toString();
    QVERIFY2(note.contains("\"picture\"") && note.contains("\"frame\"") && note.contains("\"something else\""),
             note.toUtf8());
    const Attached without = attach({PROGRAM_LAZY, "linked", "5"}, {"--frame", "nvtx:picture"});
    QVERIFY(without.json["frame_note"].toString().contains("uses no NVTX"));
}

void AttachNvtxTest::leavesAnotherTool()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("NVTX_INJECTION64_PATH", "/other/tool.so");
    const Outcome run = runProgram({"attach", "--", "sh", "-c", "echo $NVTX_INJECTION64_PATH"}, environment);
    QCOMPARE(run.out, "/other/tool.so\n");
}

JETSCOPE_TEST(AttachNvtxTest)
#include "tst_attachnvtx.moc"
