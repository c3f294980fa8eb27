// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// No text is cut in a window of any size, with the usual and with a large font: it has the room that it needs, or it is
// elided with the whole in its tooltip.
#include "tests/support/samplefiles.h"
#include "tests/support/testprogram.h"
#include "ui/board/boardview.h"
#include "ui/selection/tracepanel.h"
#include "ui/session/traceselection.h"
#include "ui/style/elidingbutton.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QScrollBar>
#include <QStyleOption>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>
#include <QTreeView>

using namespace jetscope;

namespace {

constexpr int kCardMargin = 10; ///< Left of the name on a button that has labels, too.
constexpr int kCellMargin = 3;  ///< Of the style, beside the text.

QString plain(const QString &text)
{
    if (!Qt::mightBeRichText(text))
        return text;
    QTextDocument document;
    document.setHtml(text);
    return document.toPlainText();
}

/// Whether a tooltip has all words of a text.
bool tells(const QString &toolTip, const QString &text)
{
    const auto simple = [](const QString &words) { return plain(words).remove(u'&').remove(u':').simplified(); };
    return simple(toolTip).contains(simple(text));
}

class CutTexts {
public:
    explicit CutTexts(const QWidget &window)
    {
        for (QWidget *widget : window.findChildren<QWidget *>())
            if (widget->isVisible() && !widget->size().isEmpty())
                look(*widget);
    }
    const QStringList &faults() const { return m_faults; }

private:
    void add(const QWidget &widget, const QString &text, const QString &fault)
    {
        m_faults += QStringLiteral("%1 \"%2\" in %3: \"%4\" %5")
                        .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(),
                             QLatin1String(widget.parentWidget()->metaObject()->className()), text.left(60), fault);
    }
    void need(const QWidget &widget, const QString &text, int wanted, int has, const QString &toolTip = {})
    {
        if (wanted > has && !text.isEmpty() && !(!toolTip.isEmpty() && tells(toolTip, text)))
            add(widget, text, QStringLiteral("needs %1 and has %2").arg(wanted).arg(has));
    }

