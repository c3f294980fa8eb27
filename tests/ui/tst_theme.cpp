// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/contrast.h"
#include "tests/support/testprogram.h"
#include "ui/style/icons.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void textKeepsContrast_data();
    void textKeepsContrast();
    void barsKeepContrast_data();
    void barsKeepContrast();
    void styleSheetIsComplete_data();
    void styleSheetIsComplete();
    void iconsFollowTheTheme();

private:
    static const Theme &themeOf(bool dark) { return dark ? darkTheme() : lightTheme(); }
    static void addThemes();
};

void TestTheme::addThemes()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("dark") << true;
    QTest::newRow("light") << false;
}

void TestTheme::textKeepsContrast_data()
{
    addThemes();
}

void TestTheme::textKeepsContrast()
{
    QFETCH(bool, dark);
    const Theme &t = themeOf(dark);
    struct Pair {
        const char *name;
        QColor text;
        QColor ground;
    };
    const Pair pairs[] = {
        {"text on panel", t.text, t.panel},
        {"text on card", t.text, t.card},
        {"text on hover", t.text, t.hover},
        {"text on window", t.text, t.window},
        {"muted on panel", t.muted, t.panel},
        {"muted on card", t.muted, t.card},
        {"muted on band", t.muted, t.band},
        {"accent on panel", t.accentText, t.panel},
        {"accent on card", t.accentText, t.card},
        {"selected", t.selectedText, t.selected},
        {"good", t.good, t.goodFill},
        {"warn", t.warn, t.warnFill},
        {"bad", t.bad, t.badFill},
        {"good on panel", t.good, t.panel},
        {"bad on panel", t.bad, t.panel},
    };
    for (const Pair &pair : pairs)
        QVERIFY2(
            contrast(pair.text, pair.ground) >= kAaText,
            qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(pair.name)).arg(contrast(pair.text, pair.ground))));
}

void TestTheme::barsKeepContrast_data()
{
    addThemes();
}

void TestTheme::barsKeepContrast()
{
    QFETCH(bool, dark);
    const Theme &t = themeOf(dark);
    for (int i = 0; i < kCategoryCount; ++i) {
        const BarColors colors = barColors(static_cast<Category>(i), t);
        QVERIFY2(contrast(colors.text, colors.fill) >= kAaText, qPrintable(QString::number(i)));
    }
    QVERIFY(contrast(t.barText, t.both) >= kAaText);
    QVERIFY(contrast(t.both, t.cpuOnly) >= 1.5); // Adjacent areas; the text on them is readable as well.
    QVERIFY(contrast(t.accent, t.panel) >= kAaGraphics);
}

void TestTheme::styleSheetIsComplete_data()
{
    addThemes();
}

void TestTheme::styleSheetIsComplete()
{
    QFETCH(bool, dark);
    applyTheme(*qApp, themeOf(dark));
    QCOMPARE(theme().dark, dark);
    QVERIFY(qApp->styleSheet().size() > 1000);
    QVERIFY(!qApp->styleSheet().contains(u'$'));
    QVERIFY(qApp->styleSheet().contains(themeOf(dark).panel.name()));
    QCOMPARE(qApp->palette().color(QPalette::Window), themeOf(dark).panel);
}

void TestTheme::iconsFollowTheTheme()
{
    const QIcon icon = glyphIcon(Glyph::Pause);
    applyTheme(*qApp, darkTheme());
    const QImage inDark = icon.pixmap(16).toImage();
    applyTheme(*qApp, lightTheme());
    const QImage inLight = icon.pixmap(16).toImage();
    QVERIFY(inDark != inLight);
    QVERIFY(inDark != icon.pixmap(16, QIcon::Disabled).toImage());
}

JETSCOPE_TEST(TestTheme)
#include "tst_theme.moc"
