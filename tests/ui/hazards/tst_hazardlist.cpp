// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"
#include "tests/support/testprogram.h"
#include "ui/hazards/hazarddetails.h"
#include "ui/hazards/hazardlist.h"
#include "ui/hazards/hazardpicture.h"
#include "ui/hazards/hazardtree.h"
#include "ui/hazards/rulesdialog.h"
#include "ui/hazards/scenelist.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <ctime>

using namespace jetscope;

namespace {

PipelineNotice violation(std::uint32_t frame, const std::string &text, const std::string &rule = "C1")
{
    PipelineNotice notice;
    notice.kind = PipelineNotice::Kind::Violation;
    notice.frame = frame;
    notice.timeNs = frame * 1'000'000;
    notice.text = text;
    notice.rule = rule;
    notice.fix = "wait for a fence";
    if (const auto id = ruleNamed(rule))
        notice.level = ruleOf(*id).level;
    return notice;
}

PipelineNotice conflict(std::uint32_t frame)
{
    PipelineNotice notice = violation(frame, "GL commands read memory that kernels may still write");
    notice.memory = "image shared with GL, 640x360";
    notice.first = HazardAccess{"kernels", "CUDA stream 1", Access::Write, frame, 0};
    notice.second = HazardAccess{"GL commands", "GL queue", Access::Read, frame, 0};
    return notice;
}

} // namespace

