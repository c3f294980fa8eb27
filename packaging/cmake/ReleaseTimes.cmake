# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# Run by CPack on the installed files before it packs them.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    file(GLOB_RECURSE entries LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
    execute_process(COMMAND touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} ${entries} COMMAND_ERROR_IS_FATAL ANY)
endif()