    void look(QWidget &widget)
    {
        if (const auto *label = qobject_cast<QLabel *>(&widget))
            lookAtLabel(*label);
        else if (const auto *tabs = qobject_cast<QTabBar *>(&widget))
            lookAtTabs(*tabs);
        else if (const auto *titles = qobject_cast<QHeaderView *>(&widget))
            lookAtTitles(*titles);
        else if (const auto *box = qobject_cast<QComboBox *>(&widget))
            lookAtBox(*box);
        else if (const auto *view = qobject_cast<QAbstractItemView *>(&widget))
            lookAtCells(*view);
        else if (const auto *button = qobject_cast<QAbstractButton *>(&widget))
            lookAtButton(*button);
    }
    void lookAtLabel(const QLabel &label)
    {
        if (label.text().isEmpty())
            return;
        lookAtClipping(label, label.text());
        if (dynamic_cast<const ShortenedLabel *>(&label))
            return need(label, label.text(), label.fontMetrics().horizontalAdvance(label.text()),
                        label.contentsRect().width(), label.toolTip());
        if (label.wordWrap())
            return need(label, label.text(), label.heightForWidth(label.width()), label.height());
        need(label, label.text(), label.sizeHint().width(), label.width());
        need(label, label.text(), label.minimumSizeHint().height(), label.height());
    }
    void lookAtButton(const QAbstractButton &button)
    {
        const auto *tool = qobject_cast<const QToolButton *>(&button);
        if (button.text().isEmpty() || (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly))
            return;
        lookAtClipping(button, button.text());
        const bool elides = qobject_cast<const ElidingButton *>(&button);
        const int wanted = elides ? tool->QToolButton::sizeHint().width() : button.sizeHint().width();
        need(button, button.text(), wanted, button.width(), elides ? button.toolTip() : QString());
        for (const QLabel *label : button.findChildren<QLabel *>(Qt::FindDirectChildrenOnly))
            if (label->isVisible())
                need(button, button.text(), kCardMargin + button.fontMetrics().horizontalAdvance(button.text()),
                     label->x());
    }
    void lookAtTabs(const QTabBar &tabs)
    {
        for (int i = 0; i < tabs.count(); ++i) {
            const QRect place = tabs.tabRect(i);
            if (!tabs.isTabVisible(i))
                continue;
            need(tabs, tabs.tabText(i), tabs.fontMetrics().horizontalAdvance(tabs.tabText(i)) + 8, place.width(),
                 tabs.tabToolTip(i));
            if (!tabs.usesScrollButtons() && !tabs.rect().contains(place))
                add(tabs, tabs.tabText(i), QStringLiteral("is outside of its bar"));
        }
    }
    void lookAtTitles(const QHeaderView &titles)
    {
        const auto *view = qobject_cast<const QAbstractItemView *>(titles.parentWidget());
        for (int i = 0; view && view->model() && i < titles.count(); ++i) {
            const QString text = titles.model()->headerData(i, titles.orientation()).toString();
            if (titles.isSectionHidden(i) || text.isEmpty() || titles.orientation() == Qt::Vertical)
                continue;
            need(titles, text, titles.fontMetrics().horizontalAdvance(text) + 4, titles.sectionSize(i),
                 titles.model()->headerData(i, titles.orientation(), Qt::ToolTipRole).toString());
        }
    }
    void lookAtBox(const QComboBox &box)
    {
        QStyleOptionComboBox option;
        option.initFrom(&box);
        option.editable = box.isEditable();
        const QRect room =
            box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
        lookAtClipping(box, box.currentText());
        need(box, box.currentText(), box.fontMetrics().horizontalAdvance(box.currentText()), room.width(),
             box.toolTip());
    }
    void lookAtCells(const QAbstractItemView &view)
    {
        if (view.model())
            lookAtRows(view, view.rootIndex());
    }
    void lookAtRows(const QAbstractItemView &view, const QModelIndex &parent)
    {
        const auto *tree = qobject_cast<const QTreeView *>(&view);
        const QRect room = view.viewport()->rect();
        for (int row = 0; row < view.model()->rowCount(parent); ++row) {
            const QModelIndex first = view.model()->index(row, 0, parent);
            for (int column = 0; column < view.model()->columnCount(parent); ++column) {
                const QModelIndex index = first.siblingAtColumn(column);
                const QRect place = view.visualRect(index);
                const QString text = index.data().toString();
                if (text.isEmpty() || view.indexWidget(index) || !place.intersects(room))
                    continue;
                const QString toolTip = index.data(Qt::ToolTipRole).toString();
                const QSize wanted = view.sizeHintForIndex(index);
                need(view, text, wanted.width(), place.width(), toolTip);
                if (view.horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff)
                    need(view, text, place.right() - kCellMargin, room.right(), toolTip);
            }
            if (tree && tree->isExpanded(first))
                lookAtRows(view, first);
        }
    }
    /// By the widgets around it; what can be scrolled to is not cut.
    void lookAtClipping(const QWidget &widget, const QString &text)
    {
        QRect place = widget.rect();
        const QWidget *inner = &widget;
        bool across = true;
        bool down = true;
        for (const QWidget *outer = widget.parentWidget(); outer && !inner->isWindow(); outer = outer->parentWidget()) {
            place.moveTo(inner->mapToParent(place.topLeft()));
            inner = outer;
            const auto *area = qobject_cast<const QAbstractScrollArea *>(outer->parentWidget());
            if (area && area->viewport() == outer) {
                across = across && area->horizontalScrollBar()->maximum() == 0;
                down = down && area->verticalScrollBar()->maximum() == 0;
            }
            const bool cutAcross = across && (place.left() < 0 || place.right() > outer->rect().right());
            const bool cutDown = down && (place.top() < 0 || place.bottom() > outer->rect().bottom());
            if (!cutAcross && !cutDown)
                continue;
            return add(widget, text,
                       QStringLiteral("is cut by %1 \"%2\"")
                           .arg(QLatin1String(outer->metaObject()->className()), outer->objectName()));
        }
    }

