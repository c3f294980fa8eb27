// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/style.h"

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace jetscope {

void setStyleKind(QWidget *widget, const char *property, const char *value)
{
    if (widget->property(property) == QVariant(QLatin1String(value)))
        return;
    widget->setProperty(property, QLatin1String(value));
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace jetscope
