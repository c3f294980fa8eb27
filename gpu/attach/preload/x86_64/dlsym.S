/* SPDX-FileCopyrightText: 2026 The Jetscope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * void *dlsym(void *handle, const char *name)
 *
 * glibc's dlsym looks at its return address to know who asks (RTLD_NEXT, RTLD_DEFAULT). Where this function has no
 * answer of its own it therefore jumps, and the return address stays that of the program's code.
 */
    .text
    .globl dlsym
    .type dlsym, @function
dlsym:
    .cfi_startproc
    endbr64
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movq 24(%rsp), %rdx
    call jsa_answer_dlsym
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    testq %rax, %rax
    jne .Lanswered
    movq jsa_real_dlsym(%rip), %rax
    jmp *%rax
.Lanswered:
    movq %rdx, %rax
    ret
    .cfi_endproc
    .size dlsym, .-dlsym
    .section .note.GNU-stack, "", @progbits
