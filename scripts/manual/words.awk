# From the records of all commands (read.awk, with `C name what` before each command's) to what completions need:
#
#   command name what
#   option command short long value how kind words text repeatable
#                           how: as read.awk says; kind: "words", "file", or "" for what cannot be completed
#   argument command kind   what stands after the options: "program" or "file"
#
# -v words=FILE names the table of words.

# The first clause, as far as a line of a menu has room.
function short(s) {
    sub(/([;:(]|\. ).*/, "", s)
    sub(/,? *$/, "", s)
    if (length(s) > 72) {
        s = substr(s, 1, 72)
        sub(/[ ,]+[^ ]*$/, "", s)
    }
    return s
}

BEGIN {
    FS = OFS = "\t"
    while ((got = (getline line <words)) > 0)
        if (line !~ /^#/) {
            split(line, part, " ")
            of[part[1], part[2]] = substr(line, length(part[1] part[2]) + 3)
        }
    if (got < 0) {
        print words ": cannot be read" >"/dev/stderr"
        exit 1
    }
}

$1 == "C" {
    command = $2
    print "command", $2, $3
}

$1 == "S" && !((command) in told) {
    told[command] = 1
    if ($2 ~ / --- /)
        print "argument", command, "program"
    else if ($2 ~ /(PROFILE|OLD|PATH|PROGRAM)/)
        print "argument", command, "file"
}

$1 == "O" {
    kind = ""
    if ((command, $3) in of)
        kind = "words"
    else if ($4 ~ /^(FILE|OUT|PROFILE|DIR|GLOB|PATTERN)$/)
        kind = "file"
    text = short($6)
    if (kind == "words" && (" " of[command, $3] " ") ~ (" " text "[ ,]"))
        text = $4 ": " of[command, $3] # it says no more than the first of the words
    print "option", command, $2, $3, $4, $5, kind, of[command, $3], text, ($6 ~ /repeatable/ ? "repeatable" : "")
}
