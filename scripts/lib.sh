# Shared by the scripts beside it; sourced, never run. Sets `root` and changes into it; `caller` is
# the folder it was in before.

# What a script says of itself at its top is its help.
case "${1:-}" in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[1]}"
    exit 0
    ;;
esac

caller=$PWD
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1

# Packages as Debian names them. `a|b` takes the first that this release has.
build_packages=(
  g++ cmake ninja-build ccache mold pkg-config git python3
  'libboost1.81-dev|libboost1.83-dev|libboost-dev'
  libsimdjson-dev nlohmann-json3-dev libtomlplusplus-dev libexpected-dev libcli11-dev
  librandom123-dev libssl-dev zlib1g-dev libzstd-dev libsqlite3-dev
  libgtest-dev libgmock-dev
)
# The report page is built with npm, which Node.js of another source may bring itself.
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then build_packages+=(nodejs npm); fi
check_packages=(
  chromium fonts-dejavu-core  # the report page is opened in it
  clang-19 libclang-rt-19-dev clang-tidy-19 clang-format-19 python3-jsonschema
  groff-base zsh fish zstd  # read what the command makes of itself, and pack what it reads
)

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# A path that the caller gave, for use from anywhere.
from_caller() {
  case $1 in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$caller/$1" ;;
  esac
}

# Cores that this process may use.
cores() { nproc 2>/dev/null || echo 2; }

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Prints the packages of "$@" that are missing; of `a|b` the whole word, unless one is there.
missing_packages() {
  local wanted choice
  for wanted in "$@"; do
    for choice in ${wanted//|/ }; do
      if is_installed "$choice"; then continue 2; fi
    done
    printf '%s\n' "$wanted"
  done
}

# The first of `a|b` that apt can install.
choose_package() {
  local choice
  for choice in ${1//|/ }; do
    if apt-cache policy "$choice" 2>/dev/null | grep -q 'Candidate: [^(]'; then
      printf '%s\n' "$choice"
      return
    fi
  done
  printf '%s\n' "${1%%|*}"  # apt then says that it does not exist
}

# Runs "$@" as root, directly or by sudo.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install_packages PACKAGE...: installs what is missing, and touches nothing when all is there.
# UNMASK_SKIP_INSTALL=1 trusts the caller to have everything.
install_packages() {
  if [ "${UNMASK_SKIP_INSTALL:-}" = 1 ]; then return 0; fi
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    fail "this system has no apt. Install what these Debian 12 packages hold, then set" \
      "UNMASK_SKIP_INSTALL=1: $*"
  fi
  local missing=()
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} = 0 ]; then return 0; fi
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
  fi
  local log chosen=() wanted
  log=$(mktemp)
  say "installing ${missing[*]%%|*}"
  if ! as_root apt-get -qq update >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "apt-get update failed (above); check the network and /etc/apt"
  fi
  for wanted in "${missing[@]}"; do chosen+=("$(choose_package "$wanted")"); done
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 \
    install --no-install-recommends "${chosen[@]}" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    fail "apt-get could not install ${chosen[*]} (above)"
  fi
  rm -f "$log"
}

# The folder of what scripts download for the user.
data_folder() { printf '%s\n' "${XDG_DATA_HOME:-${HOME:-}/.local/share}/unmask"; }

# Fails where neither variable told data_folder a place.
check_data_folder() {
  case $1 in
    /.local/*) fail "neither XDG_DATA_HOME nor HOME is set; name a folder: --to DIR" ;;
  esac
}

# check_sha256 FILE SUM
check_sha256() {
  local found
  found=$(sha256sum "$1" | cut -d ' ' -f 1) || fail "can't read $1"
  if [ "$found" != "$2" ]; then
    fail "$1 is not the file that was expected: its SHA-256 is $found, not $2"
  fi
}

# pip_download PACKAGE FOLDER [PIP ARGUMENT...]: the file of a package, into FOLDER.
pip_download() {
  local package=$1 folder=$2
  shift 2
  python3 -m pip --version >/dev/null 2>&1 ||
    fail "pip is missing; install it (Debian: apt-get install python3-pip), or give the file of $package (--help)"
  say "downloading $package ..."
  if ! PIP_REQUIRE_VIRTUALENV=0 python3 -m pip download --quiet --no-deps --no-cache-dir "$@" \
    --disable-pip-version-check --retries 1 --timeout 30 --dest "$folder" "$package" >"$folder/log" 2>&1; then
    tail -n 3 "$folder/log" >&2
    fail "pip could not download $package (above). Is there a network, or a mirror that pip knows?" \
      "On another machine: pip download --no-deps $* $package; then give its file here (--help)"
  fi
}

# quietly LOG COMMAND...: runs it with its output in LOG; on failure shows the log's end.
quietly() {
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ $status != 0 ]; then
    tail -n 60 "$log"
    say "failed with status $status: $(printf "%.200s" "$*")"
    say "whole output: $log"
  fi
  return $status
}

progress_seconds=60  # between two lines of progress that is not read on a terminal

# Shows how far the build that writes LOG has come, by ninja's counter, while this script runs: in
# place on a terminal, else a line now and then.
show_progress() {
  local log=$1 since=$SECONDS counter
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    counter=$(tail -c 4096 "$log" 2>/dev/null | grep -o '^\[[0-9]*/[0-9]*\]' | tail -n 1) || continue
    if [ -t 1 ]; then
      printf '\r\033[K  %s' "$counter"
    elif [ $((SECONDS - since)) -ge "$progress_seconds" ]; then
      since=$SECONDS
      say "  $counter"
    fi
  done
}

# As quietly, with progress in between.
with_progress() {
  local status=0 shower
  mkdir -p "$(dirname "$1")"
  rm -f "$1"
  show_progress "$1" &
  shower=$!
  quietly "$@" || status=$?
  kill "$shower" 2>/dev/null || true
  wait "$shower" 2>/dev/null || true
  if [ -t 1 ]; then printf '\r\033[K'; fi
  return $status
}

# run_fuzz_target TARGET SECONDS CORPUS FINDS LOG: runs a libFuzzer program of the preset `fuzz` on its
# seeds and on CORPUS, a folder that gets what it adds. Crashes, leaks and time-outs are left in FINDS.
run_fuzz_target() {
  local target=$1 seconds=$2 corpus=$3 finds=$4 log=$5
  mkdir -p "$corpus" "$finds"
  quietly "$log" "build/fuzz/fuzz/${target}_fuzz" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$finds/$target-" "$corpus" \
    "fuzz/corpus/$target"
}

# ccache without a home folder writes into the root of the file system.
export CCACHE_DIR=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/ccache}
