// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The dialogs about commands that measure: the search for the best choices, experiments, verifications.
#include "core/measure/probe/probejson.h"
#include "core/verify/verifyjson.h"
#include "tests/core/probetables.h"
#include "tests/support/testprogram.h"
#include "tests/ui/window/measuringwindow.h"
#include "ui/lab/labview.h"
#include "ui/lab/probepage.h"
#include "ui/measure/experimentdialog.h"
#include "ui/measure/probedialog.h"
#include "ui/measure/tunedialog.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/verify/verifydialog.h"

#include <QComboBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QTreeWidget>

using namespace jetscope;

class TestMeasuringDialogs : public QObject, private MeasuringWindow {
    Q_OBJECT
private slots:
    void init() { MeasuringWindow::init(); }
    void cleanup() { MeasuringWindow::cleanup(); }
    void theSearchShowsItsStepsAndItsResultIsUsed();
    void aSearchThatFailsIsSaid();
    void anExperimentShowsItsFiguresAndItsConclusion();
    void aProbeIsShownInTheLab();
    void aVerificationShowsItsRows();
    void theFileOfAVerificationIsOpened();
};

void TestMeasuringDialogs::theSearchShowsItsStepsAndItsResultIsUsed()
{
    const QString first = QStringLiteral(
        R"-({"event":"step","what":"memory","tries":[{"change":"memory: pinned → zero-copy","outcome":"12.0 % shorter )-"
        R"-(period (-12.9 to -11.1 %)","won":true,"shown":true},{"change":"memory: pinned → pageable",)-"
        R"-("outcome":"set aside after 2 turns","won":false}]})-");
    const QString last = QStringLiteral(R"({"event":"step","what":"final","tries":[{"change":"sync: event → stream",)"
                                        R"("outcome":"no result after 2 turns","won":true,"shown":false}]})");
    const QString result = QStringLiteral(
        R"({"best":{"memory":"zero-copy","output":"eglimage","sync":"event","wait":"spin","cpu_stage":"off",)"
        R"("filters":"gaussian5,sobel","frames_in_flight":3,"streams":1},"result":"memory: pinned → zero-copy: 12.0 % )"
        R"(shorter period, checked by turns","measured":7,"combinations":80,"reason":"Nothing else is expected."})");
    childDoes(QStringLiteral("echo '%1'\necho '%2'\n").arg(first, last) + waitFor(path("go"))
              + QStringLiteral("echo '%1'").arg(result));
    window().actions().tune->trigger();
    auto *dialog = window().findChild<TuneDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_COMPARE(dialog->steps()->topLevelItemCount(), 3);
    QVERIFY(!dialog->useButton()->isEnabled());
    QVERIFY(dialog->steps()->topLevelItem(0)->text(1).startsWith(QStringLiteral("★")));
    QCOMPARE(dialog->steps()->topLevelItem(0)->text(2), QStringLiteral("12.0 % shorter period (-12.9 to -11.1 %)"));
    QVERIFY(dialog->steps()->topLevelItem(2)->text(1).startsWith(QStringLiteral("→"))); // Ahead, and not shown to be.
    QCOMPARE(window().session().phase(), Session::Phase::Held);
    make(path("go"));
    QTRY_VERIFY(dialog->useButton()->isEnabled());
    QVERIFY2(dialog->status().contains(QStringLiteral("7 of 80")), qPrintable(dialog->status()));
    QVERIFY(argumentsOfChild().contains(QStringLiteral("--time 60 --from memory=")));
    // At once, although the pipeline may still be opening.
    QTest::mouseClick(dialog->useButton(), Qt::LeftButton);
    QTRY_VERIFY(isOpen());
    QTRY_COMPARE(window().session().wanted().memory, MemoryKind::ZeroCopy);
    QCOMPARE(window().session().wanted().framesInFlight, 3);
    QCOMPARE(window().session().wanted().wait, WaitPolicy::Spin);
    QTRY_VERIFY(!m_fake->pipeline().changes.empty());
}

