// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "tests/support/fakewindow.h"
#include "tests/support/quietprogress.h"
#include "tests/support/testprogram.h"
#include "tests/support/teststep.h"
#include "ui/selection/notespage.h"
#include "ui/session/notelist.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/notefield.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFileInfo>
#include <QLineEdit>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace jetscope;
using namespace jetscope::test;

/// Bookmarks and notes in the window.
class TestNotes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void cleanup() { m_fake.reset(); }
    void aKeyMakesANoteOnWhatIsSelected();
    void escapeMakesNone();
    void withoutASelectionItIsATime();
    void notesAreSeenOnTheTimeline();
    void theListShowsEditsAndDeletes();
    void keysGoFromNoteToNote();
    void changesAreUndone();
    void aCaptureKeepsThem();
    void aRecordingGetsThem();
    void anotherTraceHasThemBesideIt();
    void damagedNotesAreSaid();

private:
    MainWindow &window() { return m_fake->window(); }
    NoteList &notes() { return window().tracePanels().notes(); }
    TraceSelection &selection() { return window().tracePanels().selection(); }
    const Trace &trace() { return window().session().trace(); }
    QString path(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&window(), key, modifiers); }
    void write(const char *text);
    void open(const QString &path);
    void select(std::uint64_t frame)
    {
        const FrameFigures figures = trace().frames().at(frame);
        selection().selectRange({figures.startNs, figures.startNs + figures.periodNs()});
    }
    std::vector<TraceNote> notesIn(const QString &path)
    {
        QuietProgress quiet;
        const Result<OpenedTrace> opened = openTrace(path.toStdString(), quiet);
        return opened.ok() ? opened.value().trace.notes() : std::vector<TraceNote>();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestNotes::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
    scriptFrames(m_fake->pipeline(), 0, 30);
    m_fake->poll();
}

/// Ctrl+N, a text, Enter.
void TestNotes::write(const char *text)
{
    key(Qt::Key_N, Qt::ControlModifier);
    auto *field = window().timeline()->findChild<NoteField *>();
    QVERIFY(field->isVisible());
    auto *line = field->findChild<QLineEdit *>();
    QTest::keyClicks(line, QLatin1String(text));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(!field->isVisible());
}

void TestNotes::open(const QString &path)
{
    window().trace().opener().open(path);
    QTRY_VERIFY2(window().session().phase() == Session::Phase::File, qPrintable(window().messages()->text()));
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
}

void TestNotes::aKeyMakesANoteOnWhatIsSelected()
{
    select(12);
    const Interval range = *selection().range();
    JETSCOPE_STEP(write("a long  one"));
    QCOMPARE(notes().all().size(), std::size_t(1));
    QVERIFY(notes().all()[0] == (TraceNote{range.startNs, range.endNs, "a long one"}));
    QVERIFY(window().timeline()->hasFocus());
    QVERIFY(!window().timeline()->isFollowing());
    const SpanTrack &track = trace().tracks().front();
    selection().clear();
    selection().selectSpan({0, {track.firstIndex(), track.at(track.firstIndex())}});
    JETSCOPE_STEP(write(""));
    QCOMPARE(notes().all().size(), std::size_t(2));
    QVERIFY(notes().all()[0]
            == (TraceNote{track.at(track.firstIndex()).startNs, track.at(track.firstIndex()).endNs(), ""}));
}

void TestNotes::escapeMakesNone()
{
    key(Qt::Key_N, Qt::ControlModifier);
    auto *field = window().timeline()->findChild<NoteField *>();
    auto *line = field->findChild<QLineEdit *>();
    QTest::keyClicks(line, QStringLiteral("bnl")); // Commands of the window, elsewhere.
    QCOMPARE(line->text(), QStringLiteral("bnl"));
    QTest::keyClick(line, Qt::Key_Escape);
    QVERIFY(!field->isVisible() && notes().all().empty());
    QVERIFY(window().timeline()->hasFocus());
}

