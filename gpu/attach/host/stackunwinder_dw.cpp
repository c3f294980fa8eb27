// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/stackunwinder.h"

#include <algorithm>
#include <cstdlib>
#include <dwarf.h>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace jetscope {

namespace {

constexpr int kMaxSteps = 64;

/// Registers by their numbers in DWARF: System V ABI for x86-64, and for the Arm 64-bit architecture.
struct Processor {
    GElf_Half machine;
    int framePointer;
    int stackPointer;
    std::uint64_t addressBits; ///< Others may sign a return address.
};
constexpr Processor kProcessors[] = {
    {EM_X86_64, 6, 7, ~std::uint64_t{0}},
    {EM_AARCH64, 29, 31, (std::uint64_t{1} << 48) - 1},
};

const Processor *processorOf(Dwfl_Module *module)
{
    GElf_Addr bias = 0;
    GElf_Ehdr head;
    if (!gelf_getehdr(dwfl_module_getelf(module, &bias), &head))
        return nullptr;
    const auto *const known = std::find_if(std::begin(kProcessors), std::end(kProcessors),
                                           [&](const Processor &one) { return one.machine == head.e_machine; });
    return known == std::end(kProcessors) ? nullptr : known;
}

struct Free {
    void operator()(Dwarf_Frame *frame) const { std::free(frame); }
};
using Frame = std::unique_ptr<Dwarf_Frame, Free>;

Frame frameAt(Dwarf_CFI *information, Dwarf_Addr address)
{
    Dwarf_Frame *frame = nullptr;
    return Frame(information && dwarf_cfi_addrframe(information, address, &frame) == 0 ? frame : nullptr);
}

Frame frameAt(Dwfl_Module *module, Dwarf_Addr address)
{
    Dwarf_Addr bias = 0;
    Dwarf_CFI *const linked = dwfl_module_eh_cfi(module, &bias);
    if (Frame frame = frameAt(linked, address - bias))
        return frame;
    Dwarf_CFI *const debug = dwfl_module_dwarf_cfi(module, &bias);
    return frameAt(debug, address - bias);
}

} // namespace

StackUnwinder::StackUnwinder(const CallStack &stack) : m_stack(stack), m_address(stack.address) {}

/// A register or the frame's address, and an offset.
bool StackUnwinder::evaluate(const Dwarf_Op *operations, std::size_t count, std::uint64_t &value) const
{
    if (count == 0 || count > 2)
        return false;
    const Dwarf_Op &first = operations[0];
    if (first.atom == DW_OP_call_frame_cfa) {
        value = m_frameAddress;
    } else if (first.atom == DW_OP_bregx || (first.atom >= DW_OP_breg0 && first.atom <= DW_OP_breg31)) {
        const bool isNamed = first.atom == DW_OP_bregx;
        const auto known = m_registers.find(isNamed ? static_cast<int>(first.number) : first.atom - DW_OP_breg0);
        if (known == m_registers.end())
            return false;
        value = known->second + (isNamed ? first.number2 : first.number);
    } else {
        return false;
    }
    if (count == 2 && operations[1].atom != DW_OP_plus_uconst)
        return false;
    value += count == 2 ? operations[1].number : 0;
    return true;
}

/// What a register was in the caller: the same, or what the function has saved.
bool StackUnwinder::recover(Dwarf_Frame *frame, int number, std::map<int, std::uint64_t> &registers) const
{
    Dwarf_Op memory[3];
    Dwarf_Op *operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_register(frame, number, memory, &operations, &count) != 0)
        return false;
    if (count == 0 && operations) // Undefined.
        return false;
    if (count == 0) {
        const auto known = m_registers.find(number);
        if (known == m_registers.end())
            return false;
        registers[number] = known->second;
        return true;
    }
    std::uint64_t address = 0;
    if (!evaluate(operations, count, address))
        return false;
    const std::optional<std::uint64_t> saved = m_stack.at(address);
    if (saved)
        registers[number] = *saved;
    return saved.has_value();
}

bool StackUnwinder::step(Dwfl_Module *module, Dwarf_Addr within)
{
    const Processor *const processor = processorOf(module);
    if (!processor || ++m_steps > kMaxSteps)
        return false;
    if (m_steps == 1)
        m_registers = {{processor->framePointer, m_stack.framePointer},
                       {processor->stackPointer, m_stack.stackPointer}};
    const Frame frame = frameAt(module, within);
    Dwarf_Op *operations = nullptr;
    std::size_t count = 0;
    const int returns = frame ? dwarf_frame_info(frame.get(), nullptr, nullptr, nullptr) : -1;
    if (returns < 0 || dwarf_frame_cfa(frame.get(), &operations, &count) != 0
        || !evaluate(operations, count, m_frameAddress))
        return false;
    std::map<int, std::uint64_t> registers;
    if (!recover(frame.get(), returns, registers))
        return false;
    m_address = registers[returns] & processor->addressBits;
    recover(frame.get(), processor->framePointer, registers); // Without it, a frame that needs it ends the walk.
    registers[processor->stackPointer] = m_frameAddress;
    m_registers = std::move(registers);
    return m_address != 0;
}

} // namespace jetscope
