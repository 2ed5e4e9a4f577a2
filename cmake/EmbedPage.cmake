# Writes a source file that holds a page's script and style, so that `talus report` and `talus view` work without the source tree.
# Called as: cmake -DNAME=<function> -DSCRIPT=<file> -DSTYLE=<file> -DOUTPUT=<file> -P EmbedPage.cmake
# Without SCRIPT the page is empty: a build that has no web part.
set(text "#include \"web_pages.hpp\"\n\n")
foreach(part SCRIPT STYLE)
  string(TOLOWER ${part} name)
  set(bytes "")
  if(${part})
    file(READ ${${part}} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  endif()
  # an array, since a literal of this length is more than the standard asks compilers to take; the end is a zero
  string(APPEND text "static const unsigned char ${name}[] = {\n${bytes}0};\n")
endforeach()
string(APPEND text "\ntalus::report::WebPage ${NAME}()\n{\n"
  "    return {{reinterpret_cast<const char*>(script), sizeof(script) - 1},\n"
  "            {reinterpret_cast<const char*>(style), sizeof(style) - 1}};\n}\n")
file(WRITE ${OUTPUT} "${text}")
