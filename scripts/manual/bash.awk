# Makes the completion for bash of what words.awk prints.
BEGIN {
    FS = "\t"
    print "# Completion of coz's commands and options, made of what `coz COMMAND --help` prints."
    print ""
    print "_coz_file() {"
    print "    compopt -o filenames 2>/dev/null"
    print "    mapfile -t COMPREPLY < <(compgen -f -- \"$1\")"
    print "}"
    print ""
    print "# The program to profile, and its own completion where there is one."
    print "_coz_program() { # INDEX"
    print "    if declare -F _command_offset >/dev/null; then"
    print "        _command_offset \"$1\""
    print "    elif [ \"$1\" -eq \"$COMP_CWORD\" ]; then"
    print "        compopt -o filenames 2>/dev/null"
    print "        mapfile -t COMPREPLY < <(compgen -c -f -- \"${COMP_WORDS[COMP_CWORD]}\" | sort -u)"
    print "    else"
    print "        _coz_file \"${COMP_WORDS[COMP_CWORD]}\""
    print "    fi"
    print "}"
    print ""
    print "_coz() {"
    print "    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} options='' i"
    print "    COMPREPLY=()"
}

$1 == "command" {
    commands = commands (commands == "" ? "" : " ") $2
}

$1 == "option" {
    for (i = 3; i <= 4; i++)
        if ($i != "")
            offered[$2] = offered[$2] (offered[$2] == "" ? "" : " ") $i
    if ($6 != "required" && $6 != "optional")
        next
    name = ($3 == "" ? "" : "'" $2 " " $3 "' | ") "'" $2 " " $4 "'"
    if ($7 == "words")
        values = values "    " name ") mapfile -t COMPREPLY < <(compgen -W '" $8 "' -- \"$word\"); return ;;\n"
    else if ($7 == "file")
        values = values "    " name ") _coz_file \"$word\"; return ;;\n"
    else if ($6 == "required")
        values = values "    " name ") return ;;\n"
}

$1 == "argument" {
    program[$2] = $3 == "program"
}

END {
    print "    if [ \"$COMP_CWORD\" -eq 1 ]; then"
    print "        mapfile -t COMPREPLY < <(compgen -W '" commands " --help --version' -- \"$word\")"
    print "        return"
    print "    fi"
    print "    if [ \"$command\" = run ]; then"
    print "        for ((i = 2; i < COMP_CWORD; i++)); do"
    print "            case ${COMP_WORDS[i]} in"
    print "            -- | ---) _coz_program $((i + 1)); return ;;"
    print "            esac"
    print "        done"
    print "    fi"
    print "    # --option=value is three words to bash."
    print "    if [ \"$word\" = '=' ]; then"
    print "        word=''"
    print "    elif [ \"$option\" = '=' ]; then"
    print "        option=${COMP_WORDS[COMP_CWORD - 2]}"
    print "    fi"
    print "    case \"$command $option\" in"
    printf "%s", values
    print "    esac"
    print "    case $command in"
    n = split(commands, names, " ")
    for (i = 1; i <= n; i++)
        print "    " names[i] ") options='" offered[names[i]] (names[i] == "run" ? " ---" : "") "' ;;"
    print "    esac"
    print "    case $word in"
    print "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;"
    print "    *) _coz_file \"$word\" ;;"
    print "    esac"
    print "}"
    print ""
    print "complete -F _coz coz"
}
