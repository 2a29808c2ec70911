# Makes a man page of the records that read.awk writes: -v command=run what='profile a program' version=... others=...
# With command=coz it is the page of the whole, whose P and D records are what `coz --help` prints.

function escaped(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    if (s ~ /^[.']/)
        s = "\\&" s
    return s
}

# What stands in `backticks` is bold.
function prose(s,    parts, n, i, out) {
    n = split(escaped(s), parts, "`")
    for (i = 1; i <= n; i++)
        out = out (i % 2 ? parts[i] : (i < n ? "\\fB" parts[i] "\\fR" : "`" parts[i]))
    return out
}

function section(name) {
    if (name != here) {
        print ".SH " name
        begun = 0 # a section begins with a paragraph
    }
    here = name
}

BEGIN {
    FS = "\t"
    page = command == "coz" ? "coz" : "coz-" command
    printf ".\\\" Made of `coz%s --help`.\n", command == "coz" ? "" : " " command
    printf ".TH %s 1 \"\" \"coz %s\" \"User Commands\"\n", toupper(escaped(page)), version
    section("NAME")
    print escaped(page) " \\- " escaped(what)
}

$1 == "S" {
    section("SYNOPSIS")
    print synopsis++ ? ".br" : ".nh"
    sub(/^coz( [a-z-]+)?/, "&\001", $2)
    split($2, usage, "\001")
    print "\\fB" escaped(usage[1]) "\\fR" escaped(usage[2])
}

$1 == "H" {
    entries = 1
    if ($2 == "Environment")
        section("ENVIRONMENT")
    else {
        section(command == "coz" ? "COMMANDS" : "OPTIONS")
        if ($2 != "Commands")
            print ".SS \"" escaped($2) "\""
        begun = 0
    }
}

$1 == "P" {
    if ($2 ~ /^Exit status: /) {
        section("EXIT STATUS")
        sub(/^Exit status: /, "", $2)
        $2 = toupper(substr($2, 1, 1)) substr($2, 2)
    } else if ($2 ~ /^The exit status is/)
        section("EXIT STATUS")
    else if ($2 ~ /^Environment: /) {
        section("ENVIRONMENT")
        sub(/^Environment: /, "", $2)
    } else if (entries)
        section("NOTES")
    else if (here == "DESCRIPTION" || here == "SYNOPSIS" || here == "NAME")
        section("DESCRIPTION")
    print (begun++ ? ".PP\n" : "") prose($2)
}

$1 == "O" {
    if (here != "OPTIONS")
        section("OPTIONS")
    entries = 1
    print ".TP"
    printf "%s\\fB%s\\fR", $2 == "" ? "" : "\\fB" escaped($2) "\\fR, ", escaped($3)
    if ($5 == "optional")
        printf "[=\\fI%s\\fR]", escaped($4)
    else if ($5 == "required")
        printf " \\fI%s\\fR", escaped($4)
    print "\n" prose($6)
}

$1 == "D" {
    print ".TP\n\\fB" escaped($2) "\\fR\n" prose($3)
}

$1 == "L" {
    print ($2 ~ /^ / ? "" : ".br\n") prose($2)
}

END {
    section("SEE ALSO")
    n = split(others, names, " ")
    for (i = 1; i <= n; i++)
        if (names[i] != page)
            listed = listed (listed == "" ? "" : ",\n") "\\fB" escaped(names[i]) "\\fR(1)"
    print listed
}
