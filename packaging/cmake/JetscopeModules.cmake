# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0

# Modules: parts of the program that need many libraries and are loaded when first needed (core/system/module.h). They contain
# only their own code and use the functions that the program exports.
include(GNUInstallDirs)

# jetscope_module(NAME SOURCE FILE LIBRARY TARGET COMPONENT NAME NEEDS LIBRARY...) : the code of the static library
# LIBRARY as libjetscope-NAME.so. FILE defines its table of functions; NEEDS are the libraries that it opens.
function(jetscope_module name)
    cmake_parse_arguments(arg "" "SOURCE;LIBRARY;COMPONENT" "NEEDS" ${ARGN})
    set(module jetscope_${name}_module)
    add_library(${module} MODULE ${arg_SOURCE} $<TARGET_OBJECTS:${arg_LIBRARY}>)
    target_link_libraries(${module} PRIVATE jetscope_options ${arg_NEEDS})
    target_compile_definitions(${module} PRIVATE JETSCOPE_VERSION="${PROJECT_VERSION}")
    set_target_properties(${module} PROPERTIES
        OUTPUT_NAME jetscope-${name}
        UNITY_BUILD OFF
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/app) # Where the program looks for it.
    install(TARGETS ${module} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/jetscope COMPONENT ${arg_COMPONENT}
        PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    set_property(GLOBAL APPEND PROPERTY JETSCOPE_MODULES ${module})
endfunction()

# jetscope_linked_or_loaded(TARGET LIBRARY BASE) : TARGET stands for BASE_linked.cpp and LIBRARY, which tests link, or for
# BASE_loaded.cpp in a program with the property JETSCOPE_LOADS_MODULES.
function(jetscope_linked_or_loaded target library base)
    foreach(variant linked loaded)
        add_library(${target}_${variant} STATIC ${base}_${variant}.cpp)
        target_link_libraries(${target}_${variant} PUBLIC jetscope_core)
    endforeach()
    target_link_libraries(${target}_linked PUBLIC ${library})
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE
        $<IF:$<BOOL:$<TARGET_PROPERTY:JETSCOPE_LOADS_MODULES>>,${target}_loaded,${target}_linked>)
endfunction()
