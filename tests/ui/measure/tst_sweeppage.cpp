// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The tab of sweeps: which cells it shows, by keyboard and mouse, and how it follows a file.
#include "tests/support/contrast.h"
#include "tests/support/fakepipeline.h"
#include "tests/support/samplesweep.h"
#include "tests/support/testprogram.h"
#include "ui/measure/heatsigns.h"
#include "ui/measure/heatview.h"
#include "ui/measure/sweepdialog.h"
#include "ui/measure/sweeppage.h"
#include "ui/measure/sweeppicker.h"
#include "ui/measure/sweepreader.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace jetscope;
using namespace jetscope::test;
using jetscope::testing::SampleSweep;

class TestSweepPage : public QObject {
    Q_OBJECT
private slots:
    void init();
    void showsEachCellWithItsFigure();
    void bestAndTiesHaveSignsOfTheirOwn();
    void unavailableCellsAreHatchedAndSayWhy();
    void failedCellsSayWhy();
    void hazardsAreMarked();
    void arrowsMoveAndEnterOpens();
    void aClickOpens();
    void theMetricIsChosen();
    void otherSettingsHaveBoxesOnlyIfTheyVary();
    void sizesHaveASlider();
    void theCurrentCellStaysWhileTheFileGrows();
    void anUnfinishedSweepCanBeResumed();
    void followsAGrowingFile();
    void brokenFilesAreSaid_data();
    void brokenFilesAreSaid();
    void everyCellHasAccessibleText();
    void groundsOfCellsAreReadable();
    void theDialogCountsAndEstimates();
    void theDialogSaysThatTheTimeIsTooShort();
    void theDialogRefusesAFileThatExists();
    void unavailableChoicesCannotBeChecked();

private:
    QString pathOf(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    void show(const SampleSweep &sweep, Figure metric = Figure::FrameP50);
    HeatModel &cells() { return m_page->heatMap()->cells(); }
    QModelIndex at(int row, int column) { return cells().index(row, column); }
    QImage picture(const QModelIndex &index);
    SweepBase base() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<SweepPage> m_page;
};

namespace {

std::shared_ptr<const SweepReport> readReport(const QString &path, Figure metric)
{
    Result<SweepReport> report = readSweepReport(path.toStdString(), metric);
    if (!report.ok())
        qFatal("%s", report.error().text.c_str());
    return std::make_shared<const SweepReport>(std::move(report).value());
}

int colorsIn(const QImage &image)
{
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            colors.insert(image.pixel(x, y));
    return static_cast<int>(colors.size());
}

} // namespace

void TestSweepPage::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_page = std::make_unique<SweepPage>();
    m_page->resize(900, 400);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
}

void TestSweepPage::show(const SampleSweep &sweep, Figure metric)
{
    const QString path = pathOf("sweep.jscope");
    QFile::remove(path);
    sweep.write(path);
    m_page->showSweep(path, readReport(path, metric));
}

QImage TestSweepPage::picture(const QModelIndex &index)
{
    return m_page->heatMap()->viewport()->grab(m_page->heatMap()->visualRect(index)).toImage();
}

void TestSweepPage::showsEachCellWithItsFigure()
{
    show({});
    QCOMPARE(cells().rowCount(), 4);
    QCOMPARE(cells().columnCount(), 3);
    QCOMPARE(cells().headerData(1, Qt::Vertical).toString(), QStringLiteral("Pinned + copy"));
    QVERIFY(!cells().headerData(1, Qt::Vertical, Qt::ToolTipRole).toString().isEmpty());
    const SweepReport &report = *m_page->report();
    int figures = 0;
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 3; ++column) {
            const HeatCell cell = cells().cellAt(at(row, column));
            if (cell.state != HeatCell::State::Measured)
                continue;
            ++figures;
            const double value = report.sweep.result.summary(cell.row->cell, Figure::FrameP50)->central;
            QCOMPARE(at(row, column).data().toString().toStdString(), figureText(Figure::FrameP50, value));
            QVERIFY(at(row, column).data().toString().endsWith(QStringLiteral(" ms")));
        }
    QCOMPARE(figures, 9);
    QVERIFY(m_page->facts().contains(QStringLiteral("software iGPU (orin rules)")));
    QCOMPARE(m_page->verdict().toStdString(), report.workloads.front().verdict());
}

