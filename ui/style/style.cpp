// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/style.h"

#include <QAccessibleWidget>
#include <QApplication>
#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace jetscope {

namespace {

constexpr const char *kRoleProperty = "accessibleRole";

QAccessibleInterface *interfaceWithRole(const QString &, QObject *object)
{
    if (!object || !object->isWidgetType())
        return nullptr;
    const QVariant role = object->property(kRoleProperty);
    return role.isValid() ? new QAccessibleWidget(static_cast<QWidget *>(object),
                                                  static_cast<QAccessible::Role>(role.toInt()))
                          : nullptr; // Qt asks the next factory.
}

} // namespace

void setStyleKind(QWidget *widget, const char *property, const char *value)
{
    if (widget->property(property) == QVariant(QLatin1String(value)))
        return;
    widget->setProperty(property, QLatin1String(value));
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

bool desktopReducesMotion()
{
    return QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
}

void setAccessibleRole(QWidget *widget, QAccessible::Role role)
{
    QAccessible::installFactory(interfaceWithRole); // Ignored if it is installed.
    widget->setProperty(kRoleProperty, static_cast<int>(role));
    // A name that was set before has made an interface without it.
    QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(QAccessible::queryAccessibleInterface(widget)));
}

} // namespace jetscope
