// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontInfo>
#include <QHash>
#include <QPalette>
#include <QRegularExpression>
#include <QScreen>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>

namespace jetscope {

namespace {

const Theme *g_theme = nullptr;
int g_screenWidth = 0; ///< 0: the primary screen's.

QPalette paletteOf(const Theme &t)
{
    QPalette palette(t.panel);
    palette.setColor(QPalette::Window, t.panel);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.window);
    palette.setColor(QPalette::AlternateBase, t.band);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::PlaceholderText, t.muted);
    palette.setColor(QPalette::Button, t.card);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::ToolTipBase, t.card);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::Highlight, t.selected);
    palette.setColor(QPalette::HighlightedText, t.selectedText);
    palette.setColor(QPalette::Link, t.accentText);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, t.disabled);
    return palette;
}

QHash<QString, QColor> tokens(const Theme &t)
{
    return {{"window", t.window},     {"panel", t.panel},
            {"card", t.card},         {"hover", t.hover},
            {"border", t.border},     {"text", t.text},
            {"muted", t.muted},       {"disabled", t.disabled},
            {"accent", t.accent},     {"accentText", t.accentText},
            {"selected", t.selected}, {"selectedText", t.selectedText},
            {"good", t.good},         {"goodFill", t.goodFill},
            {"warn", t.warn},         {"warnFill", t.warnFill},
            {"bad", t.bad},           {"badFill", t.badFill}};
}

/// How much larger the sheet's texts are: as the application's font, as far as a window that needs kLeastWindow with
/// the usual font still fits into the screen.
double sheetScale()
{
    constexpr double kLeastWindow = 1024;
    const QScreen *screen = QGuiApplication::primaryScreen();
    const int width = g_screenWidth > 0 ? g_screenWidth : screen ? screen->availableGeometry().width() : 0;
    const double font = QApplication::font().pixelSize() / static_cast<double>(kWindowFontPixels);
    return std::max(1.0, std::min(font, width / kLeastWindow));
}