void TestSweepPage::bestAndTiesHaveSignsOfTheirOwn()
{
    const auto signs = [this] {
        std::map<HeatSign, int> count;
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column)
                ++count[signOf(cells().cellAt(at(row, column)))];
        return count;
    };
    show({}); // Of two that are not told apart neither is the best.
    QCOMPARE(signs()[HeatSign::Best], 0);
    QCOMPARE(signs()[HeatSign::Tie], 2);
    QVERIFY(at(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("not shown to be worse")));
    const QImage tie = picture(at(0, 0)).convertToFormat(QImage::Format_Grayscale8); // They differ without colour.
    SampleSweep clear;
    clear.hasTie = false;
    show(clear);
    QCOMPARE(signs()[HeatSign::Best], 1);
    QCOMPARE(signs()[HeatSign::Tie], 0);
    QVERIFY(at(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("the best combination")));
    QVERIFY(tie != picture(at(0, 0)).convertToFormat(QImage::Format_Grayscale8));
}

void TestSweepPage::unavailableCellsAreHatchedAndSayWhy()
{
    show({});
    const QModelIndex index = at(3, 0);
    QCOMPARE(cells().cellAt(index).state, HeatCell::State::LeftOut);
    QCOMPARE(index.data().toString(), QStringLiteral("n/a"));
    QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Not available: ")));
    QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Jetson")));
    // The left end has no text: hatching has more colours than a plain ground.
    const QImage hatched = picture(index).copy(2, 2, 14, 14);
    QVERIFY(colorsIn(hatched) > 1);
    QCOMPARE(colorsIn(picture(at(2, 2)).copy(4, 3, 8, 3)), 1);
}

void TestSweepPage::failedCellsSayWhy()
{
    SampleSweep sweep;
    sweep.failures = {2};
    show(sweep);
    const QModelIndex index = at(0, 2);
    QCOMPARE(signOf(cells().cellAt(index)), HeatSign::Failed);
    QCOMPARE(index.data().toString(), QStringLiteral("failed"));
    QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("out of memory")));
}

void TestSweepPage::hazardsAreMarked()
{
    show({});
    const QImage without = picture(at(2, 1));
    SampleSweep sweep;
    sweep.hazards = {7};
    show(sweep);
    QVERIFY(picture(at(2, 1)) != without);
    QVERIFY(at(2, 1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("broke a rule")));
    QVERIFY(at(2, 1).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("with hazards")));
}

void TestSweepPage::arrowsMoveAndEnterOpens()
{
    show({});
    HeatView *heat = m_page->heatMap();
    const QSignalSpy opened(m_page.get(), &SweepPage::cellOpened);
    QVERIFY2(heat->currentIndex() == at(0, 0), "the best one is current at first");
    QTest::keyClick(heat, Qt::Key_Right);
    QTest::keyClick(heat, Qt::Key_Down);
    QVERIFY(heat->currentIndex() == at(1, 1));
    QCOMPARE(opened.size(), 0);
    QTest::keyClick(heat, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].value<std::size_t>(), std::size_t{4});
    QCOMPARE(opened[0][1].toString(), QStringLiteral("pinned, event"));
    QTest::keyClick(heat, Qt::Key_Down);
    QTest::keyClick(heat, Qt::Key_Down); // A combination that was left out has no run.
    QTest::keyClick(heat, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
}

void TestSweepPage::aClickOpens()
{
    show({});
    const QSignalSpy opened(m_page.get(), &SweepPage::cellOpened);
    HeatView *heat = m_page->heatMap();
    QTest::mouseClick(heat->viewport(), Qt::LeftButton, {}, heat->visualRect(at(2, 1)).center());
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].value<std::size_t>(), std::size_t{7});
    QVERIFY(heat->currentIndex() == at(2, 1));
}

