// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/htmlparts.h"
#include "tests/support/colorvision.h"
#include "tests/support/contrast.h"
#include "tests/support/testprogram.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <limits>
#include <map>

using namespace jetscope;
using namespace jetscope::test;

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void textKeepsContrast_data() { addThemes(); }
    void textKeepsContrast();
    void textOfTheStyleSheetKeepsContrast_data() { addThemes(); }
    void textOfTheStyleSheetKeepsContrast();
    void textOfThePaletteKeepsContrast_data() { addThemes(); }
    void textOfThePaletteKeepsContrast();
    void barsKeepContrast_data() { addThemes(); }
    void barsKeepContrast();
    void visionIsSimulated();
    void everyVisionTellsCategoriesApart_data() { addThemes(); }
    void everyVisionTellsCategoriesApart();
    void everyVisionOrdersTheHeatMap_data() { addThemes(); }
    void everyVisionOrdersTheHeatMap();
    void reportsHaveTheSameColours_data() { addThemes(); }
    void reportsHaveTheSameColours();
    void styleSheetIsComplete_data() { addThemes(); }
    void styleSheetIsComplete();
    void iconsFollowTheTheme();
    void iconsAreSeen_data() { addThemes(); }
    void iconsAreSeen();
    void switchingTakesLessThan3TimesTheSheetAlone();
    void theFontFollowsTheDesktops_data();
    void theFontFollowsTheDesktops();
    void paintedTextFollowsTheWindows();

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