void TestMeasuringDialogs::aSearchThatFailsIsSaid()
{
    childDoes(QStringLiteral("echo 'jetscope: the camera is busy: close the other program.' >&2\nexit 1"));
    window().actions().tune->trigger();
    auto *dialog = window().findChild<TuneDialog *>();
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_VERIFY(isOpen());
    QCOMPARE(dialog->status(), QStringLiteral("The search failed: the camera is busy: close the other program."));
    QVERIFY(!dialog->useButton()->isEnabled());
    QVERIFY(dialog->startButton()->isEnabled());
}

void TestMeasuringDialogs::anExperimentShowsItsFiguresAndItsConclusion()
{
    const QString result = QStringLiteral(
        R"({"experiment":"wait-policy","device":"a <GPU>","question":"?","varies":"v","teaches":"Spinning costs a core.",)"
        R"("rounds":10,"variants":[{"name":"a wait that spins","figures":[{"column":"latency","unit":"us","value":12.34,)"
        R"("at_least":12,"at_most":13}]},{"name":"a wait that blocks","figures":[{"column":"latency",)"
        R"("unavailable":"the device has none"}]}],"conclusions":[{"text":"a wait that spins is 40 % shorter"}]})");
    childDoes(QStringLiteral("echo '{\"event\":\"progress\",\"progress\":0.5,\"rounds\":4}'\n") + waitFor(path("go"))
              + QStringLiteral("echo '%1'").arg(result));
    window().actions().experiments->trigger();
    auto *dialog = window().findChild<ExperimentDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    dialog->names()->setCurrentIndex(dialog->names()->findData(QStringLiteral("wait-policy")));
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_COMPARE(dialog->status(), QStringLiteral("4 rounds measured"));
    QCOMPARE(window().session().phase(), Session::Phase::Held);
    make(path("go"));
    QTRY_VERIFY(isOpen());
    const QString text = dialog->result()->toPlainText();
    for (const char *part : {"a <GPU>", "12.34 us ±5 %", "the device has none", "40 % shorter", "costs a core"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    QVERIFY(argumentsOfChild().startsWith(QStringLiteral("experiment wait-policy --json --progress --device ")));
    QVERIFY(dialog->startButton()->isEnabled() && dialog->status().isEmpty());
}

void TestMeasuringDialogs::aProbeIsShownInTheLab()
{
    ProbeTable table = testing::madeUpTable(8, 7);
    table.device.name = "a <board>";
    testing::plant(table, memoryKey("zero-copy", "cpu_read"), 0.5);
    childDoes(QStringLiteral("echo '{\"event\":\"progress\",\"progress\":0.5,\"rounds\":4}'\n") + waitFor(path("go"))
              + QStringLiteral("echo '%1'").arg(toQString(probeJson(table)).remove(u'\n')));
    window().actions().probe->trigger();
    auto *dialog = window().findChild<ProbeDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_COMPARE(dialog->status(), QStringLiteral("4 rounds measured"));
    QCOMPARE(window().session().phase(), Session::Phase::Held);
    make(path("go"));
    QTRY_VERIFY(isOpen());
    QVERIFY(argumentsOfChild().startsWith(QStringLiteral("probe --json --progress --device ")));
    QVERIFY2(dialog->result()->toPlainText().contains(QStringLiteral("zero-copy")),
             qPrintable(dialog->result()->toPlainText()));
    QVERIFY(dialog->startButton()->isEnabled() && dialog->status().isEmpty());
    const ProbePage &page = *window().lab()->probe();
    QVERIFY2(page.text()->toPlainText().contains(QStringLiteral("0.50 ±")), qPrintable(page.text()->toPlainText()));
}

namespace {

/// One row that failed and one that passed.
VerifyReport sampleVerification()
{
    VerifyReport report;
    report.machine.device = "cuda:0, <Orin>";
    report.rows = {
        {"sync.cuda-to-gl", "GL waits for CUDA", "EGL_NV_cuda_event", "the sync is signalled later",
         failed("GL did not wait: 3 of 9 bytes are wrong"), 1.5},
        {"filters.bytes", "filters give the bytes of the reference", "OpenCV", "the same bytes", passed(), 0.5}};
    report.rows[1].result.facts = {{"blur", "0 wrong bytes", "0 <wrong> bytes", Agreement::Yes}};
    return report;
}

QString inOneLine(const VerifyReport &report)
{
    return toQString(verifyJson(report)).remove(u'\n');
}

QStringList rowsOf(const QTreeWidget &tree)
{
    QStringList rows;
    for (int i = 0; i < tree.topLevelItemCount(); ++i) {
        const QTreeWidgetItem *group = tree.topLevelItem(i);
        if (group->isHidden())
            continue;
        rows += group->text(0);
        for (int row = 0; row < group->childCount(); ++row)
            rows += group->child(row)->text(0);
    }
    return rows;
}

} // namespace

void TestMeasuringDialogs::aVerificationShowsItsRows()
{
    const VerifyReport report = sampleVerification();
    childDoes(QStringLiteral("echo '{\"event\":\"progress\",\"progress\":0.5,\"check\":\"filters.bytes\","
                             "\"index\":1,\"count\":2}'\necho '{\"event\":\"row\",\"row\":%1}'\n")
                  .arg(toQString(verifyRowJson(report.rows[1])))
              + waitFor(path("go")) + QStringLiteral("echo '%1'\nexit 1\n").arg(inOneLine(report)));
    window().actions().verify->trigger();
    auto *dialog = window().findChild<VerifyDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(!dialog->saveButton()->isEnabled());
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_COMPARE(rowsOf(*dialog->rows()), QStringList({"Passed: 1", "filters.bytes"}));
    QCOMPARE(dialog->status(), QStringLiteral("filters.bytes, 2 of 2"));
    QCOMPARE(window().session().phase(), Session::Phase::Held);
    make(path("go"));
    QTRY_VERIFY(isOpen());
    QCOMPARE(rowsOf(*dialog->rows()), QStringList({"Failed: 1", "sync.cuda-to-gl", "Passed: 1", "filters.bytes"}));
    QCOMPARE(dialog->status(), QStringLiteral("1 passed, 1 failed, 0 not possible here."));
    QVERIFY(argumentsOfChild().startsWith(QStringLiteral("verify --json --progress --device ")));
    // What failed is shown at once.
    QString text = dialog->details()->toPlainText();
    for (const char *part : {"GL waits for CUDA", "EGL_NV_cuda_event", "3 of 9 bytes are wrong"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    dialog->rows()->setCurrentItem(dialog->rows()->topLevelItem(2)->child(0));
    text = dialog->details()->toPlainText();
    QVERIFY2(text.contains(QStringLiteral("0 <wrong> bytes")), qPrintable(text));
    m_fake->chosenPath = path("rows.json");
    QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
    QCOMPARE(readVerifyReport(path("rows.json").toStdString()).value().rows.size(), std::size_t{2});
}

void TestMeasuringDialogs::theFileOfAVerificationIsOpened()
{
    QFile file(path("board.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(verifyJson(sampleVerification())));
    file.close();
    open(file.fileName()); // As any other file.
    QTRY_VERIFY(window().findChild<VerifyDialog *>());
    auto *dialog = window().findChild<VerifyDialog *>();
    QVERIFY(dialog->isVisible());
    QCOMPARE(rowsOf(*dialog->rows()), QStringList({"Failed: 1", "sync.cuda-to-gl", "Passed: 1", "filters.bytes"}));
    dialog->rows()->setCurrentItem(nullptr);
    QVERIFY(dialog->details()->toPlainText().contains(QStringLiteral("cuda:0, <Orin>")));
    QVERIFY(file.open(QIODevice::WriteOnly)); // Damaged meanwhile.
    file.write("{\"format\":\"jetscope-verify-1\"");
    file.close();
    m_fake->chosenPath = file.fileName();
    QTest::mouseClick(dialog->openButton(), Qt::LeftButton);
    QVERIFY2(dialog->status().contains(QStringLiteral("the JSON cannot be read")), qPrintable(dialog->status()));
    QCOMPARE(dialog->rows()->topLevelItem(0)->childCount(), 1); // What was shown stays.
}

JETSCOPE_TEST(TestMeasuringDialogs)
#include "tst_measuringdialogs.moc"
