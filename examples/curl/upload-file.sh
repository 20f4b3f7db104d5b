#!/bin/sh
# Uploads a file into a file of the service, with curl 7.84 or later.
set -u
# One byte is one character everywhere.
export LC_ALL=C

usage() {
  printf '%s\n' "$1" 'usage: upload-file.sh PATH' >&2
  printf '%s\n' 'Set FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET and FILE_SYNC_FILE_ID.' >&2
  exit 2
}

fail() {
  printf 'error: %s%s\n' "$1" "$quote" >&2
  exit 1
}

# Percent-encodes every byte. The client ID and the secret must be form-urlencoded (RFC 6749 section 2.3.1).
encode() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'; }

# A text of the JSON answer, or of the storage's XML answer. There may be several, each on its line.
member() { printf '%s\n' "$body" | sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p"; }
element() { printf '%s\n' "$body" | sed -n "s/.*<$1>\([^<]*\)<.*/\1/p"; }

# Text of another side, without what steers a terminal or tells a secret.
shown() {
  case $1 in
    *"$FILE_SYNC_CLIENT_SECRET"* | *"$(encode "$FILE_SYNC_CLIENT_SECRET")"* | *"${token:-$FILE_SYNC_CLIENT_SECRET}"*) printf '(not shown: it quotes a secret)' ;;
    *) printf %s "$1" | tr -c ' -~' '?' | sed 's/[^ ]\{40,\}/.../g' | cut -c 1-200 ;;
  esac
}

# http goes from this machine to this machine only.
is_encrypted() { printf '%s\n' "$1" | grep -Eqx 'https://.*|http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?(/.*)?'; }

foreign() { fail "FILE_SYNC_BASE_URL is not a file-sync service: its response has no $1. Check FILE_SYNC_BASE_URL."; }

# Sends one request. Sets $status and $body, or $reason and $asked (seconds to wait) if another attempt may help.
# $quote gets the ids of the last request to the service and the PUT after it.
# What is confidential goes through standard input: others can read the list of processes. -q ignores ~/.curlrc, which
# could make curl follow redirects. -g takes { and [ in the file's name literally.
send() {
  what=$1
  shift
  [ "$what" = storage ] || quote=
  answer=$(curl -q -gsS --proto "=${base%%:*},https" --connect-timeout 10 -w '\n%{exitcode},%{http_code},%header{apigw-requestid}%header{x-amz-request-id},%header{retry-after}' -K - "$@" | head -c 1048576)
  [ "${#answer}" -lt 1048576 ] || fail "The $what responded with more than 1 MiB. Check FILE_SYNC_BASE_URL."
  body=$(printf %s "$answer" | sed '$d')
  IFS=, read -r code status id asked <<EOF
$(printf %s "$answer" | tail -n 1 | tr -c 'A-Za-z0-9_:,= -' '?')
EOF
  id=$(shown "$id")
  case $id in '' | *[!A-Za-z0-9_=-]*) ;; *) quote="$quote Quote request id $id of the $what to the operator." ;; esac
  case $asked in '' | *[!0-9]*) asked=0 ;; *) asked=$(printf %.9s "$asked") ;; esac
  reason="The $what responded with $status."
  case $code:$status in
    0:429 | 0:50[02-9] | 0:5[1-9]?) [ "$asked" -le 120 ] || fail "$reason It asks to wait $asked seconds. Try again after that." ;;
    0:3??) fail "$reason This is a redirect, which is not followed. Check FILE_SYNC_BASE_URL." ;;
    0:*) return 0 ;;
    :* | 1:* | 3:* | 60:* | 77:*) fail "curl could not send the request to the $what (exit code $code, see above)." ;;
    *) reason="The connection to the $what broke.$doubt" asked=0 ;;
  esac
  return 1
}

# Explains a rejection in the service's own words, and says what to do.
rejected() {
  error=$(member error)
  case $error in
    invalid_client) advice='Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.' ;;
    invalid_scope) advice='Ask the operator to allow this client the scope sync:create.' ;;
    not_found) advice="Check the file id. The file must belong to the client's organisation." ;;
    sync_not_enabled) advice='Ask the operator to enable syncing for this file.' ;;
    *) advice='Check FILE_SYNC_BASE_URL, or give this message to the operator.' ;;
  esac
  fail "$1 was rejected with $status: $(shown "${error:-$(member message)}") ($(shown "$(member error_description)")). $advice"
}