void TestNotes::withoutASelectionItIsATime()
{
    key(Qt::Key_N, Qt::ControlModifier);
    const Interval window = this->window().timeline()->camera().window();
    auto *line = this->window().timeline()->findChild<NoteField *>()->findChild<QLineEdit *>();
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(notes().all().size(), std::size_t(1));
    QCOMPARE(notes().all()[0].startNs, notes().all()[0].endNs);
    QVERIFY(notes().all()[0].startNs >= window.startNs && notes().all()[0].startNs < window.endNs);
}

void TestNotes::notesAreSeenOnTheTimeline()
{
    TimelineView &view = *window().timeline();
    view.fitAll();
    const auto picture = [&view] { return view.viewport()->grab().toImage(); };
    const FrameFigures frame = trace().frames().at(15);
    const int left = view.layout().metrics.labelWidth + qRound(pixelAt(view.scale(), frame.startNs));
    const int y = view.layout().metrics.rulerHeight - 8;
    const QRgb before = picture().pixel(left + 1, y);
    notes().add({frame.startNs, frame.startNs + frame.periodNs()}, QStringLiteral("here"));
    QVERIFY(picture().pixel(left + 1, y) != before);
    QCOMPARE(QColor(picture().pixel(left + 1, y)), theme().accentText);
    notes().undo();
    QCOMPARE(picture().pixel(left + 1, y), before);
}

void TestNotes::theListShowsEditsAndDeletes()
{
    NotesPage *page = window().tracePanels().notesPage();
    QTreeWidget *list = page->list();
    window().tabs()->setCurrentWidget(page);
    QVERIFY(!list->isVisible()); // It says how to make one.
    select(20);
    const Interval later = *selection().range();
    notes().add(later, QStringLiteral("later"));
    select(3);
    notes().add(*selection().range(), QStringLiteral("earlier"));
    selection().clear();
    QVERIFY(list->isVisible());
    QCOMPARE(list->topLevelItemCount(), 2);
    QCOMPARE(list->topLevelItem(0)->text(2), QStringLiteral("earlier"));
    list->setCurrentItem(list->topLevelItem(1));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_F2);
    QTRY_VERIFY(list->findChild<QLineEdit *>());
    QTest::keyClicks(list->findChild<QLineEdit *>(), QStringLiteral("changed"));
    QTest::keyClick(list->findChild<QLineEdit *>(), Qt::Key_Return);
    QTRY_COMPARE(notes().all()[1].text, std::string("changed"));
    QTRY_COMPARE(list->topLevelItem(1)->text(2), QStringLiteral("changed"));
    list->setCurrentItem(list->topLevelItem(1));
    QTest::keyClick(list, Qt::Key_Return); // Goes there.
    QVERIFY(window().tabs()->currentWidget() == window().timeline());
    QVERIFY(selection().range() && selection().range()->startNs == later.startNs);
    window().tabs()->setCurrentWidget(page);
    list->setCurrentItem(list->topLevelItem(0));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(notes().all().size(), std::size_t(1));
    QCOMPARE(notes().all()[0].text, std::string("changed"));
}

