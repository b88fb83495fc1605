#!/usr/bin/env bash
# Builds the fuzz targets with the toolchain at hand, stable or nightly, and runs them:
#     rust/fuzz/run.sh SECONDS [TARGET]...
# With a nightly toolchain AddressSanitizer watches too. What is found goes to rust/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:?"usage: run.sh SECONDS [TARGET]..."}
shift
targets=("${@:-}")
[ -n "${targets[0]}" ] || mapfile -t targets < <(cd fuzz_targets && printf '%s\n' *.rs | sed 's/\.rs$//')

host=$(rustc -vV | sed -n 's/^host: //p')
coverage="-Cpasses=sancov-module"
for argument in level=4 inline-8bit-counters pc-table trace-compares; do
    coverage+=" -Cllvm-args=-sanitizer-coverage-$argument"
done
sanitizer='' build=target/plain
case $(rustc -V) in *nightly*) sanitizer=-Zsanitizer=address build=target/asan ;; esac
RUSTFLAGS="--cfg fuzzing $coverage $sanitizer" \
    cargo build --locked --quiet --release --target "$host" --target-dir "$build" \
    "${targets[@]/#/--bin=}"

for target in "${targets[@]}"; do
    case $target in
        position | records | decode) corpus=$target words=() ;;
        *) corpus=texts words=(-dict=fen.dict) ;;
    esac
    mkdir -p "found/$target"
    printf '%s: ' "$target"
    log=found/$target.log
    "$build/$host/release/$target" "found/$target" "corpus/$corpus" "${words[@]}" \
        -seed=1 -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
        -artifact_prefix="found/$target-" -print_final_stats=1 > "$log" 2>&1 ||
        { tail -n 60 "$log"; exit 1; }
    sed -n 's/^stat::number_of_executed_units: *//p' "$log"
done
