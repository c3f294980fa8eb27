// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/accessiblerole.h"

#include <QAccessibleWidget>
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

void setAccessibleRole(QWidget *widget, QAccessible::Role role)
{
    QAccessible::installFactory(interfaceWithRole); // Ignored if it is installed.
    widget->setProperty(kRoleProperty, static_cast<int>(role));
    // A name that was set before has made an interface without it.
    QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(QAccessible::queryAccessibleInterface(widget)));
}

} // namespace jetscope