void TestNotes::keysGoFromNoteToNote()
{
    key(Qt::Key_N);
    QVERIFY(window().messages()->text().contains(QStringLiteral("Ctrl+N")));
    for (const std::uint64_t frame : {5, 10, 25}) {
        const FrameFigures figures = trace().frames().at(frame);
        notes().add({figures.startNs, figures.startNs + figures.periodNs()}, {});
    }
    const auto at = [this] { return selection().range() ? selection().range()->startNs : 0; };
    const FrameFigures middle = trace().frames().at(7);
    window().timeline()->show(Interval{middle.startNs, middle.startNs + middle.periodNs()});
    key(Qt::Key_N);
    QCOMPARE(at(), trace().frames().at(10).startNs);
    key(Qt::Key_N);
    QCOMPARE(at(), trace().frames().at(25).startNs);
    const Interval shown = window().timeline()->camera().window();
    QVERIFY(shown.startNs <= at() && shown.endNs > at());
    key(Qt::Key_N);
    QCOMPARE(at(), trace().frames().at(25).startNs);
    QVERIFY(window().messages()->text().contains(QStringLiteral("no later")));
    key(Qt::Key_N, Qt::ShiftModifier);
    key(Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(at(), trace().frames().at(5).startNs);
}

/// Together with choices, the newest first.
void TestNotes::changesAreUndone()
{
    QVERIFY(!window().actions().undo->isEnabled());
    select(4);
    JETSCOPE_STEP(write("one"));
    QTest::mouseClick(window().findChild<QAbstractButton *>(QStringLiteral("finish")), Qt::LeftButton);
    m_fake->pipeline().accept();
    m_fake->poll();
    JETSCOPE_STEP(write("two"));
    QVERIFY(window().actions().undo->toolTip().contains(QStringLiteral("note")));
    const auto press = [this](Qt::KeyboardModifiers modifiers) {
        key(Qt::Key_Z, modifiers);
        m_fake->pipeline().accept();
        m_fake->poll();
    };
    press(Qt::ControlModifier);
    QCOMPARE(notes().all().size(), std::size_t(1));
    QVERIFY(window().session().wanted().sync == SyncMode::Finish);
    press(Qt::ControlModifier);
    QVERIFY(window().session().wanted().sync != SyncMode::Finish);
    QCOMPARE(notes().all().size(), std::size_t(1));
    press(Qt::ControlModifier);
    QVERIFY(notes().all().empty());
    QVERIFY(!window().actions().undo->isEnabled());
    press(Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(notes().all()[0].text, std::string("one"));
    press(Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(window().session().wanted().sync == SyncMode::Finish);
    press(Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(notes().all().size(), std::size_t(2));
    QVERIFY(!window().actions().redo->isEnabled());
}

void TestNotes::aCaptureKeepsThem()
{
    select(4);
    JETSCOPE_STEP(write("live"));
    m_fake->chosenPath = path("a.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Written to")));
    JETSCOPE_STEP(open(path("a.jscope")));
    QCOMPARE(notes().all().size(), std::size_t(1)); // Of the workspace that is shown now.
    select(9);
    JETSCOPE_STEP(write("read"));
    NotesPage *page = window().tracePanels().notesPage();
    QTRY_VERIFY(page->place().contains(path("a.jscope")));
    QCOMPARE(notesIn(path("a.jscope")).size(), std::size_t(2));
    notes().remove(0);
    QTRY_COMPARE(notesIn(path("a.jscope")).size(), std::size_t(1));
    JETSCOPE_STEP(open(path("a.jscope")));
    QTRY_COMPARE(notes().all().size(), std::size_t(1));
    QCOMPARE(notes().all()[0].text, std::string("read"));
}

void TestNotes::aRecordingGetsThem()
{
    m_fake->chosenPath = path("r.jscope");
    key(Qt::Key_R, Qt::ControlModifier);
    scriptFrames(m_fake->pipeline(), 30, 30);
    m_fake->poll();
    select(40);
    JETSCOPE_STEP(write("while it was recorded"));
    key(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Recorded to")));
    QTRY_COMPARE(notesIn(path("r.jscope")).size(), std::size_t(1));
}

void TestNotes::anotherTraceHasThemBesideIt()
{
    QFile file(path("other.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([{"ph":"X","ts":1,"dur":20,"name":"a"},{"ph":"X","ts":31,"dur":20,"name":"b"}])");
    file.close();
    JETSCOPE_STEP(open(path("other.json")));
    JETSCOPE_STEP(write("mine"));
    QTRY_VERIFY(window().messages()->text().contains(path("other.json.notes.json")));
    JETSCOPE_STEP(open(path("other.json")));
    QTRY_COMPARE(notes().all().size(), std::size_t(1));
    QCOMPARE(notes().all()[0].text, std::string("mine"));
}

void TestNotes::damagedNotesAreSaid()
{
    QFile file(path("other.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([{"ph":"X","ts":1,"dur":20,"name":"a"}])");
    file.close();
    QFile beside(path("other.json.notes.json"));
    QVERIFY(beside.open(QIODevice::WriteOnly));
    beside.write("{");
    beside.close();
    JETSCOPE_STEP(open(path("other.json")));
    QVERIFY(window().trace().opener().notes().join(u' ').contains(QStringLiteral("your notes were not read")));
    QVERIFY(notes().all().empty());
}

JETSCOPE_TEST(TestNotes)
#include "tst_notes.moc"
