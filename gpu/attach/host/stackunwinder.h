// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/callstack.h"

#include <cstdint>
#include <elfutils/libdwfl.h>
#include <map>

namespace jetscope {

/// Follows the calls of a copied stack outwards, by the call frame information of the files (.eh_frame, .debug_frame),
/// which elfutils' libdw reads. Ends where a rule is not a simple one or memory was not copied. Of x86-64 and
/// aarch64.
class StackUnwinder {
public:
    explicit StackUnwinder(const CallStack &stack);

    /// Where the present function goes on; 0 if it is not known.
    std::uint64_t address() const { return m_address; }
    /// To the caller. `within`: a place in the call, as `module` knows it. False if that is not possible.
    bool step(Dwfl_Module *module, Dwarf_Addr within);

private:
    bool evaluate(const Dwarf_Op *operations, std::size_t count, std::uint64_t &value) const;
    bool recover(Dwarf_Frame *frame, int number, std::map<int, std::uint64_t> &registers) const;

    const CallStack &m_stack;
    std::uint64_t m_address = 0;
    std::uint64_t m_frameAddress = 0;         ///< CFA of the present function, while its caller is looked for.
    std::map<int, std::uint64_t> m_registers; ///< As far as they are known, by DWARF's numbers.
    int m_steps = 0;
};

} // namespace jetscope
