// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/verify/verifyreport.h"

#include <string>
#include <string_view>

namespace jetscope {

/// What a report must not contain. Empty texts stand for nothing.
struct PrivateWords {
    std::string home;   ///< "/home/anna"
    std::string user;   ///< "anna"
    std::string host;   ///< "annas-orin"
    std::string serial; ///< Of the board.

    /// Of this process and of the board below `root`.
    static PrivateWords ofMachine(const std::string &root);
};

/// The text with the home folder as "~", and user, host, serial number and addresses of network cards as words that say
/// what stood there. A user "root" stays.
std::string withoutNames(std::string_view text, const PrivateWords &words);

// The same for every text that was not written by Jetscope alone.

void removeNames(VerifyRow &row, const PrivateWords &words);
void removeNames(VerifiedMachine &machine, const PrivateWords &words);

} // namespace jetscope