void TestSweepPage::theMetricIsChosen()
{
    show({});
    QComboBox *metric = m_page->picker()->metricBox();
    QStringList names;
    for (int i = 0; i < metric->count(); ++i)
        names += metric->itemText(i);
    // Metrics without any figure in the file are left out.
    QCOMPARE(names.size(), 4);
    QVERIFY(!names.contains(QStringLiteral("Could be saved")));
    const QSignalSpy chosen(m_page.get(), &SweepPage::metricWanted);
    metric->setFocus();
    const int before = metric->currentIndex();
    QTest::keyClick(metric, Qt::Key_Down);
    QCOMPARE(metric->currentIndex(), before + 1);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<Figure>(), Figure::FrameP99);
    m_page->showSweep(m_page->path(), readReport(m_page->path(), Figure::FrameP99));
    QCOMPARE(m_page->picker()->metric(), Figure::FrameP99);
    QVERIFY(at(0, 0).data(Qt::ToolTipRole).toString().contains(toQString(rowOf(Figure::FrameP99).label)));
}

void TestSweepPage::otherSettingsHaveBoxesOnlyIfTheyVary()
{
    show({});
    QComboBox *output = m_page->picker()->box(QStringLiteral("output"));
    QComboBox *wait = m_page->picker()->box(QStringLiteral("wait"));
    QVERIFY(!output->isVisible() && !wait->isVisible());
    SampleSweep sweep;
    sweep.variesOutput = sweep.variesWait = true;
    QFile::remove(pathOf("other.jscope"));
    sweep.write(pathOf("other.jscope"));
    m_page->showSweep(pathOf("other.jscope"), readReport(pathOf("other.jscope"), Figure::FrameP50));
    QVERIFY(output->isVisible() && wait->isVisible());
    QCOMPARE(output->count(), 2);
    QCOMPARE(wait->count(), 2);
    const QString first = at(0, 0).data().toString();
    const std::size_t cell = cells().cellAt(at(0, 0)).row->cell;
    output->setFocus();
    QTest::keyClick(output, Qt::Key_Down);
    QVERIFY(cells().cellAt(at(0, 0)).row->cell != cell);
    const SweepCell &shown = m_page->report()->sweep.plan.cells[cells().cellAt(at(0, 0)).row->cell];
    QCOMPARE(shown.config.output, OutputKind::CopyBack);
    QVERIFY(at(0, 0).data().toString() != first);
    // The user's choice stays when the file grows.
    m_page->showSweep(pathOf("other.jscope"), readReport(pathOf("other.jscope"), Figure::FrameP50));
    QCOMPARE(output->currentIndex(), 1);
}

void TestSweepPage::sizesHaveASlider()
{
    show({});
    QVERIFY(!m_page->picker()->sizeSlider()->isVisible());
    SampleSweep sweep;
    sweep.sizes = {{1280, 720}, {640, 480}};
    QFile::remove(pathOf("sizes.jscope"));
    sweep.write(pathOf("sizes.jscope"));
    m_page->showSweep(pathOf("sizes.jscope"), readReport(pathOf("sizes.jscope"), Figure::FrameP50));
    QSlider *slider = m_page->picker()->sizeSlider();
    QVERIFY(slider->isVisible());
    QCOMPARE(slider->maximum(), 1);
    QCOMPARE(slider->accessibleDescription(), QStringLiteral("640×480")); // The smaller one is left.
    const QString small = at(0, 0).data().toString();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(slider->accessibleDescription(), QStringLiteral("1280×720"));
    QVERIFY(at(0, 0).data().toString() != small);
    // Each size is ranked by itself.
    QCOMPARE(signOf(cells().cellAt(at(0, 0))), HeatSign::Tie);
}

void TestSweepPage::theCurrentCellStaysWhileTheFileGrows()
{
    SampleSweep sweep;
    sweep.rounds = 1;
    sweep.complete = false;
    show(sweep);
    QVERIFY2(m_page->verdict().startsWith(QStringLiteral("No verdict")), qPrintable(m_page->verdict()));
    QCOMPARE(signOf(cells().cellAt(at(0, 0))), HeatSign::None);
    m_page->heatMap()->setCurrentIndex(at(2, 1));
    sweep.addRounds(m_page->path(), 1, 5);
    m_page->showSweep(m_page->path(), readReport(m_page->path(), Figure::FrameP50));
    QVERIFY(m_page->heatMap()->currentIndex() == at(2, 1));
    QCOMPARE(signOf(cells().cellAt(at(0, 0))), HeatSign::Tie);
    QVERIFY(!m_page->verdict().startsWith(QStringLiteral("No verdict")));
}

