# cmake -DIN=prelude.lua -DOUT=prelude.h -DNAME=PRELUDE -P embed.cmake
#
# Makes a C header with the text of a file as a string.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n    " bytes "${bytes}")
file(WRITE ${OUT} "/* Made from ${NAME}; do not edit. */\nstatic const char ${NAME}[] = {\n    ${bytes}0x00};\n")
