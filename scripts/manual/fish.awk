# Makes the completion for fish of what words.awk prints.
function quoted(s) {
    gsub(/\\/, "\\\\", s)
    gsub(/'/, "\\'", s)
    return "'" s "'"
}

BEGIN {
    FS = "\t"
    print "# Completion of coz's commands and options, made of what `coz COMMAND --help` prints."
    print ""
    print "function __coz_command # whether it is that one; after the dashes of `coz run` it is none"
    print "    set -l words (commandline -opc)"
    print "    test (count $words) -ge 2; and test $words[2] = $argv[1]; and not contains -- --- $words; and not contains -- -- $words"
    print "end"
    print ""
    print "function __coz_program # the words after the dashes"
    print "    set -l words (commandline -opc)"
    print "    if set -l at (contains -i -- --- $words; or contains -i -- -- $words)"
    print "        set -l rest $words[(math $at[1] + 1)..-1] (commandline -ct)"
    print "        complete -C (string join ' ' -- (string escape -- $rest))"
    print "    end"
    print "end"
    print ""
    print "complete -c coz -f"
    print "complete -c coz -n __fish_is_first_token -l help -d 'the commands'"
    print "complete -c coz -n __fish_is_first_token -l version -d 'which coz this is'"
}

$1 == "command" {
    print "complete -c coz -n __fish_is_first_token -a " $2 " -d " quoted($3)
}

$1 == "option" {
    line = "complete -c coz -n '__coz_command " $2 "'"
    if ($3 != "")
        line = line " -s " substr($3, 2)
    line = line " -l " substr($4, 3)
    if ($6 == "required")
        line = line ($7 == "file" ? " -r -F" : " -x")
    if ($7 == "words")
        line = line " -a " quoted($8)
    print line " -d " quoted($9)
}

$1 == "argument" && $3 == "file" {
    print "complete -c coz -n '__coz_command " $2 "' -F"
}

$1 == "argument" && $3 == "program" {
    print "complete -c coz -n '__coz_command " $2 "' -a --- -d 'the program follows'"
    print "complete -c coz -n 'not __coz_command " $2 "' -a '(__coz_program)'"
}
