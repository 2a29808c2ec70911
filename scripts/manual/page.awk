# Makes docs/cli.md of the records of `coz --help` and of the help texts: they are marked off by lines "@command what".
BEGIN {
    print "# The command line\n"
    print "What `coz COMMAND --help` prints, of all commands. This page is made from it by"
    print "`scripts/manual/page`; so are the man pages (`man coz-run`) and the completions for bash, zsh and"
    print "fish.\n"
}

/^@/ {
    name = substr($1, 2)
    $1 = ""
    print "## coz " name "\n"
    print toupper(substr($0, 2, 1)) substr($0, 3) ".\n"
    next
}

{
    print $0 == "" ? "" : "    " $0
}
