// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/workspacebar.h"

#include "ui/style/theme.h"
#include "ui/window/workspacetools.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kTabIcon = 18;
constexpr int kTabMargin = 14;
constexpr int kTabIconGap = 10;
constexpr int kCompactMargin = 9;
constexpr int kCompactIconGap = 6;
constexpr int kDetailWidth = 82;
constexpr int kWholeHeight = 44;
constexpr int kCompactHeight = 36;
constexpr int kTabStroke = 3;
constexpr int kLowWindow = 820; ///< A lower window has compact tabs, whatever its width.
constexpr int kBarMargin = 10;
constexpr int kBarSpacing = 12;

} // namespace

WorkspaceTabs::WorkspaceTabs(QWidget *parent) : QTabBar(parent)
{
    setObjectName(QStringLiteral("workspaceTabs"));
    setAccessibleName(tr("Workspaces"));
    setExpanding(false);
    setDrawBase(false);
    setUsesScrollButtons(false);
    setFocusPolicy(Qt::TabFocus); // A click leaves the focus in the workspace.
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void WorkspaceTabs::setDetail(int index, const QString &detail)
{
    if (this->detail(index) == detail)
        return;
    setTabData(index, detail);
    const QString help = tr("%1: %2").arg(tabText(index), tabWhatsThis(index));
    setTabToolTip(index, detail.isEmpty() ? help : QStringLiteral("%1\n%2").arg(help, detail));
    update();
}

QString WorkspaceTabs::detail(int index) const
{
    return tabData(index).toString();
}

void WorkspaceTabs::setLook(Look look)
{
    if (m_look == look)
        return;
    m_look = look;
    setTabText(0, tabText(0)); // Lays the tabs out again.
    updateGeometry();
}

QFont WorkspaceTabs::nameFont() const
{
    QFont font = this->font();
    font.setWeight(QFont::DemiBold);
    return font;
}

QSize WorkspaceTabs::sizeOf(int index, Look look) const
{
    if (look == Look::Icons)
        return {2 * kCompactMargin + kTabIcon, fontScaled(kCompactHeight)};
    const int name = QFontMetrics(nameFont()).horizontalAdvance(tabText(index));
    if (look == Look::Compact)
        return {2 * kCompactMargin + kTabIcon + kCompactIconGap + name, fontScaled(kCompactHeight)};
    return {2 * kTabMargin + kTabIcon + kTabIconGap + std::max(name, fontScaled(kDetailWidth)),
            fontScaled(kWholeHeight)};
}

QSize WorkspaceTabs::tabSizeHint(int index) const
{
    return sizeOf(index, m_look);
}

int WorkspaceTabs::widthWith(Look look) const
{
    int width = 0;
    for (int i = 0; i < count(); ++i)
        width += sizeOf(i, look).width();
    return width;
}

void WorkspaceTabs::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QPoint mouse = mapFromGlobal(QCursor::pos());
    const int margin = isCompact() ? kCompactMargin : kTabMargin;
    const int gap = isCompact() ? kCompactIconGap : kTabIconGap;
    for (int i = 0; i < count(); ++i) {
        const QRect place = tabRect(i);
        const bool isCurrent = i == currentIndex();
        if (isCurrent)
            painter.fillRect(place, theme().card);
        if (isCurrent)
            painter.fillRect(place.left(), place.bottom() - kTabStroke + 1, place.width(), kTabStroke, theme().accent);
        const QRect icon(place.left() + margin, place.center().y() - kTabIcon / 2, kTabIcon, kTabIcon);
        painter.setOpacity(isCurrent ? 1 : 0.7);
        tabIcon(i).paint(&painter, icon);
        painter.setOpacity(1);
        if (m_look == Look::Icons)
            continue;
        const QRect room = place.adjusted(margin + kTabIcon + gap, 0, -4, -kTabStroke);
        const QString detail = isCompact() ? QString() : this->detail(i);
        const int half = room.height() / 2;
        const QRect name = detail.isEmpty() ? room : room.adjusted(0, 4, 0, -half + 2);
        painter.setFont(nameFont());
        painter.setPen(isCurrent || place.contains(mouse) ? theme().text : theme().muted);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter, tabText(i));
        if (detail.isEmpty())
            continue;
        const QFont small = paintedFont(font(), 11);
        painter.setFont(small);
        painter.setPen(theme().muted);
        painter.drawText(room.adjusted(0, half - 2, 0, -4), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(detail, Qt::ElideRight, room.width()));
    }
}

WorkspaceBar::WorkspaceBar(QWidget *parent)
    : QWidget(parent), m_tabs(new WorkspaceTabs(this)), m_row(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("workspaceBar"));
    setAttribute(Qt::WA_StyledBackground);
    m_row->setContentsMargins(0, 0, kBarMargin, 0);
    m_row->setSpacing(kBarSpacing);
    m_row->addWidget(m_tabs);
    m_row->addStretch(0); // Of a workspace without tools.
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        showTools(index);
        emit chosen(index);
    });
}

void WorkspaceBar::add(Glyph icon, const QString &name, const QString &help, WorkspaceTools *tools)
{
    m_tools.push_back(tools);
    if (tools) {
        m_row->insertWidget(m_row->count() - 1, tools, 1);
        tools->hide();
    }
    const int index = m_tabs->addTab(glyphIcon(icon), name);
    m_tabs->setTabWhatsThis(index, help);
    m_tabs->setTabToolTip(index, tr("%1: %2").arg(name, help)); // A narrow window does not show the name.
    showTools(m_tabs->currentIndex());
}

void WorkspaceBar::setCurrent(int index)
{
    m_tabs->setCurrentIndex(index);
}

void WorkspaceBar::showTools(int index)
{
    for (std::size_t i = 0; i < m_tools.size(); ++i)
        if (m_tools[i])
            m_tools[i]->setVisible(static_cast<int>(i) == index);
    fit();
}

WorkspaceTabs::Look WorkspaceBar::lookIn(Arrangement arrangement) const
{
    if (arrangement == Arrangement::Least)
        return WorkspaceTabs::Look::Icons;
    const bool isLow = window()->height() < kLowWindow;
    return isLow || arrangement == Arrangement::Compact ? WorkspaceTabs::Look::Compact : WorkspaceTabs::Look::Whole;
}

int WorkspaceBar::leastWidth(Arrangement arrangement) const
{
    int tools = 0;
    for (const WorkspaceTools *each : m_tools)
        tools = std::max(tools, each ? each->widthWith(arrangement == Arrangement::Whole) : 0);
    return m_tabs->widthWith(lookIn(arrangement)) + kBarSpacing + tools + kBarMargin;
}

QSize WorkspaceBar::minimumSizeHint() const
{
    return {leastWidth(Arrangement::Least), QWidget::minimumSizeHint().height()};
}

bool WorkspaceBar::event(QEvent *event)
{
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest || event->type() == QEvent::Polish)
        fit();
    return handled;
}

/// The widest tools of all workspaces decide, so that changing the workspace moves no tab.
void WorkspaceBar::fit()
{
    Arrangement wanted = Arrangement::Whole;
    for (const Arrangement narrower : {Arrangement::Icons, Arrangement::Compact, Arrangement::Least})
        if (width() < leastWidth(wanted))
            wanted = narrower;
    const WorkspaceTabs::Look look = lookIn(wanted);
    if (wanted == m_arrangement && look == m_look)
        return;
    m_look = look;
    m_arrangement = wanted;
    for (WorkspaceTools *each : m_tools)
        if (each)
            each->setWords(wanted == Arrangement::Whole);
    m_tabs->setLook(look);
    updateGeometry();
}

} // namespace jetscope