void TestSweepPage::anUnfinishedSweepCanBeResumed()
{
    show({});
    auto *resume = m_page->findChild<QPushButton *>(QStringLiteral("resume"));
    QVERIFY(!resume->isVisible());
    SampleSweep sweep;
    sweep.complete = false;
    show(sweep);
    QVERIFY(resume->isVisible());
    m_page->setPossible(false, QStringLiteral("no pipeline"));
    QVERIFY(resume->isEnabled()); // Needs no pipeline of the window.
    QVERIFY(!m_page->findChild<QPushButton *>(QStringLiteral("newSweep"))->isEnabled());
    QCOMPARE(m_page->findChild<QPushButton *>(QStringLiteral("newSweep"))->toolTip(), QStringLiteral("no pipeline"));
    m_page->setMeasuring(m_page->path());
    QVERIFY(!resume->isVisible());
    QVERIFY(m_page->facts().contains(QStringLiteral("being measured")));
    const QSignalSpy cancelled(m_page.get(), &SweepPage::cancelWanted);
    auto *cancel = m_page->findChild<QPushButton *>(QStringLiteral("cancelSweep"));
    QTest::mouseClick(cancel, Qt::LeftButton);
    QCOMPARE(cancelled.size(), 1);
    QVERIFY(!cancel->isEnabled()); // Once is enough.
}

void TestSweepPage::followsAGrowingFile()
{
    SampleSweep sweep;
    sweep.rounds = 2;
    sweep.complete = false;
    const QString path = pathOf("grows.jscope");
    SweepReader reader;
    std::vector<std::size_t> rounds;
    connect(&reader, &SweepReader::read, this, [&](const std::shared_ptr<const SweepReport> &report) {
        rounds.push_back(report->workloads.front().summary.rounds);
    });
    const QSignalSpy failed(&reader, &SweepReader::failed);
    reader.open(path, Figure::FrameP50); // It does not exist yet.
    QTRY_COMPARE(failed.size(), 1);
    reader.setFollowing(true);
    sweep.write(path);
    QTRY_VERIFY(!rounds.empty() && rounds.back() == 2);
    sweep.addRounds(path, 2, 4);
    QTRY_COMPARE(rounds.back(), std::size_t{4});
}

void TestSweepPage::brokenFilesAreSaid_data()
{
    QTest::addColumn<std::function<void(QFile &)>>("damage");
    QTest::newRow("empty") << std::function<void(QFile &)>([](QFile &file) { file.resize(0); });
    QTest::newRow("truncated") << std::function<void(QFile &)>([](QFile &file) { file.resize(file.size() / 2); });
    QTest::newRow("overwritten") << std::function<void(QFile &)>([](QFile &file) {
        file.seek(file.size() / 4); // A single page may be one of a table that a sweep does not have.
        file.write(QByteArray(file.size() / 2, '\x5a'));
    });
    QTest::newRow("something else") << std::function<void(QFile &)>([](QFile &file) {
        file.resize(0);
        file.write("not a database");
    });
}

void TestSweepPage::brokenFilesAreSaid()
{
    QFETCH(std::function<void(QFile &)>, damage);
    show({});
    const QString path = pathOf("broken.jscope");
    SampleSweep sweep;
    sweep.samples = false; // Damage within a sample does not concern the figures.
    sweep.write(path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    damage(file);
    file.close();
    SweepReader reader;
    const QSignalSpy failed(&reader, &SweepReader::failed);
    reader.open(path, Figure::FrameP50);
    QTRY_COMPARE(failed.size(), 1);
    m_page->showProblem(failed[0][0].toString());
    QVERIFY(!m_page->problem().isEmpty());
    QCOMPARE(cells().rowCount(), 4); // The sweep that was shown stays.
}

void TestSweepPage::everyCellHasAccessibleText()
{
    show({});
    for (int row = 0; row < cells().rowCount(); ++row)
        for (int column = 0; column < cells().columnCount(); ++column) {
            const QString text = at(row, column).data(Qt::AccessibleTextRole).toString();
            QVERIFY2(text.contains(at(row, column).data().toString()) && text.contains(u','), qPrintable(text));
        }
    for (const QWidget *widget : m_page->findChildren<QWidget *>())
        if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible())
            QVERIFY2(!widget->accessibleName().isEmpty() || widget->inherits("QPushButton")
                         || widget->inherits("QHeaderView") || widget->inherits("QLabel"),
                     widget->metaObject()->className());
}