namespace {

struct StyleRule {
    QString selectors;
    QString text; ///< Names of colours of the theme; empty if the rule has none.
    QString ground;
};

/// The rules of the style sheet that give a colour to text or to its ground.
std::vector<StyleRule> styleRules()
{
    QFile file(QStringLiteral(":/jetscope/style/window.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    sheet.remove(QRegularExpression(QStringLiteral("/\\*.*?\\*/"), QRegularExpression::DotMatchesEverythingOption));
    static const QRegularExpression rule(QStringLiteral("([^{}]+)\\{([^{}]*)\\}"));
    static const QRegularExpression text(QStringLiteral("(?:^|[\\s;])color:\\s*\\$(\\w+)"));
    static const QRegularExpression ground(QStringLiteral("(?:^|[\\s;])background:\\s*\\$(\\w+)"));
    std::vector<StyleRule> rules;
    for (auto found = rule.globalMatch(sheet); found.hasNext();) {
        const auto match = found.next();
        rules.push_back({match.captured(1).simplified(), text.match(match.captured(2)).captured(1),
                         ground.match(match.captured(2)).captured(1)});
    }
    return rules;
}

QColor colorNamed(const Theme &theme, const QString &name)
{
    const std::map<QString, QColor> all = {{"window", theme.window},     {"panel", theme.panel},
                                           {"card", theme.card},         {"hover", theme.hover},
                                           {"border", theme.border},     {"text", theme.text},
                                           {"muted", theme.muted},       {"disabled", theme.disabled},
                                           {"accent", theme.accent},     {"accentText", theme.accentText},
                                           {"selected", theme.selected}, {"selectedText", theme.selectedText},
                                           {"good", theme.good},         {"goodFill", theme.goodFill},
                                           {"warn", theme.warn},         {"warnFill", theme.warnFill},
                                           {"bad", theme.bad},           {"badFill", theme.badFill}};
    const auto found = all.find(name);
    return found == all.end() ? QColor() : found->second;
}

} // namespace

/// A rule with text and ground is one pair. Text without a ground stands on panels and cards; a ground without a colour
/// has the usual text.
void TestTheme::textOfTheStyleSheetKeepsContrast()
{
    QFETCH(bool, dark);
    const Theme &t = themeOf(dark);
    int pairs = 0;
    for (const StyleRule &rule : styleRules()) {
        const bool isDecoration = rule.selectors.contains(QStringLiteral("::"))
            && !rule.selectors.contains(QStringLiteral("::item"))
            && !rule.selectors.contains(QStringLiteral("::section"))
            && !rule.selectors.contains(QStringLiteral("::tab")) && !rule.selectors.contains(QStringLiteral("::title"));
        const bool isLine = rule.ground == QStringLiteral("border") || rule.ground == QStringLiteral("accent");
        if (isDecoration || isLine || (rule.text.isEmpty() && rule.ground.isEmpty()))
            continue;
        const QStringList grounds = rule.ground.isEmpty() ? QStringList{QStringLiteral("panel"), QStringLiteral("card")}
                                                          : QStringList{rule.ground};
        const QString text = rule.text.isEmpty() ? QStringLiteral("text") : rule.text;
        for (const QString &ground : grounds) {
            // The state colours of the messages have grounds of their own.
            const bool isMessage =
                rule.selectors.contains(QStringLiteral("#messageBar[kind=")) && rule.ground.isEmpty();
            const QString place = isMessage ? text + QStringLiteral("Fill") : ground;
            // Text of disabled controls is exempt from WCAG; it must be seen nevertheless.
            const double least = text == QStringLiteral("disabled") ? kAaGraphics : kAaText;
            const double found = contrast(colorNamed(t, text), colorNamed(t, place));
            QVERIFY2(found >= least,
                     qPrintable(QStringLiteral("%1: %2 on %3: %4").arg(rule.selectors, text, place).arg(found)));
            ++pairs;
        }
    }
    QVERIFY2(pairs > 50, qPrintable(QString::number(pairs)));
}

void TestTheme::textOfThePaletteKeepsContrast()
{
    QFETCH(bool, dark);
    applyTheme(*qApp, themeOf(dark));
    const QPalette palette = qApp->palette();
    const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
        {QPalette::WindowText, QPalette::Window},
        {QPalette::Text, QPalette::Base},
        {QPalette::Text, QPalette::AlternateBase},
        {QPalette::ButtonText, QPalette::Button},
        {QPalette::ToolTipText, QPalette::ToolTipBase},
        {QPalette::HighlightedText, QPalette::Highlight},
        {QPalette::PlaceholderText, QPalette::Base},
        {QPalette::Link, QPalette::Base},
        {QPalette::Link, QPalette::Window}};
    for (const auto &[text, ground] : pairs) {
        const double found = contrast(palette.color(text), palette.color(ground));
        QVERIFY2(found >= kAaText, qPrintable(QStringLiteral("role %1 on %2: %3").arg(text).arg(ground).arg(found)));
    }
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
    for (const QColor &level : t.heat)
        QVERIFY2(contrast(t.text, level) >= kAaText, qPrintable(level.name()));
}

/// Checks the tool against facts: greys stay as they are, red and green move together without cones for red or green.
void TestTheme::visionIsSimulated()
{
    QCOMPARE(qRound(labOf(Qt::white, kColorVisions[0])[0]), 100);
    QVERIFY(qAbs(difference(QColor(255, 0, 0), QColor(0, 0, 0), kColorVisions[0]) - 117.3) < 0.5);
    for (const ColorVision &vision : kColorVisions)
        QVERIFY2(difference(QColor(128, 128, 128), QColor(128, 128, 128), vision) == 0
                     && qAbs(labOf(QColor(128, 128, 128), vision)[1]) < 2,
                 vision.name);
    const QColor red(0xc0, 0x40, 0x30);
    const QColor green(0x60, 0x80, 0x00);
    QVERIFY(difference(red, green, kColorVisions[0]) > 2 * difference(red, green, kColorVisions[2]));
}

/// What stands side by side on the timeline: bars of every category on the ground, and the shares of CPU and GPU.
void TestTheme::everyVisionTellsCategoriesApart()
{
    QFETCH(bool, dark);
    const Theme &t = themeOf(dark);
    std::map<QRgb, QString> bars; // Categories that share a colour are one.
    for (int i = 0; i < kCategoryCount; ++i)
        bars[barColors(static_cast<Category>(i), t).fill.rgb()] +=
            toQString(categoryName(static_cast<Category>(i))) + u' ';
    QCOMPARE(bars.size(), std::size_t{7});
    std::map<QRgb, QString> shares = {{t.cpuOnly.rgb(), QStringLiteral("CPU")},
                                      {t.gpuOnly.rgb(), QStringLiteral("GPU")},
                                      {t.both.rgb(), QStringLiteral("both")}};
    const std::map<QRgb, QString> grounds = {{t.panel.rgb(), QStringLiteral("panel")},
                                             {t.band.rgb(), QStringLiteral("band")}};
    for (const auto &set : {bars, shares})
        for (const auto &[color, name] : set) {
            std::map<QRgb, QString> others = set;
            others.erase(color);
            others.insert(grounds.begin(), grounds.end());
            for (const auto &[other, otherName] : others)
                for (const ColorVision &vision : kColorVisions)
                    QVERIFY2(difference(color, other, vision) >= kMinDifference,
                             qPrintable(QStringLiteral("%1 and %2 with %3: %4")
                                            .arg(name, otherName, QLatin1String(vision.name))
                                            .arg(difference(color, other, vision))));
        }
}

/// The further a level is from the best one, the more it differs, and the ends cannot be confused.
void TestTheme::everyVisionOrdersTheHeatMap()
{
    QFETCH(bool, dark);
    const Theme &t = themeOf(dark);
    for (const ColorVision &vision : kColorVisions) {
        for (std::size_t i = 1; i < t.heat.size(); ++i)
            QVERIFY2(difference(t.heat[0], t.heat[i], vision)
                         > difference(t.heat[0], t.heat[i - 1], vision) + kMinDifference / 4,
                     vision.name);
        // The two halves: as far from the middle, on different sides of it.
        for (std::size_t i = 0; i + 1 < t.heat.size() / 2; ++i)
            QVERIFY2(difference(t.heat[i], t.heat[t.heat.size() - 1 - i], vision) >= kMinDifference, vision.name);
    }
}

void TestTheme::reportsHaveTheSameColours()
{
    QFETCH(bool, dark);
    const Theme &t = themeOf(dark);
    const QString style = QString::fromUtf8(kReportStyle);
    QStringList wanted = {QStringLiteral("--wait: ") + t.wait.name()};
    for (std::size_t i = 0; i < t.heat.size(); ++i)
        wanted += QStringLiteral("--h%1: %2;").arg(i).arg(t.heat[i].name());
    const std::pair<const char *, Category> kinds[] = {{"capture", Category::Capture}, {"copy", Category::Copy},
                                                       {"kernel", Category::Kernel},   {"cpu", Category::CpuStage},
                                                       {"draw", Category::Draw},       {"tool", Category::Tool}};
    for (const auto &[name, category] : kinds)
        wanted += QStringLiteral(".k-%1 { fill: %2;").arg(QLatin1String(name), barColors(category, t).fill.name());
    for (const QString &each : wanted)
        QVERIFY2(style.contains(each), qPrintable(each));
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

/// Every icon in the sizes that are used: a figure with the contrast of graphics, whole inside its box.
void TestTheme::iconsAreSeen()
{
    QFETCH(bool, dark);
    applyTheme(*qApp, themeOf(dark));
    for (int glyph = 0; glyph <= static_cast<int>(kLastGlyph); ++glyph)
        for (const int side : {16, 32}) {
            const QImage picture = glyphIcon(static_cast<Glyph>(glyph)).pixmap(side).toImage();
            int seen = 0;
            int onEdge = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x) {
                    const QColor color = picture.pixelColor(x, y);
                    const bool isEdge = x == 0 || y == 0 || x == picture.width() - 1 || y == picture.height() - 1;
                    onEdge += isEdge && color.alpha() > 127;
                    seen += color.alpha() > 200 && contrast(color, theme().panel) >= kAaGraphics;
                }
            const QString name = QStringLiteral("glyph %1 at %2: %3").arg(glyph).arg(side).arg(seen);
            QVERIFY2(seen >= side * side / 32, qPrintable(name));
            QVERIFY2(onEdge == 0, qPrintable(name));
        }
}

/// Qt polishes every widget at a change of style, palette or sheet; with a sheet that takes a millisecond each.
void TestTheme::switchingTakesLessThan3TimesTheSheetAlone()
{
    QWidget window;
    QWidget *parent = &window;
    for (int i = 0; i < 200; ++i) { // As deep as a window with panels and groups.
        new QPushButton(QStringLiteral("one of many"), parent);
        parent = i % 20 == 0 ? &window : new QWidget(parent);
    }
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    applyTheme(*qApp, darkTheme());
    const QString sheet = qApp->styleSheet();
    const auto best = [](const auto &function) {
        qint64 ns = std::numeric_limits<qint64>::max();
        for (int i = 0; i < 5; ++i) {
            QElapsedTimer timer;
            timer.start();
            function(i);
            ns = std::min(ns, timer.nsecsElapsed());
        }
        return ns;
    };
    const qint64 once = best([&](int) {
        qApp->setStyleSheet({});
        qApp->setStyleSheet(sheet);
    });
    const qint64 all = best([](int i) { applyTheme(*qApp, i % 2 == 0 ? lightTheme() : darkTheme()); });
    applyTheme(*qApp, darkTheme());
    QVERIFY2(all < 3 * once, qPrintable(QStringLiteral("%1 and %2 ns").arg(all).arg(once)));
}

void TestTheme::theFontFollowsTheDesktops_data()
{
    QTest::addColumn<int>("desktop");
    QTest::addColumn<int>("window");
    QTest::newRow("smaller than usual") << 9 << kWindowFontPixels;
    QTest::newRow("usual") << 15 << kWindowFontPixels;
    QTest::newRow("half as large again") << 23 << 19;
    QTest::newRow("three times") << 45 << 39;
    QTest::newRow("beyond all sense") << 400 << 39;
}

void TestTheme::theFontFollowsTheDesktops()
{
    QFETCH(int, desktop);
    QFont font = QApplication::font();
    font.setPixelSize(desktop);
    QTEST(windowFont(font).pixelSize(), "window");
}

void TestTheme::paintedTextFollowsTheWindows()
{
    const QFont before = QApplication::font();
    for (const auto &[window, painted] : {std::pair(10, 11), {kWindowFontPixels, 11}, {15, 12}, {18, 15}, {39, 33}}) {
        QFont font = before;
        font.setPixelSize(window);
        QApplication::setFont(font);
        QCOMPARE(fontScaled(11), painted);
        QCOMPARE(paintedFont(before, 11).pixelSize(), painted);
    }
    QApplication::setFont(before);
}

JETSCOPE_TEST(TestTheme)
#include "tst_theme.moc"
