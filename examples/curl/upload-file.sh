#!/bin/sh
# Uploads a file with curl 7.61 and jq 1.6 or later: sh upload-file.sh PATH

# Uploads the content of a path. Retries once, with a new upload URL.
# Usage: upload_file BASE_URL CLIENT_ID CLIENT_SECRET FILE_ID PATH
upload_file() (
  base=${1%/} client=$2 secret=$3 file=$4 path=$5

  # Prints the body of a 2xx. Otherwise prints the error, and returns 75 if a retry may help.
  # Reads settings of curl from standard input: the list of processes would show parameters.
  send() {
    response=$(curl -gsS --proto '=http,https' --connect-timeout 10 --speed-limit 1 \
      --speed-time 60 -w '\n%{http_code}' -K - "$@") || return 75
    status=${response##*[!0-9]}
    body=${response%?"$status"}
    case $status in 2??) printf %s "$body"; return 0 ;; esac
    printf 'error: got %s: %s\n' "$status" "$body" >&2
    case $status in 429 | 50[02-9]) return 75 ;; *) return 1 ;; esac
  }

  attempt() {
    token=$(printf 'user = "%s:%s"\n' "$client" "$secret" |
      send -d grant_type=client_credentials --url "$base/oauth/token") || return
    header=$(printf %s "$token" |
      jq -ser '.[0] | "header = " + ("Authorization: Bearer " + .access_token | tojson)') ||
      return 1
    sync=$(printf '%s\n' "$header" | send -X POST --url "$base/v0/files/$file/sync") || return
    url=$(printf %s "$sync" | jq -ser '.[0] | "url = " + (.data.upload_url | tojson)') || return 1
    printf '%s\n' "$url" | send -T "$path"
  }

  # curl would send other input in chunks, which the storage rejects.
  [ -f "$path" ] || { printf 'error: %s is not a file\n' "$path" >&2; exit 1; }
  attempt || {
    [ "$?" -eq 75 ] || exit 1
    sleep 2
    attempt || exit 1
  }
)

if [ "${0##*/}" = upload-file.sh ]; then
  upload_file "$FILE_SYNC_BASE_URL" "$FILE_SYNC_CLIENT_ID" "$FILE_SYNC_CLIENT_SECRET" \
    "$FILE_SYNC_FILE_ID" "$1" && echo Uploaded.
fi
