# Makes the completion for zsh of what words.awk prints.
function quoted(s) {
    gsub(/'/, "'\\''", s)
    return s
}

# As _arguments reads it: what stands in brackets, and between colons.
function plain(s) {
    gsub(/[][\\:]/, "\\\\&", s)
    return quoted(s)
}

BEGIN {
    FS = "\t"
    print "#compdef coz"
    print "# Completion of coz's commands and options, made of what `coz COMMAND --help` prints."
    print ""
    print "local -a coz_commands"
    print "coz_commands=("
}

$1 == "command" {
    print "    '" $2 ":" plain($3) "'"
    names[++count] = $2
}

$1 == "option" {
    action = $7 == "words" ? "(" $8 ")" : $7 == "file" ? "_files" : " "
    value = $5 == "" ? "value" : $5
    tail = $6 == "none" ? "" : ($6 == "optional" ? "::" : ":") plain(value) ":" action
    several = $10 == "repeatable" ? "*" : ""
    equals = $6 == "required" ? "=" : $6 == "optional" ? "=-" : ""
    if (several == "" && $3 != "")
        several = "(" $3 " " $4 ")"
    else if (several == "")
        several = "(" $4 ")"
    if ($3 != "")
        specs[$2] = specs[$2] " \\\n        '" several "'{" $3 ($6 == "required" ? "+" : "") "," $4 equals "}'[" plain($9) "]" tail "'"
    else
        specs[$2] = specs[$2] " \\\n        '" several $4 equals "[" plain($9) "]" tail "'"
}

$1 == "argument" {
    if ($3 == "program")
        rest[$2] = " \\\n        '(-)---:dashes:(---)' \\\n        '*::program:_normal'"
    else if ($3 == "file")
        rest[$2] = " \\\n        '*:file:_files'"
}

END {
    print ")"
    print ""
    print "if ((CURRENT == 2)); then"
    print "    _describe -t commands 'coz command' coz_commands"
    print "    return"
    print "fi"
    print "local command=$words[2]"
    print "if [[ $command = run ]]; then"
    print "    # After the dashes it is the program's affair."
    print "    integer at=${words[(i)---]}"
    print "    ((at < CURRENT)) || at=${words[(i)--]}"
    print "    if ((at < CURRENT)); then"
    print "        shift $at words"
    print "        ((CURRENT -= at))"
    print "        _normal -p coz"
    print "        return"
    print "    fi"
    print "fi"
    print "shift words"
    print "((CURRENT--))"
    print "case $command in"
    for (i = 1; i <= count; i++) {
        name = names[i]
        print name ")"
        if (rest[name] ~ /program/)
            rest[name] = " \\\n        '*:dashes:(---)'"
        print "    _arguments -s" specs[name] rest[name]
        print "    ;;"
    }
    print "esac"
}