/// The report and the window have the same colours.
void TestSweepPage::groundsOfCellsAreReadable()
{
    for (const Theme *each : {&darkTheme(), &lightTheme()})
        for (const QColor &ground : each->heat) {
            QVERIFY2(contrast(ground, each->text) >= kAaText, qPrintable(ground.name()));
            QVERIFY2(QLatin1String(kReportStyle).contains(ground.name()), qPrintable(ground.name()));
        }
}

SweepBase TestSweepPage::base() const
{
    return {{"synthetic:?size=1280x720", "soft:orin"},
            orinFacts(),
            nearestLegal({}, orinFacts()),
            4.0,
            pathOf("new.jscope")};
}

void TestSweepPage::theDialogCountsAndEstimates()
{
    SweepDialog dialog(base(), {});
    dialog.show();
    const SweepWish all = dialog.wish();
    QVERIFY(all.choices.of("memory").named.size() >= 6);
    QVERIFY(all.choices.of("sync").named.size() >= 5);
    QCOMPARE(all.choices.of("output").named.size(), std::size_t{2}); // Open, as the command line has them.
    QCOMPARE(all.choices.of("wait").named.size(), settingRow("wait")->values().size());
    const std::vector<std::string> &syncs = all.choices.of("sync").named;
    QVERIFY(std::find(syncs.begin(), syncs.end(), "none") == syncs.end());
    const Result<SweepPlan> plan = planSweep(all.choices, orinFacts());
    QVERIFY(plan.ok());
    QVERIFY2(dialog.summary().startsWith(QString::number(plan.value().cells.size())), qPrintable(dialog.summary()));
    QVERIFY(dialog.canStart());
    dialog.findChild<QCheckBox *>(QStringLiteral("zero-copy"))->setChecked(false);
    QVERIFY(dialog.wish().choices.of("memory").named.size() + 1 == all.choices.of("memory").named.size());
    for (QCheckBox *box : dialog.findChildren<QCheckBox *>())
        box->setChecked(false);
    QVERIFY(!dialog.canStart());
    QVERIFY(!dialog.summary().isEmpty());
}

void TestSweepPage::theDialogSaysThatTheTimeIsTooShort()
{
    SweepDialog dialog(base(), {});
    dialog.show();
    QVERIFY(dialog.warning().isEmpty());
    const auto buttons = dialog.findChildren<QRadioButton *>();
    buttons[1]->setChecked(true);
    auto *seconds = dialog.findChildren<QSpinBox *>()[1];
    seconds->setValue(5);
    QVERIFY2(dialog.warning().contains(QStringLiteral("too short")), qPrintable(dialog.warning()));
    QVERIFY(dialog.canStart()); // It is measured all the same.
    QCOMPARE(dialog.wish().seconds.value_or(0), std::uint64_t{5});
    seconds->setValue(100'000);
    QVERIFY(dialog.warning().isEmpty());
}

void TestSweepPage::theDialogRefusesAFileThatExists()
{
    SampleSweep().write(pathOf("taken.jscope"));
    SweepDialog dialog(base(), [this](const QString &) { return pathOf("taken.jscope"); });
    dialog.show();
    QVERIFY(dialog.canStart());
    dialog.findChild<QLineEdit *>(QStringLiteral("sweepFile"))->setText(pathOf("taken.jscope"));
    QVERIFY(!dialog.canStart());
    QVERIFY2(dialog.warning().contains(QStringLiteral("exists already")), qPrintable(dialog.warning()));
    dialog.findChild<QLineEdit *>(QStringLiteral("sweepFile"))->setText(pathOf("missing/other.jscope"));
    QVERIFY(!dialog.canStart());
}

void TestSweepPage::unavailableChoicesCannotBeChecked()
{
    SweepDialog dialog(base(), {});
    for (const char *name : {"nvbuf", "gl-interop", "implicit"}) {
        const auto *box = dialog.findChild<QCheckBox *>(QString::fromLatin1(name));
        QVERIFY2(!box->isEnabled() && !box->isChecked(), name);
        QVERIFY2(!box->toolTip().isEmpty(), name);
    }
    QVERIFY(dialog.findChild<QCheckBox *>(QStringLiteral("none"))->isEnabled()); // Unsafe, but possible.
}

JETSCOPE_TEST(TestSweepPage)
#include "tst_sweeppage.moc"
