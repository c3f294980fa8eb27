// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/hazarddetails.h"

#include "ui/hazards/hazardpicture.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace jetscope {

namespace {

constexpr int kMinTextSpaces = 22; ///< Width of the texts beside the picture, in heights of a line.

constexpr int kItemPadding = 4; ///< Of a row in the style sheet, above and below together.

/// A sentence, or that it is not known.
QString asSentence(const QString &text)
{
    if (text.isEmpty())
        return HazardDetails::tr("Not known.");
    return text.left(1).toUpper() + text.mid(1) + (text.endsWith(u'.') ? QString() : QStringLiteral("."));
}

template <class T>
std::optional<HazardRemedy> useInstead(T PipelineConfig::*choice, T value, PipelineConfig config,
                                       const DeviceFacts &facts)
{
    config.*choice = value;
    if (!availability(value, config, facts).legal())
        return std::nullopt;
    const QString label = QCoreApplication::translate("jetscope::HazardRemedy", "Use \"%1\"");
    return HazardRemedy{label.arg(toQString(choiceOf(value).label)), std::move(config)};
}

std::optional<HazardRemedy> orderedInstead(const PipelineConfig &config, const DeviceFacts &facts)
{
    if (config.sync != SyncMode::None)
        return std::nullopt;
    return useInstead(&PipelineConfig::sync, bestSyncMode(config.output, facts), config, facts);
}

/// The CPU stage reads unified memory beside kernels: another memory kind keeps its placement.
std::optional<HazardRemedy> apartInstead(const PipelineConfig &config, const DeviceFacts &facts)
{
    if (config.memory != MemoryKind::Unified || availability(config.memory, config, facts).legal())
        return std::nullopt;
    if (auto attached = useInstead(&PipelineConfig::memory, MemoryKind::UnifiedAttach, config, facts))
        return attached;
    return useInstead(&PipelineConfig::cpuStage, CpuStagePlacement::Pipelined, config, facts);
}

bool copiesFrom(MemoryKind kind, RuleId rule)
{
    return rule == RuleId::A17 ? kind == MemoryKind::Pageable
                               : kind == MemoryKind::Unified || kind == MemoryKind::UnifiedAttach;
}

} // namespace

HazardDetails::HazardDetails(const FoundHazard &hazard, QWidget *parent)
    : QWidget(parent),
      m_columns(makeInnerLayout<QHBoxLayout>(this, fontMetrics().height())),
      m_texts(new QGridLayout),
      m_apply(new QPushButton),
      m_show(new QPushButton)
{
    m_columns->setContentsMargins(0, 4, 8, 8);
    if (hazard.first || hazard.second) {
        m_picture = new HazardPicture(hazard);
        m_columns->addWidget(m_picture, 0, Qt::AlignTop | Qt::AlignLeft);
    }
    m_texts->setHorizontalSpacing(fontMetrics().height());
    m_texts->setVerticalSpacing(4);
    m_texts->setColumnStretch(1, 1);
    m_columns->addLayout(m_texts, 1);
    addTexts(hazard);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_apply);
    buttons->addWidget(m_show);
    buttons->addStretch(1);
    m_texts->addLayout(buttons, m_texts->rowCount(), 1);
    m_apply->setObjectName(QStringLiteral("applyFix"));
    m_apply->hide();
    m_show->setObjectName(QStringLiteral("showFrame"));
    m_show->setText(hazard.firstFrame ? tr("Show frame %1").arg(*hazard.firstFrame) : tr("Show on the timeline"));
    m_show->setToolTip(tr("Shows the first occurrence on the timeline (Enter or a double click on the row)"));
    connect(m_apply, &QPushButton::clicked, this, [this] { emit remedyWanted(m_config); });
    connect(m_show, &QPushButton::clicked, this, &HazardDetails::frameWanted);
}

void HazardDetails::addText(const QString &name, const QString &text)
{
    auto *caption = new QLabel(name);
    caption->setProperty("muted", true);
    auto *words = new QLabel(text);
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words->setAccessibleName(name);
    const int row = m_texts->rowCount();
    m_texts->addWidget(caption, row, 0, Qt::AlignTop);
    m_texts->addWidget(words, row, 1, Qt::AlignTop);
}

void HazardDetails::addTexts(const FoundHazard &hazard)
{
    if (hazard.rule)
        addText(tr("Rule"), toQString(hazard.rule->sentence));
    else
        addText(tr("Rule"), tr("Not known to this version of Jetscope."));
    if (!m_picture && hazard.fromFile)
        addText(tr("Accesses"), tr("The file does not contain them."));
    for (const auto &access : {hazard.first, hazard.second})
        if (access && access->what != access->brief()) // The picture leaves the details out.
            addText(tr("Access"), access->text());
    if (!hazard.memory.isEmpty())
        addText(tr("Memory"), hazard.memory);
    addText(tr("Fix"), asSentence(hazard.fix));
    if (hazard.rule)
        addText(tr("Document"), toQString(hazard.rule->source));
}

QSize HazardDetails::fitWidth(int width)
{
    const int least = kMinTextSpaces * fontMetrics().height();
    const bool beside = m_picture && m_picture->sizeHint().width() + least <= width;
    m_columns->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_fitted = {width, m_columns->totalHeightForWidth(width) + kItemPadding};
    updateGeometry();
    return m_fitted;
}

bool HazardDetails::event(QEvent *event)
{
    const bool result = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        emit changed();
    return result;
}

void HazardDetails::setRemedy(const std::optional<HazardRemedy> &remedy)
{
    if (remedy) {
        m_config = remedy->config;
        m_apply->setText(remedy->label);
        m_apply->setToolTip(tr("Changes this choice while the pipeline runs"));
    }
    m_apply->setVisible(remedy.has_value());
}

void HazardDetails::focusAfter(QWidget *widget)
{
    setTabOrder(widget, m_apply);
    setTabOrder(m_apply, m_show);
}

std::optional<HazardRemedy> remedyFor(RuleId rule, const PipelineConfig &config, const DeviceFacts &facts)
{
    switch (rule) {
    case RuleId::A1:
    case RuleId::A2:
    case RuleId::A3:
    case RuleId::A4:
        if (auto apart = apartInstead(config, facts))
            return apart;
        return orderedInstead(config, facts);
    case RuleId::A17:
    case RuleId::A18:
        if (!copiesFrom(config.memory, rule))
            return std::nullopt;
        return useInstead(&PipelineConfig::memory, MemoryKind::Pinned, config, facts);
    case RuleId::O1:
    case RuleId::A11:
    case RuleId::B5:
    case RuleId::C1:
    case RuleId::C6:
        return orderedInstead(config, facts);
    default:
        return std::nullopt;
    }
}

} // namespace jetscope
