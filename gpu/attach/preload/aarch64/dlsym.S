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
    .type dlsym, %function
dlsym:
    .cfi_startproc
    hint #34 /* bti c */
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset 29, -32
    .cfi_offset 30, -24
    mov x29, sp
    stp x0, x1, [sp, #16]
    mov x2, x30
    bl jsa_answer_dlsym
    mov x9, x0
    mov x10, x1
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_restore 29
    .cfi_restore 30
    .cfi_def_cfa_offset 0
    cbnz x9, .Lanswered
    adrp x16, jsa_real_dlsym
    ldr x16, [x16, #:lo12:jsa_real_dlsym]
    br x16
.Lanswered:
    mov x0, x10
    ret
    .cfi_endproc
    .size dlsym, .-dlsym
    .section .note.GNU-stack, "", %progbits
