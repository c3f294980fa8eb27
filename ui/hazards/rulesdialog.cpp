// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/rulesdialog.h"

#include "core/hazards/rules.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr int kWidthSpaces = 48; ///< Size in heights of a line.
constexpr int kHeightSpaces = 32;

QString ruleRow(const Rule &rule, const std::optional<RuleCoverage> &coverage)
{
    QString row = QStringLiteral("<tr><td width='48'><b>%1</b></td><td>%2")
                      .arg(toQString(rule.name).toHtmlEscaped(), toQString(rule.title).toHtmlEscaped());
    if (coverage && !coverage->why.empty())
        row += QStringLiteral("<br><span style='color:%1'>%2</span>")
                   .arg(theme().muted.name(), toQString(coverage->why).toHtmlEscaped());
    return row + QStringLiteral("</td></tr>");
}

QString rulesTable(const QString &title, const QString &rows)
{
    return QStringLiteral("<h3>%1</h3><table cellpadding='3'>%2</table>").arg(title.toHtmlEscaped(), rows);
}

QString rulesWith(RuleCoverage::State state, const QString &title, const DeviceFacts &facts)
{
    QString rows;
    int count = 0;
    for (const Rule &rule : rules()) {
        const RuleCoverage coverage = rule.coverage(facts);
        if (coverage.state != state)
            continue;
        rows += ruleRow(rule, coverage);
        ++count;
    }
    return count == 0 ? QString() : rulesTable(QStringLiteral("%1 (%2)").arg(title, QString::number(count)), rows);
}

QString rulesHtml(const std::optional<DeviceFacts> &facts)
{
    if (facts)
        return QStringLiteral("<p>%1</p>").arg(toQString(facts->name).toHtmlEscaped())
            + rulesWith(RuleCoverage::State::CannotCheck, RulesDialog::tr("Cannot be checked on this device"), *facts)
            + rulesWith(RuleCoverage::State::Checked, RulesDialog::tr("Checked"), *facts)
            + rulesWith(RuleCoverage::State::DoesNotApply, RulesDialog::tr("Do not apply"), *facts);
    QString rows;
    for (const Rule &rule : rules())
        rows += ruleRow(rule, std::nullopt);
    return rulesTable(RulesDialog::tr("Which of these were checked is not known"), rows);
}

} // namespace

RulesDialog::RulesDialog(const std::optional<DeviceFacts> &facts, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Rules for shared memory"));
    auto *text = new QTextBrowser;
    text->setAccessibleName(windowTitle());
    text->setHtml(rulesHtml(facts));
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon(QIcon());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(text, 1);
    column->addWidget(buttons);
    resize(kWidthSpaces * fontMetrics().height(), kHeightSpaces * fontMetrics().height());
    text->setFocus();
}

QString RulesDialog::text() const
{
    return findChild<QTextBrowser *>()->toPlainText();
}

} // namespace jetscope
