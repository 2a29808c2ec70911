# CPack runs this before it packs what is staged: a Debian package has some files in other places than a plain install.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(usr "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr")
set(docs "${usr}/share/doc/coz")

file(RENAME "${docs}/CHANGELOG.md" "${docs}/changelog")
file(REMOVE "${docs}/LICENSE") # copyright says it
file(COPY "${CPACK_COZ_DEBIAN}/copyright" DESTINATION "${docs}")
file(COPY "${CPACK_COZ_DEBIAN}/coz" DESTINATION "${usr}/share/lintian/overrides")
configure_file("${CPACK_COZ_DEBIAN}/changelog.in" "${docs}/changelog.Debian" @ONLY)
execute_process(COMMAND gzip -9n "${docs}/changelog" "${docs}/changelog.Debian" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "gzip failed on the changelogs in ${docs}")
endif()
if(EXISTS "${usr}/share/zsh/site-functions")
  file(RENAME "${usr}/share/zsh/site-functions" "${usr}/share/zsh/vendor-completions")
endif()
