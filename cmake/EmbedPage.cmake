# cmake -DPAGE=<page.html or empty> -DSOURCE=<file> -P EmbedPage.cmake: writes a source that defines
# unmask::page_template(). Pieces, because compilers limit the length of one literal.
set(literals "{}")
if(PAGE)
  file(READ ${PAGE} text)
  string(LENGTH "${text}" length)
  set(literals "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 8000 piece)
    string(APPEND literals "R\"unmask_page(${piece})unmask_page\"\n")
    math(EXPR begin "${begin} + 8000")
  endwhile()
endif()
file(WRITE ${SOURCE}.new "#include \"unmask/report/page_template.h\"\n\n#include <string_view>\n\n"
  "namespace unmask {\n\nstd::string_view page_template() {\n  return ${literals};\n}\n\n}  // namespace unmask\n")
file(COPY_FILE ${SOURCE}.new ${SOURCE})
file(REMOVE ${SOURCE}.new)
