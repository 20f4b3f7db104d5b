#!/usr/bin/env python3
"""Uploads a file into a file of the service, with the standard library of Python 3.9 or later."""

import base64
import http.client
import json
import multiprocessing.pool
import os
import random
import re
import ssl
import sys
import time
import urllib.parse
import urllib.request

MAXIMUM_BYTES = 5_368_709_120  # 5 GiB
MEBIBYTE = 1_048_576
SETTINGS = ("FILE_SYNC_BASE_URL", "FILE_SYNC_CLIENT_ID", "FILE_SYNC_CLIENT_SECRET", "FILE_SYNC_FILE_ID")

CHECK = "Check FILE_SYNC_BASE_URL, or give this message to the operator."
ADVICE = {
    "invalid_client": "Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.",
    "invalid_scope": "Ask the operator to allow this client the scope sync:create.",
    "not_found": "Check the file id. The file must belong to the client's organisation.",
    "sync_not_enabled": "Ask the operator to enable syncing for this file.",
}


class Failed(Exception):
    """Why nothing was uploaded. After `wait` seconds, another attempt may help. With None, it would not."""

    def __init__(self, reason, wait=None):
        super().__init__(reason)
        self.wait = wait


class RawHandler(urllib.request.HTTPSHandler, urllib.request.HTTPHandler, urllib.request.HTTPErrorProcessor):
    """A rejection is a response too. A redirect is not followed: it would carry the token to another address."""

    def http_response(self, _, answer):
        return answer

    https_response = http_response

    def do_open(self, connection, request, **options):
        class ReadsEarlyAnswer(connection):
            """A rejection may come before the last byte was sent. It is read although the rest could not be sent."""

            def request(self, *arguments, **options):
                try:
                    super().request(*arguments, **options)
                except (BrokenPipeError, ConnectionResetError):
                    if self.sock is None:
                        raise

            def getresponse(self):
                return within(120, super().getresponse)

        return super().do_open(ReadsEarlyAnswer, request, **options)


opener = urllib.request.build_opener(RawHandler)
quotes = []
secrets = []


def within(seconds, work, *arguments):
    """A timeout of urllib is for each wait: without this, a response that drips would never end."""
    return multiprocessing.pool.ThreadPool(1).apply_async(work, arguments).get(seconds)


def shown(text):
    """Text of another side, without what steers a terminal or tells a secret."""
    text = re.sub("[^ -~]", "", text)
    if any(secret in text for secret in secrets):
        return "(not shown: it quotes a secret)"
    return re.sub("[A-Za-z0-9._~%+/=-]{40,}", "...", text)[:200]


def exchange(request, what):
    """Returns status and body, of which a success of the storage needs none. Keeps the request id for the operator."""
    answer = opener.open(request, timeout=120)
    status = answer.status
    request_id = answer.headers.get("apigw-requestid") or answer.headers.get("x-amz-request-id", "")
    if re.fullmatch("[A-Za-z0-9_=-]{1,39}", request_id) and shown(request_id) == request_id:
        quotes.append(f" Quote request id {request_id} of the {what} to the operator.")
    if status == 429 or status >= 500 and status != 501:
        asked = answer.headers.get("Retry-After", "")
        raise Failed(f"The {what} responded with {status}.", int(asked) if re.fullmatch("[0-9]{1,12}", asked) else 0)
    if 300 <= status < 400:
        raise Failed(f"The {what} responded with {status}. This is a redirect, which is not followed. {CHECK}")
    if what == "storage" and 200 <= status < 300:
        return status, ""
    body = within(35, answer.read, MEBIBYTE)
    if answer.length and len(body) < MEBIBYTE:
        raise http.client.IncompleteRead(body)
    return status, body.decode("utf-8", "replace")


def send(what, method, url, content, headers):
    """Leaves in quotes the ids of the last request to the service, and of the PUT after it."""
    is_service = what == "service"
    if is_service:
        quotes.clear()
    request = urllib.request.Request(url, content, headers, method=method)
    try:
        return within(35 if is_service else None, exchange, request, what)
    except (OSError, ValueError, http.client.HTTPException, multiprocessing.TimeoutError) as error:
        reason = getattr(error, "reason", error)
        words = shown(str(reason)) or "no response in time"
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise Failed(f"The certificate of the {what} is wrong: {words}.")
        doubt = "" if is_service else " The file may be stored all the same."
        raise Failed(f"The connection to the {what} broke: {words}.{doubt}", 0)


def member(body, *names):
    """A text of the response, or an empty one. Members that are not known are ignored: the service may add some."""
    try:
        value = json.loads(body)
        for name in names:
            value = value[name]
        return value if isinstance(value, str) else ""
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""


def required(pattern, body, *names):
    """A text of the response that is fit for a header or a URL."""
    value = member(body, *names)
    if not re.fullmatch(pattern, value):
        raise Failed(f"FILE_SYNC_BASE_URL is not a file-sync service: its response has no {names[-1]}. {CHECK}")
    return value


def rejected(what, status, body):
    """Explains a rejection in the service's own words, and says what to do."""
    code = shown(member(body, "error") or member(body, "message")) or "no reason was given"
    description = shown(member(body, "error_description")) or "no description"
    advice = ADVICE.get(code, CHECK)
    return Failed(f"{what} was rejected with {status}: {code} ({description}). {advice}")


