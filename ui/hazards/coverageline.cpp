// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/coverageline.h"

#include "ui/hazards/rulesdialog.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace jetscope {

namespace {

/// Without the CPU that a software device runs on.
QString shortNameOf(const DeviceFacts &facts)
{
    const QString name = toQString(facts.name);
    const qsizetype cpu = facts.software ? name.indexOf(QStringLiteral(" on ")) : -1;
    return cpu < 0 ? name : name.left(cpu);
}

} // namespace

std::optional<CoverageCounts> CheckedRun::rules() const
{
    return origin == Origin::Pipeline ? std::optional(coverageOf(facts)) : std::nullopt;
}

QString CheckedRun::text() const
{
    switch (origin) {
    case Origin::None:
        return CoverageLine::tr("No pipeline has run yet, so no rule was checked.");
    case Origin::File:
        return CoverageLine::tr("These are the hazards in the file. Which rules were checked is not known: the file "
                                "does not contain it.");
    case Origin::Pipeline:
        break;
    }
    const CoverageCounts counts = coverageOf(facts);
    QString text = CoverageLine::tr("%1 rules checked over %L2 frames on %3")
                       .arg(counts.checked)
                       .arg(frames)
                       .arg(shortNameOf(facts));
    if (counts.cannotCheck > 0)
        text += CoverageLine::tr("; %1 cannot be checked on this device").arg(counts.cannotCheck);
    if (framesElsewhere > 0)
        text += CoverageLine::tr("; %L1 frames before that ran on another device").arg(framesElsewhere);
    return text;
}

CoverageLine::CoverageLine(QWidget *parent)
    : QWidget(parent), m_text(new QLabel), m_rules(new QPushButton(tr("Rules…")))
{
    m_text->setObjectName(QStringLiteral("coverage"));
    m_text->setProperty("muted", true);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAccessibleName(tr("What was checked"));
    m_rules->setObjectName(QStringLiteral("rules"));
    m_rules->setProperty("flat", true);
    m_rules->setToolTip(tr("Lists all rules, with those that cannot be checked here and why"));
    auto *row = makeInnerLayout<QHBoxLayout>(this, 4);
    row->addWidget(m_text, 1);
    row->addWidget(m_rules);
    connect(m_rules, &QPushButton::clicked, this, &CoverageLine::showRules);
    show({});
}

void CoverageLine::show(const CheckedRun &run)
{
    m_run = run;
    if (const QString text = run.text(); m_text->text() != text)
        m_text->setText(text);
}

QString CoverageLine::text() const
{
    return m_text->text();
}

void CoverageLine::showRules()
{
    auto *dialog = new RulesDialog(
        m_run.origin == CheckedRun::Origin::Pipeline ? std::optional(m_run.facts) : std::nullopt, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace jetscope
