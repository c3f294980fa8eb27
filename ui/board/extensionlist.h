// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;

namespace jetscope {

/// The extensions of EGL and OpenGL ES, searchable.
class ExtensionList : public QWidget {
    Q_OBJECT
public:
    explicit ExtensionList(QWidget *parent = nullptr);

    /// Names separated by blanks. Keeps the search.
    void show(const QString &egl, const QString &gl);
    QStringList shown() const;

private:
    void search();

    QLineEdit *m_search;
    QLabel *m_count;
    QListWidget *m_list;
};

} // namespace jetscope