# One attempt, with an upload URL of its own. Returns 1 and sets $reason if another attempt may help.
attempt() {
  fresh= doubt=
  if [ -z "$token" ]; then
    send service --max-time 35 -d grant_type=client_credentials -d scope=sync:create "$base/oauth/token" <<EOF || return 1
user = "$(encode "$FILE_SYNC_CLIENT_ID"):$(encode "$FILE_SYNC_CLIENT_SECRET")"
EOF
    [ "$status" = 200 ] || rejected 'The request for an access token'
    token=$(member access_token)
    case $token in '' | *[!A-Za-z0-9._~+/=-]*) foreign access_token ;; esac
    fresh=yes
  fi

  send service --max-time 35 -X POST -d '' "$base/v0/files/$(encode "$file_id")/sync" <<EOF || return 1
header = "Authorization: Bearer $token"
EOF
  # The next attempt gets a new token.
  [ "$status" = 401 ] && [ -z "$fresh" ] && token= && reason='The access token has expired.' && return 1
  [ "$status" = 200 ] || rejected "The upload into file $file_id"
  url=$(member upload_url)
  # curl reads the URL in quotes. Nothing else may be in there.
  case $url in '' | *[!A-Za-z0-9._~:/?\&=%+-]*) foreign upload_url ;; esac
  is_encrypted "$url" || fail 'The upload URL is not encrypted. Nothing was sent to it.'

  # curl streams a regular file and sends its length. The URL is signed, so no token and no credentials go there.
  doubt=' The file may be stored all the same.'
  send storage --speed-limit 1000 --speed-time 120 -H 'Content-Type: application/octet-stream' -T "$path" <<EOF
url = "$url"
EOF
  again=$?
  [ "$(wc -c <"$path")" -eq "$size" ] || fail "$path was changed while it was sent. Send it again when it is complete."
  [ "$again" = 0 ] || return 1
  words="$(element Code) ($(element Message))"
  reason="The storage responded with $status: $(shown "$words")."
  case $status:$words in
    2??:*) return 0 ;;
    412:*) fail 'The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.' ;;
    # Passing by itself, or cured by a new URL.
    *:RequestTimeout* | *:ConditionalRequestConflict* | *:ExpiredToken* | *'Request has expired'*) return 1 ;;
    *) fail "$reason Give this message to the operator." ;;
  esac
}

[ $# -eq 1 ] && [ -n "$1" ] || usage 'Give a path.'
path=$1 file_id=${FILE_SYNC_FILE_ID:-} token= quote=
base=$(printf '%s\n' "${FILE_SYNC_BASE_URL:-}" | sed 's,/*$,,')
for setting in "$base" "$file_id" "${FILE_SYNC_CLIENT_ID:-}" "${FILE_SYNC_CLIENT_SECRET:-}"; do
  [ -n "$setting" ] || usage 'A setting is missing.'
done
is_encrypted "$base" || usage 'FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only).'

[ -f "$path" ] && [ -r "$path" ] || fail "$path is not a file that can be read."
# curl takes - for standard input, which has no length.
case $path in /*) ;; *) path=./$path ;; esac
size=$(($(wc -c <"$path")))
[ "$size" -le 5368709120 ] || fail "$path has $size bytes. One upload takes at most 5368709120 (5 GiB). Nothing was sent."

span=1
until attempt; do
  [ "$span" -lt 16 ] || fail "$reason Given up after 5 attempts. Try again later."
  # Waits longer each time, and by chance, so that clients that failed together don't come back together.
  wait=$((span + $(od -An -N1 -tu1 /dev/urandom) % (span + 1)))
  [ "$wait" -ge "$asked" ] || wait=$asked
  printf '%s Trying again in %s s.%s\n' "$reason" "$wait" "$quote" >&2
  sleep "$wait"
  span=$((span * 2))
done
printf '%s is uploaded into file %s: %s bytes.\n' "$1" "$file_id" "$size"
