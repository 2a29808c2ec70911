# Reads what `coz COMMAND --help` prints, and writes it as records, with tabs between their fields:
#
#   S text                      a line of the synopsis
#   P text                      a paragraph
#   H text                      a heading
#   O short long value how text an option: -o, --output, FILE, and whether the value is "required", "optional" or "none"
#   D term text                 a word, and what it means (variables, say)
#   L text                      a line that stands as it is, below the O or D before it
#
# A help text is the one table of its command's options, so its form is fixed: the text of `-h, --help` stands at the
# column where all options have theirs. What cannot be read is complained of, with status 1.

function trim(s) {
    gsub(/^ +| +$/, "", s)
    return s
}

function indent_of(s) {
    match(s, /^ */)
    return RLENGTH
}

function flush() {
    if (kind == "P")
        print "P\t" text
    else if (kind == "O")
        print "O\t" shorts "\t" long "\t" value "\t" how "\t" text
    else if (kind == "D")
        print "D\t" term "\t" text
    for (l = 1; l <= kept; l++)
        print "L\t" lines[l]
    kept = 0
    kind = text = ""
}

# Splits a line into what is named and what is said of it: at two blanks, or at the column.
function split_entry(s,    at) {
    s = trim(s)
    at = column - indent
    if (match(s, /   */)) {
        name = substr(s, 1, RSTART - 1)
        text = substr(s, RSTART + RLENGTH)
    } else if (substr(s, at - 1, 1) == " " && length(s) >= at) {
        name = trim(substr(s, 1, at - 1))
        text = substr(s, at)
    } else {
        name = s
        text = ""
    }
}

function begin_option(s) {
    split_entry(s)
    shorts = long = value = ""
    how = "none"
    if (match(name, /^-[A-Za-z0-9], /)) {
        shorts = substr(name, 1, 2)
        name = substr(name, 5)
    }
    if (!match(name, /^--[a-z][a-z0-9-]*/)) {
        print "the help of `coz " command "` has an option that cannot be read: " s >"/dev/stderr"
        failed = 1
        return
    }
    long = substr(name, 1, RLENGTH)
    name = substr(name, RLENGTH + 1)
    if (name ~ /^\[=/) {
        how = "optional"
        value = substr(name, 3, length(name) - 3)
    } else if (name ~ /^[ =]/) {
        how = "required"
        value = substr(name, 2)
    }
    kind = "O"
}

function take(s) {
    indent = indent_of(s)
    if (indent >= column - 1 && (kind == "O" || kind == "D")) {
        if (indent > column - 1 || kept)
            lines[++kept] = substr(s, column)
        else
            text = text == "" ? trim(s) : text " " trim(s)
        return
    }
    if (kind == "D" && text == "" && indent > 0 && s !~ /^ +-/) {
        term = term " " trim(s) # names that take several lines
        return
    }
    if (indent == 0 && kind == "P") {
        text = text " " s
        return
    }
    flush()
    if (s ~ /^ +-/)
        begin_option(s)
    else if (indent > 0) {
        split_entry(s)
        term = name
        kind = "D"
    } else if (s ~ /:$/ && following ~ /^ /)
        print "H\t" substr(s, 1, length(s) - 1)
    else {
        kind = "P"
        text = s
    }
}

{
    all[NR] = $0
    if ($0 ~ /^ +-h, --help +this text/)
        column = index($0, "this text")
}

END {
    if (!column) {
        print "the help of `coz " command "` has no line `-h, --help   this text`" >"/dev/stderr"
        exit 1
    }
    for (i = 1; i <= NR; i++) {
        following = i < NR ? all[i + 1] : ""
        if (all[i] ~ /^Usage: / || (in_usage && all[i] ~ /^ +coz /)) {
            in_usage = 1
            print "S\t" trim(substr(all[i], 7))
        } else if (all[i] ~ /^ *$/) {
            in_usage = 0
            flush()
        } else
            take(all[i])
    }
    flush()
    exit failed
}