    QStringList m_faults;
};

} // namespace

class TestCutTexts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase() { QApplication::setFont(m_font); }
    void cleanup() { m_fake.reset(); }
    void cutTextsAreFound();
    void inLive_data() { sizes(); }
    void inLive();
    void inATraceWithFrames_data() { sizes(); }
    void inATraceWithFrames() { inATrace(QStringLiteral("frames.jscope"), true); }
    void inATraceWithoutFrames_data() { sizes(); }
    void inATraceWithoutFrames() { inATrace(QStringLiteral("profile.json"), false); }
    void inTheBoard_data() { sizes(); }
    void inTheBoard();

private:
    MainWindow &window() { return m_fake->window(); }
    static void sizes();
    void start();
    void inATrace(const QString &file, bool hasFrames);
    void lookAt(const QString &where);
    void lookAtPanels(const QString &where);
    void verdict()
    {
        m_faults.removeDuplicates();
        QVERIFY2(m_faults.isEmpty(), qPrintable(m_faults.join(u'\n')));
    }

    QFont m_font;
    QTemporaryDir m_folder;
    QStringList m_faults;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestCutTexts::initTestCase()
{
    m_font = QApplication::font();
    applyTheme(*qApp, darkTheme());
    QVERIFY(writeCapture(m_folder.filePath(QStringLiteral("frames.jscope")), 60));
    QVERIFY(writeChromeTrace(m_folder.filePath(QStringLiteral("profile.json"))));
    QVERIFY(writeBoardLog(m_folder.filePath(QStringLiteral("board.log"))));
}

void TestCutTexts::sizes()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("percent"); // Of the font.
    QTest::newRow("1024x600") << QSize(1024, 600) << 100;
    QTest::newRow("1366x768") << QSize(1366, 768) << 100;
    QTest::newRow("1600x1000") << QSize(1600, 1000) << 100;
    QTest::newRow("1920x1200 at scale 2") << QSize(960, 600) << 100;
    QTest::newRow("1024x600 with a large font") << QSize(1024, 600) << 150;
    QTest::newRow("1366x768 with a large font") << QSize(1366, 768) << 150;
    QTest::newRow("1600x1000 with a large font") << QSize(1600, 1000) << 150;
}

void TestCutTexts::start()
{
    QFETCH(QSize, size);
    QFETCH(int, percent);
    QFont font = windowFont();
    font.setPixelSize(font.pixelSize() * percent / 100);
    QApplication::setFont(font);
    m_faults.clear();
    m_fake = std::make_unique<FakeWindow>();
    window().allowMotion(false);
    window().show();
    window().resize(size);
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
}

/// In the window as it is, once layouts have settled; it may not have grown for it.
void TestCutTexts::lookAt(const QString &where)
{
    QFETCH(QSize, size);
    for (int i = 0; i < 4; ++i)
        QApplication::processEvents();
    const QSize least = window().minimumSizeHint();
    if (window().size() != size || least.boundedTo(size) != least)
        m_faults += QStringLiteral("%1: the window is %2x%3 and needs %4x%5")
                        .arg(where)
                        .arg(window().width())
                        .arg(window().height())
                        .arg(least.width())
                        .arg(least.height());
    const CutTexts found(window());
    for (const QString &fault : found.faults())
        m_faults += where + QStringLiteral(": ") + fault;
}

void TestCutTexts::lookAtPanels(const QString &where)
{
    TracePanel *panel = window().tracePanels().panel();
    for (const auto &[tab, name] : {std::pair(TracePanel::Where, "Where"), std::pair(TracePanel::Top, "Top"),
                                    std::pair(TracePanel::Flame, "Flame"), std::pair(TracePanel::Details, "Details")}) {
        if (tab == TracePanel::Details && window().tracePanels().selection().isEmpty())
            continue;
        panel->setTab(tab);
        QTRY_VERIFY2(!panel->isVisible() || panel->isDone(), name);
        lookAt(where + QLatin1Char(' ') + QLatin1String(name));
    }
}

