# shellcheck shell=sh disable=SC2154 # $tools is of lib.sh
# What the tests of advice share, after lib.sh: a provider on the loopback, keys that must not be seen, and a profile with a
# source.

secret=sk-test-0123456789-abcdefghijklmnop
unset ANTHROPIC_API_KEY ANTHROPIC_BASE_URL OPENAI_API_KEY OPENAI_BASE_URL OLLAMA_HOST COZ_PROVIDER COZ_MODEL
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_REGION AWS_DEFAULT_REGION AWS_ENDPOINT_URL_BEDROCK_RUNTIME
# What is meant for this machine goes by nobody.
export http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9

# start_provider ANSWER-FILE: $port is where it listens; what it is asked goes to the file requests.
start_provider() {
    rm -f port
    "$tools/provider" port requests "$1" &
    provider_pid=$!
    await_that test -s port
    port=$(cat port)
}

stop_provider() {
    kill "$provider_pid"
    wait "$provider_pid" 2>/dev/null
}

# speak PROVIDER WAY: the environment in which that one is asked, and answers so.
speak() {
    unset ANTHROPIC_API_KEY OPENAI_API_KEY AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN OLLAMA_HOST COZ_MODEL
    base=http://127.0.0.1:$port/$2
    case "$1" in
    anthropic) export ANTHROPIC_API_KEY="$secret" ANTHROPIC_BASE_URL="$base" ;;
    openai) export OPENAI_API_KEY="$secret" OPENAI_BASE_URL="$base/v1/" ;;
    bedrock) export AWS_ACCESS_KEY_ID=AKID0123456789 AWS_SECRET_ACCESS_KEY="$secret" AWS_SESSION_TOKEN="$secret-token" \
        AWS_REGION=eu-north-1 AWS_ENDPOINT_URL_BEDROCK_RUNTIME="$base" COZ_MODEL=some.model-v1:0 ;;
    ollama) export OLLAMA_HOST="$base" COZ_MODEL=some-model ;;
    esac
    export COZ_PROVIDER="$1"
}

# keeps_secret: the key is nowhere in what was printed last.
keeps_secret() {
    ! grep -F "$secret" out err
}

make_profile() {
    write_answer '{"type":"samples","location":"big.c:10","count":3000,"function":"grind"}' \
        '{"type":"samples","location":"big.c:20","count":1000}' >profile.jsonl
    for line in $(seq 30); do printf '    line_number_%s("\\x1b");\n' "$line"; done >big.c
}
