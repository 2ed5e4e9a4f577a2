# Writes a source file that holds a page's script and style, so that `talus report` and `talus view` work without the source tree.
# Called as: cmake -DNAME=<function> -DSCRIPT=<file> -DSTYLE=<file> -DOUTPUT=<file> -P EmbedPage.cmake
# Without SCRIPT the page is empty: a build that has no web part.
# longer literals than the standard asks compilers to take; those that build Talus do
set(text "#include \"web_pages.hpp\"\n\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n")
foreach(part SCRIPT STYLE)
  string(TOLOWER ${part} name)
  set(content "")
  if(${part})
    file(READ ${${part}} content)
  endif()
  string(APPEND text "static const char ${name}[] = R\"page(${content})page\";\n")
endforeach()
string(APPEND text "\ntalus::report::WebPage ${NAME}()\n{\n    return {{script, sizeof(script) - 1}, {style, sizeof(style) - 1}};\n}\n")
file(WRITE ${OUTPUT} "${text}")