/// The style sheet with every `$token` replaced by the theme's colour, and every `$12px` by the scaled length.
QString styleSheetOf(const Theme &t)
{
    const double scale = sheetScale();
    QFile file(QStringLiteral(":/jetscope/style/window.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString source = QString::fromUtf8(file.readAll());
    const QHash<QString, QColor> colors = tokens(t);
    static const QRegularExpression token(QStringLiteral("\\$(?:([A-Za-z]+)|(\\d+)px)"));
    QString out;
    qsizetype from = 0;
    for (auto matches = token.globalMatch(source); matches.hasNext();) {
        const auto match = matches.next();
        out += source.mid(from, match.capturedStart() - from);
        from = match.capturedEnd();
        if (match.capturedStart(2) >= 0) {
            out += QString::number(static_cast<int>(match.capturedView(2).toInt() * scale)) + QStringLiteral("px");
            continue;
        }
        Q_ASSERT(colors.contains(match.captured(1)));
        out += colors.value(match.captured(1)).name();
    }
    return out + source.mid(from);
}

} // namespace

const Theme &darkTheme()
{
    static const Theme t{.name = QStringLiteral("dark"),
                         .dark = true,
                         .window = 0x0c0e10,
                         .panel = 0x1b1f24,
                         .card = 0x22272e,
                         .hover = 0x2b3139,
                         .border = 0x343b44,
                         .text = 0xdfe4ea,
                         .muted = 0x949da8,
                         .disabled = 0x767e88,
                         .accent = 0x76b900,
                         .accentText = 0x8fd414,
                         .selected = 0x33480f,
                         .selectedText = 0xd3f29a,
                         .good = 0x9ad63c,
                         .goodFill = 0x28350f,
                         .warn = 0xe6a850,
                         .warnFill = 0x3b2c14,
                         .bad = 0xf28b82,
                         .badFill = 0x4a2023,
                         .band = 0x23282f,
                         .cpuOnly = 0x4aa3df,
                         .gpuOnly = 0x76b900,
                         .both = 0xe9f5c9,
                         .barText = 0x101418,
                         .wait = 0x4a525c,
                         .heat = {0x0b5c94, 0x164d75, 0x203f56, 0x28343f, 0x333332, 0x47392a, 0x62411e, 0x7d4a12}};
    return t;
}

const Theme &lightTheme()
{
    static const Theme t{.name = QStringLiteral("light"),
                         .dark = false,
                         .window = 0xe4e7ea,
                         .panel = 0xf6f7f8,
                         .card = 0xffffff,
                         .hover = 0xe9edf0,
                         .border = 0xc6ccd2,
                         .text = 0x1c2126,
                         .muted = 0x57606a,
                         .disabled = 0x7f8790,
                         .accent = 0x5b9100,
                         .accentText = 0x3f6600,
                         .selected = 0xd7ecaf,
                         .selectedText = 0x2a4400,
                         .good = 0x3b6300,
                         .goodFill = 0xe4f2cc,
                         .warn = 0x804a00,
                         .warnFill = 0xfbe9cf,
                         .bad = 0xa52a22,
                         .badFill = 0xfadfdc,
                         .band = 0xebedf0,
                         .cpuOnly = 0x4aa3df,
                         .gpuOnly = 0x76b900,
                         .both = 0xf0e27a,
                         .barText = 0x101418,
                         .wait = 0xb5b9bd,
                         .heat = {0x7fbdf0, 0xa5cff1, 0xcce1f3, 0xe7eef4, 0xf3ede5, 0xf3dcc1, 0xf2c490, 0xf2ac5e}};
    return t;
}

QFont windowFont(QFont desktop)
{
    constexpr int kDesktopFontPixels = 15; // 11 points; others come with 9 or 10.
    constexpr int kMostTimes = 3;
    const int pixels = std::clamp(QFontInfo(desktop).pixelSize(), kDesktopFontPixels, kMostTimes * kDesktopFontPixels);
    if (QFontDatabase::hasFamily(QStringLiteral("Inter")))
        desktop.setFamily(QStringLiteral("Inter"));
    desktop.setStyleStrategy(QFont::PreferNoShaping); // Inter would draw "0x40" and "->" as a product and an arrow.
    desktop.setPixelSize(kWindowFontPixels * pixels / kDesktopFontPixels);
    return desktop;
}

int fontScaled(int pixels)
{
    const int window = QApplication::font().pixelSize(); // -1: its size is one of points.
    return std::max(pixels, pixels * window / kWindowFontPixels);
}

QFont paintedFont(QFont font, int pixels)
{
    font.setPixelSize(fontScaled(pixels));
    return font;
}

BarColors barColors(Category category, const Theme &theme)
{
    if (isWait(category))
        return {theme.wait, theme.text};
    QColor fill = 0x7b838d;
    switch (category) {
    case Category::Capture:
        fill = 0x36dff8;
        break;
    case Category::Upload:
    case Category::Copy:
        fill = 0xf7bd74;
        break;
    case Category::Kernel:
        fill = theme.gpuOnly;
        break;
    case Category::CpuStage:
    case Category::Submit:
    case Category::Present:
        fill = theme.cpuOnly;
        break;
    case Category::Draw:
        fill = 0xa95ef4;
        break;
    case Category::Tool:
    case Category::WaitSync:
    case Category::WaitMemory:
    case Category::WaitSlot:
    case Category::WaitInput:
        break;
    }
    return {fill, theme.barText};
}

const Theme &theme()
{
    return g_theme ? *g_theme : darkTheme();
}

void applyTheme(QApplication &application, const Theme &wanted)
{
    g_theme = &wanted;
    // With a style sheet, Qt polishes each widget and all in it at a change of the palette: a millisecond a widget.
    application.setStyleSheet({});
    if (!application.style()->inherits("QFusionStyle"))
        application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(paletteOf(wanted));
    application.setStyleSheet(styleSheetOf(wanted));
}

void setScreenWidth(int width)
{
    g_screenWidth = width;
}

} // namespace jetscope
