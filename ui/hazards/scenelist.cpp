// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/scenelist.h"

#include "gpu/hazards/scenes.h"
#include "ui/style/text.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr int kSceneWidthSpaces = 46; ///< Size in heights of a line.
constexpr int kSceneHeightSpaces = 30;

QLabel *wrapped(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

QString descriptionOf(const Scene &scene, const Capability &capability)
{
    const QString mistake =
        SceneList::tr("%1 Rule %2.").arg(toQString(scene.mistake), toQString(ruleOf(scene.rule).name));
    return capability.available ? mistake
                                : SceneList::tr("%1 Not available: %2.").arg(mistake, toQString(capability.reason));
}

} // namespace

SceneList::SceneList(const std::optional<SceneChoices> &choices, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Show a mistake"));
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(makeRows(choices));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setIcon(QIcon());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(wrapped(tr("Each runs the pipeline with one mistake. The choices on the right change for it and "
                                 "come back when you stop it; they are not remembered.")));
    column->addWidget(scroll, 1);
    column->addWidget(buttons);
    resize(kSceneWidthSpaces * fontMetrics().height(), kSceneHeightSpaces * fontMetrics().height());
}

QWidget *SceneList::makeRows(const std::optional<SceneChoices> &choices)
{
    auto *rows = new QWidget;
    auto *grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 8, 8, 0);
    grid->setHorizontalSpacing(fontMetrics().height());
    grid->setVerticalSpacing(fontMetrics().height() / 2);
    grid->setColumnStretch(1, 1);
    for (const Scene &scene : scenes()) {
        const Capability capability =
            choices ? sceneCapability(scene, choices->config, choices->facts) : Capability::yes();
        auto *button = new QPushButton(toQString(scene.title));
        button->setObjectName(toQString(scene.name));
        button->setAutoDefault(false);
        button->setEnabled(capability.available);
        auto *description = wrapped(descriptionOf(scene, capability));
        button->setAccessibleDescription(description->text());
        connect(button, &QPushButton::clicked, this, [this, name = toQString(scene.name)] {
            accept();
            emit chosen(name);
        });
        const int row = grid->rowCount();
        grid->addWidget(button, row, 0, Qt::AlignTop);
        grid->addWidget(description, row, 1, Qt::AlignTop);
    }
    grid->setRowStretch(grid->rowCount(), 1);
    return rows;
}

} // namespace jetscope
