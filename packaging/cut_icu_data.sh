#!/usr/bin/env bash
# cut_icu_data.sh OBJECT: makes an object file with the part of ICU's data that Widerow uses, in place of libicudata.a. It
# has 0.9 MB instead of 31 MB. Normalization, cases and properties of characters are code, not data. Sentences and words are
# cut by rules of Widerow's own. The part has the rules of the transliterator Latin-ASCII (types/text_analysis.cc). The
# test `packages` compares the answers with those of a program with all data.
set -euo pipefail
kept=translit/root.res

object=$(realpath -m "$1")
archive=$(c++ -print-file-name=libicudata.a)
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
ar x "$archive"
all=$(echo ./*_dat.o)                                        # icudt72l_dat.o
package=$(basename "${all%_dat.o}")                          # The names in the data begin with that of its file.
symbol=$(nm "$all" | sed -n 's/^.* R //p')                   # icudt72_dat
objcopy -O binary --only-section=.rodata "$all" "$package.dat"
echo "$kept" >kept.txt
mkdir parts cut
icupkg -x kept.txt -d parts "$package.dat"
icupkg -a kept.txt -s parts new "cut/$package.dat"
cat >data.s <<END
.section .rodata
.balign 16
.globl $symbol
.type $symbol,@object
$symbol:
.incbin "cut/$package.dat"
.size $symbol, .-$symbol
.section .note.GNU-stack,"",@progbits
END
c++ -c data.s -o "$object"
