# SPDX-License-Identifier: GPL-3.0-or-later
# Builds text files into a program.

set(TILESCOPE_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

# tilescope_embed_texts(out.cpp HEADER h NAMESPACE ns TEXTS name file [name file]...)
# Defines `const std::string_view name` for each file; the header declares them.
function(tilescope_embed_texts output)
  cmake_parse_arguments(ARG "" "HEADER;NAMESPACE" "TEXTS" ${ARGN})
  set(files)
  set(rest ${ARG_TEXTS})
  while(rest)
    list(POP_FRONT rest name file)
    list(APPEND files "${file}")
  endwhile()
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -D "OUTPUT=${output}" -D "HEADER=${ARG_HEADER}"
            -D "NAMESPACE=${ARG_NAMESPACE}" -D "TEXTS=${ARG_TEXTS}" -P "${TILESCOPE_EMBED_SCRIPT}"
    DEPENDS ${files} "${TILESCOPE_EMBED_SCRIPT}"
    COMMENT "Embedding texts into ${output}"
    VERBATIM)
endfunction()

# tilescope_embed_files(out.cpp HEADER h NAMESPACE ns FUNCTION f FILES file...)
# Defines `f()`, which the header declares: the names and the texts of the files.
function(tilescope_embed_files output)
  cmake_parse_arguments(ARG "" "HEADER;NAMESPACE;FUNCTION" "FILES" ${ARGN})
  # A list as long as this one is passed in a file.
  set(names "${output}.names")
  file(GENERATE OUTPUT "${names}" CONTENT "${ARG_FILES}")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -D "OUTPUT=${output}" -D "HEADER=${ARG_HEADER}"
            -D "NAMESPACE=${ARG_NAMESPACE}" -D "FUNCTION=${ARG_FUNCTION}" -D "NAMES=${names}"
            -P "${TILESCOPE_EMBED_SCRIPT}"
    DEPENDS ${ARG_FILES} "${names}" "${TILESCOPE_EMBED_SCRIPT}"
    COMMENT "Embedding files into ${output}"
    VERBATIM)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND DEFINED OUTPUT AND DEFINED NAMES)
  file(READ "${NAMES}" files)
  set(code "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
  # A literal that brings its length along: counting letters has a limit at compile time.
  string(APPEND code "using namespace std::string_view_literals;\n"
                     "using File = std::pair<std::string_view, std::string_view>;\n"
                     "static constexpr File kFiles[] = {\n")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" text)
    string(APPEND code "{\"${name}\", R\"--embedded--(${text})--embedded--\"sv},\n")
  endforeach()
  string(APPEND code "};\nstd::span<const File> ${FUNCTION}() { return kFiles; }\n")
  file(WRITE "${OUTPUT}" "${code}} // namespace ${NAMESPACE}\n")
elseif(CMAKE_SCRIPT_MODE_FILE AND DEFINED OUTPUT)
  set(code "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
  while(TEXTS)
    list(POP_FRONT TEXTS name file)
    file(READ "${file}" text)
    string(APPEND code "const std::string_view ${name} = R\"--embedded--(${text})--embedded--\";\n")
  endwhile()
  file(WRITE "${OUTPUT}" "${code}} // namespace ${NAMESPACE}\n")
endif()