def is_encrypted(url, or_local):
    """http goes from this machine to this machine only."""
    return url.startswith("https://") or (
        or_local and re.match(r"http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?(/|$)", url)
    )


def request_token(base_url, client_id, client_secret):
    """RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined."""
    encoded_secret = urllib.parse.quote_plus(client_secret)
    pair = base64.b64encode(f"{urllib.parse.quote_plus(client_id)}:{encoded_secret}".encode()).decode()
    secrets[:] = client_secret, encoded_secret, pair
    form = b"grant_type=client_credentials&scope=sync%3Acreate"
    status, body = send("service", "POST", f"{base_url}/oauth/token", form, {"Authorization": f"Basic {pair}"})
    if status >= 300:
        raise rejected("The request for an access token", status, body)
    token = required("[A-Za-z0-9._~+/=-]+", body, "access_token")
    secrets.append(token)
    return token


def read_chunks(path, size):
    """Exactly as many bytes as were announced, so that a file that grows or shrinks is never stored in part."""
    left = size
    try:
        with open(path, "rb") as file:
            while left > 0:
                chunk = file.read(min(MEBIBYTE, left))
                left -= len(chunk)
                if not chunk or (left == 0 and os.fstat(file.fileno()).st_size != size):
                    raise Failed(f"{path} was changed while it was read. Try again when it is complete.")
                yield chunk
    except OSError as error:
        raise Failed(f"Cannot read {path}: {error.strerror}.")


def put(url, path, size):
    """Streams to the upload URL, which is signed: no token goes there. Without a length, the storage responds with 501."""
    headers = {"Content-Length": str(size), "Content-Type": "application/octet-stream"}
    status, body = send("storage", "PUT", url, read_chunks(path, size), headers)
    if 200 <= status < 300:
        return
    if status == 412:
        raise Failed("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.")
    code, message = (re.search(f"<{name}>([^<]*)<|$", body)[1] for name in ("Code", "Message"))
    words = shown(f"{code or 'no code'} ({message or 'no message'})")
    passes_with_a_new_url = "RequestTimeout|ConditionalRequestConflict|ExpiredToken|.*Request has expired"
    if re.match(passes_with_a_new_url, words):
        raise Failed(f"The storage responded with {status}: {words}.", 0)
    raise Failed(f"The storage rejected the file with {status}: {words}. Give this message to the operator.")


def upload(path, size, base_url, client_id, client_secret, file_id):
    """Each attempt asks for an upload URL: an interrupted attempt may have used up its URL."""
    token = None
    for attempt in range(1, 6):
        try:
            is_fresh = token is None
            token = token or request_token(base_url, client_id, client_secret)
            sync_url = f"{base_url}/v0/files/{urllib.parse.quote(file_id, safe='')}/sync"
            status, body = send("service", "POST", sync_url, b"", {"Authorization": f"Bearer {token}"})
            if status == 401 and not is_fresh:
                token = None
                raise Failed("The access token has expired.", 0)
            if status >= 300:
                raise rejected(f"The upload into file {file_id}", status, body)
            url = required("[A-Za-z0-9:/?&=%._~+-]+", body, "data", "upload_url")
            if not is_encrypted(url, base_url.startswith("http:")):
                raise Failed("The upload URL is not encrypted. Nothing was sent to it.")
            return put(url, path, size)
        except Failed as failure:
            if failure.wait is None:
                raise
            if attempt == 5:
                raise Failed(f"{failure} Given up after {attempt} attempts. Try again later.")
            if failure.wait > 120:
                raise Failed(f"{failure} It asks to wait {failure.wait} seconds. Try again after that.")
            # Longer each time, and by chance, so that clients that failed together don't come back together.
            wait = max(failure.wait, 2 ** (attempt - 1) * random.uniform(0.5, 1))
            print(f"{failure} Trying again in {wait:.1f} s.{''.join(quotes)}", file=sys.stderr)
            time.sleep(wait)


def usage(reason):
    print(reason, "usage: upload_file.py PATH", f"Set {', '.join(SETTINGS)}.", sep="\n", file=sys.stderr)
    sys.exit(2)


def main():
    if len(sys.argv) != 2:
        usage("Give a path.")
    path = sys.argv[1]
    settings = [os.environ.get(name) for name in SETTINGS]
    if not all(settings):
        usage("A setting is missing.")
    settings[0] = settings[0].rstrip("/")
    if not is_encrypted(settings[0], True):
        usage("FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only).")
    try:
        if not os.path.isfile(path):
            raise Failed(f"{path} is not a file.")
        size = os.path.getsize(path)
        if size > MAXIMUM_BYTES:
            raise Failed(f"{path} has {size} bytes. One upload takes at most {MAXIMUM_BYTES}. Nothing was sent.")
        upload(path, size, *settings)
        print(f"{path} is uploaded into file {settings[3]}: {size} bytes.")
    except Failed as failure:
        sys.exit(f"error: {failure}{''.join(quotes)}")


if __name__ == "__main__":
    main()
