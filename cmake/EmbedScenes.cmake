# Writes a source file that holds the scene library, so that `talus new` works without the source tree.
# Called as: cmake -DSCENES=<folder> -DOUTPUT=<file> -P EmbedScenes.cmake
file(GLOB_RECURSE files RELATIVE ${SCENES} ${SCENES}/*.toml)
list(SORT files)
set(text "#include \"terminal/scene_library.hpp\"\n\nconst std::vector<LibraryScene>& scene_library()\n{\n")
string(APPEND text "    static const std::vector<LibraryScene> scenes = {\n")
foreach(file ${files})
  file(READ ${SCENES}/${file} content)
  get_filename_component(name ${file} NAME_WLE)
  string(APPEND text "        {\"${name}\", \"${file}\", R\"toml(${content})toml\"},\n")
endforeach()
string(APPEND text "    };\n    return scenes;\n}\n")
file(WRITE ${OUTPUT} "${text}")
