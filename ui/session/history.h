// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

namespace jetscope {

/// Changes of one kind that the user made one after the other, to go back and forth. Undo takes the newest of all kinds
/// first. UI thread.
class History : public QObject {
    Q_OBJECT
public:
    /// What can be undone or done again next.
    struct Step {
        quint64 number = 0; ///< Later changes have greater ones; 0 if there is nothing.
        QString words;      ///< For example "sync: finish → eglsync".
    };
    using QObject::QObject;

    virtual Step undoStep() const = 0;
    virtual Step redoStep() const = 0;
    virtual void undo() = 0;
    virtual void redo() = 0;

signals:
    void changed();

protected:
    /// The number of a change that is made now.
    static quint64 nextNumber();
};

} // namespace jetscope
