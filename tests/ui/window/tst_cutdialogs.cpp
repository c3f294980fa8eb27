// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// No text is cut in a dialog, with the usual and with a large font, and each fits on a small screen. The dialogs are
// those that the entries of the menus open.
#include "tests/support/cuttexts.h"
#include "tests/support/samplefiles.h"
#include "tests/support/testprogram.h"
#include "ui/style/theme.h"

#include <QDialog>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

namespace {

constexpr QSize kSmallScreen(1024, 600);

} // namespace

class TestCutDialogs : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase() { QApplication::setFont(m_font); }
    void cleanup() { m_fake.reset(); }
    void ofAllEntries_data();
    void ofAllEntries();

private:
    MainWindow &window() { return m_fake->window(); }
    void openWindow();
    QList<QAction *> entries();
    void lookAt(QWidget &dialog, const QString &entry);

    QFont m_font;
    QTemporaryDir m_folder;
    QStringList m_faults;
    QStringList m_seen; ///< Classes of dialogs.
    std::unique_ptr<FakeWindow> m_fake;
};

void TestCutDialogs::initTestCase()
{
    m_font = QApplication::font();
    applyTheme(*qApp, darkTheme());
    QVERIFY(writeCapture(m_folder.filePath(QStringLiteral("frames.jscope")), 60));
}

void TestCutDialogs::ofAllEntries_data()
{
    QTest::addColumn<int>("percent"); // Of the font.
    QTest::addColumn<bool>("isFile");
    for (const int percent : {100, 150})
        for (const bool isFile : {false, true})
            QTest::addRow("%d %% of the font, %s", percent, isFile ? "a file" : "a pipeline") << percent << isFile;
}

void TestCutDialogs::openWindow()
{
    QFETCH(int, percent);
    QFETCH(bool, isFile);
    QFont font = windowFont();
    font.setPixelSize(font.pixelSize() * percent / 100);
    QApplication::setFont(font);
    m_fake = std::make_unique<FakeWindow>();
    window().allowMotion(false);
    window().show();
    window().resize(kSmallScreen);
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    if (!isFile) {
        QVERIFY(m_fake->open());
        scriptFrames(m_fake->pipeline(), 0, 60);
        m_fake->poll();
        return;
    }
    m_fake->chosenPath = m_folder.filePath(QStringLiteral("frames.jscope"));
    window().actions().open->trigger();
    QTRY_COMPARE(window().session().phase(), Session::Phase::File);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    m_fake->chosenPath.clear();
}

QList<QAction *> TestCutDialogs::entries()
{
    QList<QAction *> all;
    for (QMenu *menu : window().findChildren<QMenu *>())
        for (QAction *entry : menu->actions())
            if (entry->text().endsWith(u'…') && entry->isEnabled() && !entry->menu() && !all.contains(entry))
                all += entry;
    return all;
}

void TestCutDialogs::lookAt(QWidget &dialog, const QString &entry)
{
    const QString where = entry + QStringLiteral(" (") + QLatin1String(dialog.metaObject()->className()) + u')';
    const QSize least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize());
    if (least.boundedTo(kSmallScreen) != least)
        m_faults += QStringLiteral("%1 needs %2x%3").arg(where).arg(least.width()).arg(least.height());
    for (const QSize &size : {dialog.size(), least}) {
        dialog.resize(size);
        for (int i = 0; i < 4; ++i)
            QApplication::processEvents();
        for (const QString &fault : CutTexts(dialog).faults())
            m_faults += QStringLiteral("%1 at %2x%3: %4").arg(where).arg(size.width()).arg(size.height()).arg(fault);
    }
}

void TestCutDialogs::ofAllEntries()
{
    openWindow();
    m_faults.clear();
    m_seen.clear();
    for (QAction *entry : entries()) {
        const QString text = entry->text().remove(u'&');
        entry->trigger();
        for (int i = 0; i < 4; ++i)
            QApplication::processEvents();
        for (QWidget *dialog : QApplication::topLevelWidgets()) {
            if (dialog == &window() || !dialog->isVisible() || !qobject_cast<QDialog *>(dialog))
                continue;
            m_seen += QLatin1String(dialog->metaObject()->className());
            lookAt(*dialog, text);
            dialog->close();
        }
    }
    m_seen.removeDuplicates();
    m_faults.removeDuplicates();
    QVERIFY2(m_seen.size() >= 6, qPrintable(m_seen.join(u' ')));
    QVERIFY2(m_faults.isEmpty(), qPrintable(m_faults.join(u'\n')));
}

JETSCOPE_TEST(TestCutDialogs)
#include "tst_cutdialogs.moc"