/// Or else the others could not fail.
void TestCutTexts::cutTextsAreFound()
{
    QWidget parent;
    auto *label = new QLabel(QStringLiteral("a text that has no room"), &parent);
    label->resize(20, 40);
    auto *button = new QToolButton(&parent);
    button->setText(QStringLiteral("a button that has no room"));
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setGeometry(0, 50, 20, 40);
    auto *elided = new ShortenedLabel(QStringLiteral("a text that is elided"), &parent);
    elided->setGeometry(0, 100, 40, 30);
    auto *outside = new QLabel(QStringLiteral("a text that is outside"), &parent);
    outside->setGeometry(180, 150, 300, 40);
    auto *card = new QPushButton(QStringLiteral("a name that is covered"), &parent);
    card->setGeometry(0, 190, 400, 30);
    auto *badge = new QLabel(QStringLiteral("badge"), card);
    badge->move(40, 0);
    parent.resize(400, 220);
    parent.show();
    QCOMPARE(CutTexts(parent).faults().size(), qsizetype(5));
    elided->setToolTip(elided->text());
    badge->move(300, 0);
    QCOMPARE(CutTexts(parent).faults().size(), qsizetype(3));
    label->resize(label->sizeHint());
    button->resize(button->sizeHint());
    outside->move(0, 150);
    parent.resize(600, 300);
    QCOMPARE(CutTexts(parent).faults(), QStringList());
}

void TestCutTexts::inLive()
{
    start();
    lookAt(QStringLiteral("nothing open"));
    QVERIFY(m_fake->open());
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    for (int tab = 0; tab < window().tabs()->count(); ++tab) {
        window().tabs()->setCurrentIndex(tab);
        lookAt(window().tabs()->tabText(tab));
    }
    window().tabs()->setCurrentWidget(window().timeline());
    QTest::keyClick(window().timeline(), Qt::Key_BracketRight);
    lookAtPanels(QStringLiteral("a frame"));
    verdict();
}

void TestCutTexts::inATrace(const QString &file, bool hasFrames)
{
    start();
    window().showSpace(MainWindow::Space::Trace);
    lookAt(QStringLiteral("no trace"));
    m_fake->chosenPath = m_folder.filePath(file);
    window().actions().open->trigger();
    QTRY_COMPARE(window().session().phase(), Session::Phase::File);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    m_fake->poll();
    QCOMPARE(!window().session().trace().frames().empty(), hasFrames);
    for (int tab = 0; tab < window().tabs()->count(); ++tab) {
        if (!window().tabs()->isTabVisible(tab))
            continue;
        window().tabs()->setCurrentIndex(tab);
        lookAt(window().tabs()->tabText(tab));
    }
    window().tabs()->setCurrentWidget(window().timeline());
    lookAtPanels(QStringLiteral("all"));
    QTest::keyClick(window().timeline(), Qt::Key_Right);
    QVERIFY(window().tracePanels().selection().span());
    lookAtPanels(QStringLiteral("a span"));
    if (hasFrames) {
        window().tracePanels().selection().selectFrame(7);
        lookAtPanels(QStringLiteral("a frame"));
    }
    verdict();
}

void TestCutTexts::inTheBoard()
{
    start();
    window().showSpace(MainWindow::Space::Board);
    lookAt(QStringLiteral("no board"));
    m_fake->chosenPath = m_folder.filePath(QStringLiteral("board.log"));
    window().actions().open->trigger();
    QTRY_COMPARE(window().board()->source(), BoardView::Source::Log);
    QTRY_VERIFY(window().board()->hasFigures());
    for (int tab = 0; tab < window().board()->tabs()->count(); ++tab) {
        if (!window().board()->tabs()->isTabVisible(tab))
            continue;
        window().board()->tabs()->setCurrentIndex(tab);
        lookAt(window().board()->tabs()->tabText(tab));
    }
    verdict();
}

JETSCOPE_TEST(TestCutTexts)
#include "tst_cuttexts.moc"