class TestHazardList : public QObject {
    Q_OBJECT
private slots:
    void init();
    void theLineSaysWhatWasChecked();
    void theRulesAreListedWithTheReasons();
    void rowsAreGroupedByLevel();
    void theSameHazardIsOneRow();
    void aRowUnfolds();
    void thePictureHasALanePerQueue();
    void capturesSayWhatTheyKnow();
    void unknownRulesHaveTheirGroup();
    void textsAreHarmless();
    void manyHazardsStayBounded();
    void tenTimesTheRowsTakeLessThan40Times();
    void textsFitAnyWidth();
    void remediesAreLegal();
    void theFixIsAButton();
    void rowsLeadToTheirFrame();
    void exportsHaveAllRows();
    void mistakesAreOffered();

private:
    void add(const PipelineNotice &notice) { m_list->add(notice, m_numbers); }
    /// 10,000 hazards with so many different texts.
    void addMany(std::uint32_t texts)
    {
        for (std::uint32_t i = 0; i < 10'000; ++i)
            add(violation(i, "text " + std::to_string(i % texts)));
    }
    HazardTree &tree() { return *m_list->tree(); }
    QTreeWidgetItem *row(int group, int index) { return tree().topLevelItem(group)->child(index); }
    QStringList details()
    {
        QStringList texts;
        for (const QLabel *label : tree().findChild<HazardDetails *>()->findChildren<QLabel *>())
            texts << label->text();
        return texts;
    }

    FrameNumbers m_numbers;
    std::unique_ptr<HazardList> m_list;
};

void TestHazardList::init()
{
    m_numbers = {};
    m_list = std::make_unique<HazardList>();
    m_list->resize(700, 400);
    m_list->show();
    QVERIFY(QTest::qWaitForWindowActive(m_list.get()));
}

void TestHazardList::theLineSaysWhatWasChecked()
{
    auto *line = m_list->findChild<CoverageLine *>();
    auto *empty = m_list->findChild<QLabel *>(QStringLiteral("noHazard"));
    QCOMPARE(line->text(), QStringLiteral("No pipeline has run yet, so no rule was checked."));
    CheckedRun run{CheckedRun::Origin::Pipeline, orinFacts(), 12'000, 0};
    m_list->setChecked(run);
    const CoverageCounts counts = coverageOf(orinFacts());
    QCOMPARE(line->text(),
             QStringLiteral("%1 rules checked over %L2 frames on software iGPU (orin rules); "
                            "%3 cannot be checked on this device")
                 .arg(counts.checked)
                 .arg(12'000)
                 .arg(counts.cannotCheck));
    QVERIFY(empty->isVisible());
    QCOMPARE(empty->text(), QStringLiteral("No hazard found."));
    run.framesElsewhere = 300;
    m_list->setChecked(run);
    QVERIFY(line->text().endsWith(QStringLiteral("300 frames before that ran on another device")));
    add(conflict(3));
    QVERIFY(!empty->isVisible());
    QVERIFY(line->isVisible());
    m_list->clear();
    QVERIFY(empty->isVisible() && !tree().isVisible());
}

void TestHazardList::theRulesAreListedWithTheReasons()
{
    RulesDialog known(orinFacts());
    for (const Rule &rule : rules()) {
        QVERIFY2(known.text().contains(QString::fromUtf8(rule.title.data(), qsizetype(rule.title.size()))),
                 rule.name.data());
        const RuleCoverage coverage = rule.coverage(orinFacts());
        QVERIFY2(known.text().contains(QString::fromUtf8(coverage.why.data(), qsizetype(coverage.why.size()))),
                 rule.name.data());
    }
    QVERIFY(RulesDialog(std::nullopt).text().contains(QStringLiteral("not known")));
    // By keyboard.
    auto *button = m_list->findChild<QPushButton *>(QStringLiteral("rules"));
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    auto *dialog = m_list->window()->findChild<RulesDialog *>();
    QVERIFY(dialog);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
}

void TestHazardList::rowsAreGroupedByLevel()
{
    QSignalSpy changed(m_list.get(), &HazardList::rowsChanged);
    add(violation(1, "a copy of pageable memory", "A17"));
    QCOMPARE(m_list->hazards().broken(), 0);
    add(violation(2, "an attachment", "A7"));
    add(violation(3, "no fence", "C1"));
    add(violation(4, "no order", "O1"));
    QCOMPARE(changed.count(), 4);
    QCOMPARE(m_list->hazards().broken(), 3);
    QCOMPARE(tree().topLevelItemCount(), 3);
    QCOMPARE(tree().topLevelItem(0)->text(0),
             QStringLiteral("Errors (2): documented to fail or to give wrong pictures"));
    QVERIFY(tree().topLevelItem(1)->text(0).startsWith(QStringLiteral("Luck (1): works on some devices")));
    QCOMPARE(tree().topLevelItem(2)->text(0), QStringLiteral("Costs (1): legal but slow"));
    QCOMPARE(row(0, 0)->text(HazardTree::RuleName), QStringLiteral("C1"));
    QCOMPARE(row(0, 1)->text(HazardTree::RuleName), QStringLiteral("O1"));
}

void TestHazardList::theSameHazardIsOneRow()
{
    m_numbers.add({0, 100});
    add(conflict(3));
    add(conflict(8));
    add(conflict(2)); // Reported late.
    QCOMPARE(m_list->rows(), 1);
    QCOMPARE(row(0, 0)->text(HazardTree::Count), QStringLiteral("3"));
    QCOMPARE(row(0, 0)->text(HazardTree::FirstFrame), QStringLiteral("102"));
    QCOMPARE(row(0, 0)->text(HazardTree::LastFrame), QStringLiteral("108"));
    QCOMPARE(m_list->hazards().all()[0].first->frame, std::optional<quint64>(102));
    PipelineNotice elsewhere = conflict(4);
    elsewhere.memory = "image shared with GL, 1280x720";
    add(elsewhere);
    add(violation(4, "GL commands read memory that kernels may still write", "O1"));
    QCOMPARE(m_list->rows(), 3);
}

void TestHazardList::aRowUnfolds()
{
    add(conflict(3));
    QVERIFY(row(0, 0)->isExpanded()); // The first one.
    const Rule &rule = ruleOf(RuleId::C1);
    QVERIFY(details().contains(QString::fromUtf8(rule.sentence.data(), qsizetype(rule.sentence.size()))));
    QVERIFY(details().contains(QStringLiteral("image shared with GL, 640x360")));
    QVERIFY(details().contains(QStringLiteral("Wait for a fence.")));
    QVERIFY(details().contains(QString::fromUtf8(rule.source.data(), qsizetype(rule.source.size()))));
    add(violation(5, "another", "O1"));
    QVERIFY(!row(0, 1)->isExpanded());
    tree().setCurrentItem(row(0, 1));
    QTest::keyClick(&tree(), Qt::Key_Right);
    QVERIFY(row(0, 1)->isExpanded());
    QCOMPARE(tree().findChildren<HazardDetails *>().size(), 2);
}

void TestHazardList::thePictureHasALanePerQueue()
{
    add(conflict(3));
    auto *picture = tree().findChild<HazardPicture *>();
    QVERIFY(picture && picture->isVisible());
    QCOMPARE(picture->lanes(), 2);
    QVERIFY(picture->hasArrow());
    QCOMPARE(picture->accessibleDescription(),
             QStringLiteral("kernels on CUDA stream 1, a write, frame 3; then, without an order: GL commands on GL "
                            "queue, a read, frame 3"));
    QVERIFY(picture->size().width() >= picture->sizeHint().width());

    PipelineNotice detailed = conflict(4);
    detailed.memory = "managed memory, 64 bytes";
    detailed.second->what = "CPU access, byte 17, in jetscope+0x1234";
    detailed.second->queue = "the CPU stage thread";
    add(detailed);
    row(0, 1)->setExpanded(true);
    QStringList texts;
    for (const QLabel *label : tree().findChildren<QLabel *>())
        texts << label->text();
    QVERIFY(texts.contains(
        QStringLiteral("CPU access, byte 17, in jetscope+0x1234 on the CPU stage thread, a read, frame 4")));

    FoundHazard cost = m_list->hazards().all()[0];
    cost.group = HazardGroup::Costs;
    cost.first.reset();
    const HazardPicture one(cost);
    QCOMPARE(one.lanes(), 1);
    QVERIFY(!one.hasArrow());
}

void TestHazardList::capturesSayWhatTheyKnow()
{
    MarkList marks;
    marks.add({TraceMark::Kind::Hazard, 20, 7, "no fence", "c1", "wait"});
    marks.add({TraceMark::Kind::Hazard, 30, 9, "no fence", "c1", "wait"});
    marks.add({TraceMark::Kind::Switch, 40, 9, "sync: finish → event", {}, {}});
    m_list->setChecked({CheckedRun::Origin::File, {}, 0, 0});
    auto *empty = m_list->findChild<QLabel *>(QStringLiteral("noHazard"));
    QCOMPARE(empty->text(), QStringLiteral("The file contains no hazard."));
    m_list->addMarks(marks, m_numbers);
    QCOMPARE(m_list->rows(), 1);
    QCOMPARE(m_list->hazards().broken(), 1);
    QCOMPARE(row(0, 0)->text(HazardTree::Count), QStringLiteral("2"));
    QCOMPARE(row(0, 0)->text(HazardTree::FirstFrame), QStringLiteral("7"));
    QVERIFY(!tree().findChild<HazardPicture *>());
    QVERIFY(details().contains(QStringLiteral("The file does not contain them.")));
    QVERIFY(m_list->findChild<CoverageLine *>()->text().contains(QStringLiteral("not known")));
    QVERIFY(!m_list->report().rules);

    TraceMark complete{TraceMark::Kind::Hazard, 50, 11, "no order", "O1", "wait", "managed memory, 64 bytes"};
    complete.first = HazardAccess{"kernels", "CUDA stream 1", Access::Write, 11, 0};
    complete.second = HazardAccess{"copy", "CUDA stream 2", Access::Read, 11, 0};
    m_list->clear();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // The former details.
    marks = {};
    marks.add(complete);
    m_list->addMarks(marks, m_numbers);
    QVERIFY(tree().findChild<HazardPicture *>());
    QVERIFY(details().contains(QStringLiteral("managed memory, 64 bytes")));
}

void TestHazardList::unknownRulesHaveTheirGroup()
{
    MarkList marks;
    for (const char *rule : {"Z99", "", "<b>A1</b>", "H1"})
        marks.add({TraceMark::Kind::Hazard, 20, kNoFrame, "what happened", rule, {}});
    m_list->addMarks(marks, m_numbers);
    QCOMPARE(m_list->rows(), 4);
    QCOMPARE(m_list->hazards().countOf(HazardGroup::Unknown) + m_list->hazards().countOf(HazardGroup::Costs)
                 + m_list->hazards().broken(),
             4);
    QVERIFY(m_list->hazards().countOf(HazardGroup::Unknown) >= 3);
    QTreeWidgetItem *group = tree().topLevelItem(tree().topLevelItemCount() - 1);
    QVERIFY(group->text(0).startsWith(QStringLiteral("Level not known")));
    QCOMPARE(group->child(0)->text(HazardTree::FirstFrame), QStringLiteral("–"));
    group->child(0)->setExpanded(true);
    QVERIFY(details().contains(QStringLiteral("Not known to this version of Jetscope.")));
    QVERIFY(details().contains(QStringLiteral("Not known.")));
    QVERIFY(hazardReportText(m_list->report()).contains(QStringLiteral("Frames: not known")));
}

void TestHazardList::textsAreHarmless()
{
    const QStringList texts{QString(), QStringLiteral(": "), QStringLiteral("<b>bold</b>\n<img src='x'>"),
                            QStringLiteral("%1 %2"), QString(100'000, u'x')};
    for (const QString &text : texts) {
        PipelineNotice notice = conflict(1);
        notice.text = text.toStdString();
        notice.memory = notice.text;
        notice.fix = notice.text;
        notice.rule = notice.text;
        notice.first->queue = notice.text;
        notice.second->what = notice.text;
        add(notice);
    }
    QCOMPARE(m_list->rows(), 5);
    tree().expandAll();
    QCOMPARE(row(0, 2)->text(0), QStringLiteral("<b>bold</b> <img src='x'>"));
    QVERIFY(row(0, 2)->toolTip(0).isEmpty()); // A tooltip would interpret the markup.
    QVERIFY(row(0, 4)->text(0).size() <= 1000);
    for (const QLabel *label : tree().findChildren<QLabel *>())
        QVERIFY(label->textFormat() == Qt::PlainText || label->property("muted").toBool());
    const QString report = hazardReportText(m_list->report());
    QVERIFY(report.contains(QStringLiteral("<b>bold</b> <img src='x'>")));
    QVERIFY(report.contains(QStringLiteral("%1 %2")));
    QVERIFY(!tree().grab().isNull());
}

void TestHazardList::manyHazardsStayBounded()
{
    addMany(2'000);
    QApplication::processEvents();
    QCOMPARE(m_list->rows(), 200);
    QCOMPARE(m_list->hazards().leftOut(), 9'000u);
    QCOMPARE(row(0, 0)->text(HazardTree::Count), QStringLiteral("5"));
    auto *leftOut = m_list->findChild<QLabel *>(QStringLiteral("leftOut"));
    QVERIFY(leftOut->isVisible());
    QVERIFY(leftOut->text().contains(QStringLiteral("%L1").arg(9'000)));
    QCOMPARE(tree().findChildren<HazardDetails *>().size(), 1); // Only of the unfolded row.
    const QSignalSpy inserted(tree().model(), &QAbstractItemModel::rowsInserted);
    const QSignalSpy changed(tree().model(), &QAbstractItemModel::dataChanged);
    QVERIFY(inserted.isValid() && changed.isValid());
    add(violation(10'000, "one more text"));
    QCOMPARE(m_list->hazards().leftOut(), 9'001u);
    QCOMPARE(inserted.size() + changed.size(), 0); // What is only counted costs the tree nothing.
}

void TestHazardList::tenTimesTheRowsTakeLessThan40Times()
{
    // The CPU's time, which other programs do not change.
    const auto costOf = [this](std::uint32_t texts) {
        const std::clock_t begin = std::clock();
        addMany(texts);
        QApplication::processEvents();
        return static_cast<double>(std::clock() - begin);
    };
    const double few = costOf(20);
    init();
    const double many = costOf(2'000); // Of which 200 have a row.
    QVERIFY2(many < 40 * few, qPrintable(QStringLiteral("%1 times as long").arg(many / few)));
}

/// Labels get the height that their wrapped text needs, in every width and font.
void TestHazardList::textsFitAnyWidth()
{
    add(conflict(3));
    for (const int pixels : {12, 20}) {
        QFont font = m_list->font();
        font.setPixelSize(pixels);
        m_list->setFont(font);
        for (const int width : {420, 660, 1200}) {
            m_list->resize(width, 300);
            QApplication::processEvents();
            const auto *details = tree().findChild<HazardDetails *>();
            for (const QLabel *label : details->findChildren<QLabel *>()) {
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
                const QRect place(label->mapTo(details, QPoint()), label->size());
                QVERIFY2(details->rect().contains(place), qPrintable(label->text()));
            }
            QVERIFY(details->width() <= tree().viewport()->width());
            const int needed = tree()
                                   .fontMetrics()
                                   .boundingRect(QRect(0, 0, tree().columnWidth(HazardTree::What) - 64, 1000),
                                                 Qt::TextWordWrap, row(0, 0)->text(0))
                                   .height();
            QVERIFY(tree().visualItemRect(row(0, 0)).height() >= needed);
        }
    }
}

void TestHazardList::remediesAreLegal()
{
    const DeviceFacts facts = orinFacts();
    PipelineConfig config;
    for (const Rule &rule : rules())
        QVERIFY2(!remedyFor(rule.id, config, facts), rule.name.data()); // The default causes none.
    config.sync = SyncMode::None;
    for (const RuleId id : {RuleId::O1, RuleId::C1, RuleId::B5, RuleId::C6, RuleId::A11}) {
        const auto remedy = remedyFor(id, config, facts);
        QVERIFY(remedy && availability(remedy->config, facts).legal());
        QCOMPARE(remedy->label, QStringLiteral("Use \"EGLSync\""));
    }
    DeviceFacts without = facts;
    without.eglSync = Capability::no("none");
    QCOMPARE(remedyFor(RuleId::C1, config, without)->config.sync, SyncMode::Event);

    config = {};
    config.memory = MemoryKind::Unified;
    config.cpuStage = CpuStagePlacement::SameInput;
    const auto attached = remedyFor(RuleId::A2, config, facts);
    QVERIFY(attached && availability(attached->config, facts).legal());
    QCOMPARE(attached->config.memory, MemoryKind::UnifiedAttach);
    QCOMPARE(attached->config.cpuStage, CpuStagePlacement::SameInput);
    config.memory = MemoryKind::Pageable;
    QCOMPARE(remedyFor(RuleId::A17, config, facts)->config.memory, MemoryKind::Pinned);
    QVERIFY(!remedyFor(RuleId::A18, config, facts));
}

void TestHazardList::theFixIsAButton()
{
    add(conflict(3));
    auto *button = tree().findChild<QPushButton *>(QStringLiteral("applyFix"));
    QVERIFY(!button->isVisible()); // No pipeline.
    PipelineConfig config;
    config.sync = SyncMode::None;
    config.framesInFlight = 3;
    tree().setChoices(config, orinFacts());
    QVERIFY(button->isVisible());
    QCOMPARE(button->text(), QStringLiteral("Use \"EGLSync\""));
    std::optional<PipelineConfig> wanted;
    connect(&tree(), &HazardTree::remedyWanted, this, [&](const PipelineConfig &fixed) { wanted = fixed; });
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    config.sync = SyncMode::EglSync;
    QVERIFY(wanted && *wanted == config);
    tree().setChoices(config, orinFacts());
    QVERIFY(!button->isVisible());
}

void TestHazardList::rowsLeadToTheirFrame()
{
    add(conflict(3));
    QSignalSpy chosen(&tree(), &HazardTree::chosen);
    QSignalSpy opened(&tree(), &HazardTree::opened);
    const QPoint at = tree().visualItemRect(row(0, 0)).center();
    QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(opened.count(), 0);
    tree().setFocus();
    QTest::keyClick(&tree(), Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QTest::mouseDClick(tree().viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(opened.count(), 2);
    QVERIFY(row(0, 0)->isExpanded()); // A double click does not fold the row.
    tree().findChild<QPushButton *>(QStringLiteral("showFrame"))->click();
    QCOMPARE(opened.count(), 3);
    tree().setCurrentItem(tree().topLevelItem(0));
    QTest::keyClick(&tree(), Qt::Key_Return);
    QCOMPARE(opened.count(), 3);
}

void TestHazardList::exportsHaveAllRows()
{
    add(conflict(3));
    add(violation(4, "a copy of pageable memory", "A17"));
    m_list->setChecked({CheckedRun::Origin::Pipeline, orinFacts(), 10, 0});
    tree().setFocus();
    QTest::keyClick(&tree(), Qt::Key_C, Qt::ControlModifier);
    const QString text = QGuiApplication::clipboard()->text();
    for (const char *part :
         {"rules checked over 10 frames", "Errors: documented", "C1  GL commands read memory",
          "First access: kernels on CUDA stream 1, a write, frame 3", "Second access: GL commands on GL queue, a read",
          "Memory: image shared with GL, 640x360", "Fix: wait for a fence", "Costs: legal but slow"})
        QVERIFY2(text.contains(QLatin1String(part)), part);

    const QJsonObject object = QJsonDocument::fromJson(hazardReportJson(m_list->report())).object();
    const QJsonArray rows = object[QStringLiteral("hazards")].toArray();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0][QStringLiteral("rule")].toString(), QStringLiteral("C1"));
    QCOMPARE(rows[0][QStringLiteral("level")].toString(), QStringLiteral("error"));
    QCOMPARE(rows[0][QStringLiteral("a")].toString(), QStringLiteral("kernels on CUDA stream 1, a write, frame 3"));
    QVERIFY(rows[1][QStringLiteral("a")].isNull());
    QCOMPARE(object[QStringLiteral("hazard_rules")][QStringLiteral("checked")].toInt(),
             coverageOf(orinFacts()).checked);
}

void TestHazardList::mistakesAreOffered()
{
    QSignalSpy wanted(m_list.get(), &HazardList::scenesWanted);
    QSignalSpy stop(m_list.get(), &HazardList::sceneStopWanted);
    auto *button = m_list->findChild<QPushButton *>(QStringLiteral("scenes"));
    button->click();
    m_list->setSceneRuns(true);
    button->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(stop.count(), 1);

    DeviceFacts facts = orinFacts();
    facts.eglSync = Capability::no("no EGL_NV_cuda_event");
    SceneList list(SceneChoices{{}, facts});
    QSignalSpy chosen(&list, &SceneList::chosen);
    auto *late = list.findChild<QPushButton *>(QStringLiteral("late-sync"));
    QVERIFY(!late->isEnabled());
    QVERIFY(late->accessibleDescription().contains(QStringLiteral("Not available")));
    list.findChild<QPushButton *>(QStringLiteral("no-sync"))->click();
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("no-sync"));
}

JETSCOPE_TEST(TestHazardList)
#include "tst_hazardlist.moc"
