#!/bin/sh
# Uploads a file into a file of the service, with curl 7.84 or later.
set -u

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

# A text member of the JSON answer, or an element of the storage's XML answer.
member() { printf %s "$body" | sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p"; }
element() { printf %s "$body" | sed -n "s/.*<$1>\([^<]*\)<.*/\1/p"; }

# Sends one request. Sets $status and $body, or $reason and $asked (seconds to wait) if another attempt may help.
# $quote gets the ids of the last request to the service and the PUT after it.
# Credentials, token and upload URL go through standard input, because others can read the list of processes. -q ignores
# ~/.curlrc, which could make curl follow redirects. -g takes { and [ in the file's name literally.
send() {
  what=$1
  shift
  [ "$what" = storage ] || quote=
  answer=$(curl -q -gsS --proto "$protocols" --connect-timeout 10 -w '\n%header{apigw-requestid}%header{x-amz-request-id}\n%{http_code} %header{retry-after}' -K - "$@")
  code=$?
  last=$(printf '%s\n' "$answer" | sed -n '$p')
  body=$(printf '%s\n' "$answer" | sed 'N;$!P;$!D;$d')
  quote=$quote$(printf '%s\n' "$answer" | sed -n "x;\$s/^[A-Za-z0-9_=-]\{1,64\}\$/ Quote request id & of the $what to the operator./p")
  status=${last%% *}
  asked=0
  case $code in
    0) ;;
    # Not reached, timed out, or broken on the way.
    5 | 6 | 7 | 16 | 18 | 28 | 35 | 52 | 55 | 56 | 92) reason="The connection to the $what broke." && return 1 ;;
    *) fail "curl could not send the request to the $what (exit code $code, see above)." ;;
  esac
  case $status in
    429 | 5??) ;;
    *) return 0 ;;
  esac
  reason="The $what answered $status."
  case ${last#* } in
    '' | *[!0-9]* | ???????*) ;;
    *) asked=${last#* } ;;
  esac
  [ "$asked" -le 120 ] || fail "$reason It asks to wait $asked seconds. Try again after that."
  return 1
}

# Explains a refusal in the service's own words, and says what to do.
refused() {
  error=$(member error)
  case $error in
    invalid_client) advice='Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.' ;;
    invalid_scope | insufficient_scope) advice='Ask the operator to allow this client the scope sync:create.' ;;
    not_found) advice="Check the file id. The file must belong to the client's organisation." ;;
    sync_not_enabled) advice='Ask the operator to enable syncing for this file.' ;;
    *) advice='Check FILE_SYNC_BASE_URL, or give this message to the operator.' ;;
  esac
  fail "$1 was refused with $status: ${error:-$(member message)} ($(member error_description)). $advice"
}

# One attempt, with an upload URL of its own. Returns 1 and sets $reason if another attempt may help.
attempt() {
  fresh=
  if [ -z "$token" ]; then
    send service --max-time 35 -d grant_type=client_credentials -d scope=sync:create "$base/oauth/token" <<EOF || return 1
user = "$(encode "$FILE_SYNC_CLIENT_ID"):$(encode "$FILE_SYNC_CLIENT_SECRET")"
EOF
    [ "$status" = 200 ] || refused 'The request for an access token'
    token=$(member access_token)
    [ -n "$token" ] || fail "$base answered without an access token. Check FILE_SYNC_BASE_URL."
    fresh=yes
  fi

  send service --max-time 35 -X POST -d '' "$base/v0/files/$(encode "$file_id")/sync" <<EOF || return 1
header = "Authorization: Bearer $token"
EOF
  # The token expired while the file was sent. The next attempt gets a new token.
  [ "$status" = 401 ] && [ -z "$fresh" ] && token= && reason='The access token has expired.' && return 1
  [ "$status" = 200 ] || refused "The upload into file $file_id"
  url=$(member upload_url)
  [ -n "$url" ] || fail "$base answered without an upload URL. Check FILE_SYNC_BASE_URL."

  # curl streams a regular file and sends its length. The URL is signed, so no token and no credentials go there.
  if ! send storage --speed-limit 1 --speed-time 120 -H 'Content-Type: application/octet-stream' -T "$path" <<EOF
url = "$url"
EOF
  then
    [ "$(($(wc -c <"$path")))" -eq "$size" ] || fail "$path was changed while it was read. Try again when it is complete."
    [ "$code" -eq 0 ] || reason="$reason The file may be stored all the same."
    return 1
  fi
  case $status:$(element Code):$(element Message) in
    2??:*) return 0 ;;
    412:*) fail 'The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.' ;;
    # Passing by itself, or cured by a new URL.
    *:RequestTimeout:* | *:ConditionalRequestConflict:* | *:ExpiredToken:* | *'Request has expired'*) ;;
    *) fail "The storage refused the file with $status: $(element Code) ($(element Message)). Give this message to the operator." ;;
  esac
  reason="The storage answered $status $(element Code)." && return 1
}

[ $# -eq 1 ] && [ -n "$1" ] || usage 'Give a path.'
path=$1 file_id=${FILE_SYNC_FILE_ID:-} base=${FILE_SYNC_BASE_URL:-} token= quote=
[ -n "$base" ] && [ -n "$file_id" ] && [ -n "${FILE_SYNC_CLIENT_ID:-}" ] && [ -n "${FILE_SYNC_CLIENT_SECRET:-}" ] || usage 'A setting is missing.'
while [ "$base" != "${base%/}" ]; do base=${base%/}; done
case $base in
  *@*) usage 'FILE_SYNC_BASE_URL must not hold a user.' ;;
  https://*) protocols='=https' ;;
  http://127.0.0.1 | http://127.0.0.1:* | http://localhost | http://localhost:*) protocols='=http,https' ;;
  *) usage 'FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only): the client secret goes there.' ;;
esac

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
