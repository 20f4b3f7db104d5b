#!/usr/bin/env python3
"""Uploads a file into a file of the service, with the standard library of Python 3.9 or later."""

import base64
import email.utils
import http.client
import json
import math
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
MAXIMUM_ATTEMPTS = 5
CHUNK_BYTES = ANSWER_BYTES = 1_048_576
ANSWER_SECONDS = 35

ADVICE = {
    "invalid_client": "Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.",
    "invalid_scope": "Ask the operator to allow this client the scope sync:create.",
    "insufficient_scope": "Ask the operator to allow this client the scope sync:create.",
    "not_found": "Check the file id. The file must belong to the client's organisation.",
    "sync_not_enabled": "Ask the operator to enable syncing for this file.",
}


class UsageError(Exception):
    """The command line or a setting makes no sense. Nothing was sent."""


class Failed(Exception):
    """Another attempt would not help."""


class NotAService(Exception):
    """The answer comes from something else than this service."""


class Retry(Exception):
    """Another attempt may help, after so many seconds at least."""

    def __init__(self, reason, wait=0):
        super().__init__(reason)
        self.wait = wait


class KeepsEveryAnswer(urllib.request.HTTPErrorProcessor):
    """A refusal is an answer too. A redirect is not followed: it would carry the token to another address."""

    def http_response(self, _, answer):
        return answer

    https_response = http_response


class Handler(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    def do_open(self, connection, request, **options):
        class ReadsEarlyAnswer(connection):
            """A refusal may come before the last byte was sent. It is read although the rest could not be sent."""

            def request(self, *arguments, **options):
                try:
                    super().request(*arguments, **options)
                except (BrokenPipeError, ConnectionResetError):
                    if self.sock is None:
                        raise

        return super().do_open(ReadsEarlyAnswer, request, **options)


opener = urllib.request.build_opener(KeepsEveryAnswer, Handler)
quotes = []
secrets = []


def within(seconds, work, *arguments):
    """A timeout of urllib is for each wait: without this, an answer that drips would never end."""
    return multiprocessing.pool.ThreadPool(1).apply_async(work, arguments).get(seconds)


def shown(text):
    """Text of another side, without what steers a terminal or tells a secret."""
    text = re.sub("[^ -~]", "", text)
    if any(secret in text for secret in secrets):
        return "(not shown: it quotes a secret)"
    return re.sub("[A-Za-z0-9._~%+/=-]{40,}", "...", text)[:200]


def seconds_until(asked):
    """RFC 9110 section 10.2.3: seconds or a date."""
    try:
        if re.fullmatch("[0-9]{1,9}", asked):
            return int(asked)
        return max(0, math.ceil(email.utils.parsedate_to_datetime(asked).timestamp() - time.time()))
    except (ValueError, TypeError, OverflowError):
        return 0


def judge(answer, what):
    """Keeps the request id for the operator. Raises when the status says enough."""
    request_id = answer.headers.get("apigw-requestid") or answer.headers.get("x-amz-request-id", "")
    if re.fullmatch("[A-Za-z0-9_=-]{1,39}", request_id) and shown(request_id) == request_id:
        quotes.append(f" Quote request id {request_id} of the {what} to the operator.")
    if answer.status == 429 or answer.status >= 500:
        raise Retry(f"The {what} answered {answer.status}.", seconds_until(answer.headers.get("Retry-After", "")))
    if 300 <= answer.status < 400:
        advice = "Check FILE_SYNC_BASE_URL." if what == "service" else "Give this message to the operator."
        raise Failed(f"The {what} answered {answer.status}, a redirect, which is not followed. {advice}")


def exchange(request, what):
    """Sends one request. Returns status and body. The body of a success of the storage is not read."""
    answer = opener.open(request, timeout=120)
    judge(answer, what)
    if what == "storage" and answer.status < 300:
        return answer.status, ""
    body = within(ANSWER_SECONDS, answer.read, ANSWER_BYTES + 1)
    if len(body) > ANSWER_BYTES:
        if what == "service":
            raise NotAService("is larger than 1 MiB")
    elif answer.length:
        raise http.client.IncompleteRead(body)
    return answer.status, body.decode("utf-8", "replace")


def send(request, what, doubt=""):
    """Leaves in quotes the ids of the last request to the service, and of the PUT after it."""
    try:
        if what == "storage":
            return exchange(request, what)
        quotes.clear()
        return within(ANSWER_SECONDS, exchange, request, what)
    except (OSError, ValueError, http.client.HTTPException, multiprocessing.TimeoutError) as error:
        reason = getattr(error, "reason", error)
        words = shown(str(reason)) or "no answer in time"
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise Failed(f"The certificate of the {what} is wrong: {words}.")
        raise Retry(f"The connection to the {what} broke: {words}.{doubt}")


def refused(what, status, body):
    """Explains a refusal in the service's own words, and says what to do."""
    try:
        words = {name: shown(text) for name, text in json.loads(body).items() if isinstance(text, str)}
    except (ValueError, AttributeError, RecursionError):
        words = {}
    code = words.get("error") or words.get("message") or "no reason was given"
    advice = ADVICE.get(code, "Check FILE_SYNC_BASE_URL, or give this message to the operator.")
    return Failed(f"{what} was refused with {status}: {code} ({words.get('error_description') or 'no description'}). {advice}")


def read_answer(body, pattern, *names):
    """A member of the answer. Members that are not known are ignored: the service may add some."""
    try:
        value = json.loads(body)
        for name in names:
            value = value[name]
        return re.fullmatch(pattern, value)[0]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise NotAService(f"has no {names[-1]}")


def is_encrypted_or_local(url):
    parts = urllib.parse.urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1"))


def request_token(base_url, client_id, client_secret):
    """RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined."""
    encoded_secret = urllib.parse.quote_plus(client_secret)
    pair = base64.b64encode(f"{urllib.parse.quote_plus(client_id)}:{encoded_secret}".encode()).decode()
    secrets[:] = client_secret, encoded_secret, pair
    form = urllib.parse.urlencode({"grant_type": "client_credentials", "scope": "sync:create"})
    headers = {"Authorization": f"Basic {pair}"}
    request = urllib.request.Request(f"{base_url}/oauth/token", form.encode(), headers, method="POST")
    status, body = send(request, "service")
    if not 200 <= status < 300:
        raise refused("The request for an access token", status, body)
    token = read_answer(body, "[A-Za-z0-9._~+/=-]+", "access_token")
    secrets.append(token)
    return token


def request_sync(base_url, file_id, token):
    url = f"{base_url}/v0/files/{urllib.parse.quote(file_id, safe='')}/sync"
    request = urllib.request.Request(url, b"", {"Authorization": f"Bearer {token}"}, method="POST")
    return send(request, "service")


def read_chunks(path, size):
    """Exactly as many bytes as were announced, so that a file that grows or shrinks is never stored in part."""
    try:
        with open(path, "rb") as file:
            left = size
            while left > 0 and (chunk := file.read(min(CHUNK_BYTES, left))):
                left -= len(chunk)
                if left == 0 and os.fstat(file.fileno()).st_size != size:
                    break
                yield chunk
    except OSError as error:
        raise Failed(f"Cannot read {path}: {error.strerror}.")
    if os.stat(path).st_size != size:
        raise Failed(f"{path} was changed while it was read. Nothing was stored. Try again when it is complete.")


def put(url, path, size):
    """Streams to the upload URL, which is signed: no token goes there. Without a length, the storage answers 411."""
    headers = {"Content-Length": str(size), "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, read_chunks(path, size), headers, method="PUT")
    status, body = send(request, "storage", " The file may be stored all the same.")
    if 200 <= status < 300:
        return
    if status == 412:
        raise Failed("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.")
    code, message = (re.search(f"<{name}>([^<]*)<", body) for name in ("Code", "Message"))
    words = f"{shown(code[1]) if code else 'no code'} ({shown(message[1]) if message else 'no message'})"
    passes_with_a_new_url = "RequestTimeout|ConditionalRequestConflict|ExpiredToken|.*Request has expired"
    if re.match(passes_with_a_new_url, words):
        raise Retry(f"The storage answered {status}: {words}.")
    raise Failed(f"The storage refused the file with {status}: {words}. Give this message to the operator.")


def pause(attempt):
    """Longer each time, and by chance, so that clients that failed together don't come back together."""
    return 2 ** (attempt - 1) * random.uniform(0.5, 1)


def upload(path, base_url, client_id, client_secret, file_id):
    """Returns the size. Each attempt asks for an upload URL: an interrupted attempt may have used up its URL."""
    if not os.path.isfile(path):
        raise Failed(f"{path} is not a file.")
    size = os.stat(path).st_size
    if size > MAXIMUM_BYTES:
        raise Failed(f"{path} has {size} bytes. One upload takes at most {MAXIMUM_BYTES} (5 GiB). Nothing was sent.")
    token = None
    for attempt in range(1, MAXIMUM_ATTEMPTS + 1):
        try:
            is_fresh = token is None
            token = token or request_token(base_url, client_id, client_secret)
            status, body = request_sync(base_url, file_id, token)
            if status == 401 and not is_fresh:
                token = None
                raise Retry("The access token has expired.")
            if not 200 <= status < 300:
                raise refused(f"The upload into file {file_id}", status, body)
            url = read_answer(body, "[A-Za-z0-9:/?&=%._~+-]+", "data", "upload_url")
            if not is_encrypted_or_local(url) or (base_url.startswith("https") and not url.startswith("https")):
                raise Failed("The upload URL is not encrypted. Nothing was sent to it.")
            put(url, path, size)
            return size
        except NotAService as fault:
            raise Failed(f"{base_url} is not a file-sync service: its answer {fault}. Check FILE_SYNC_BASE_URL.")
        except Retry as retry:
            if attempt == MAXIMUM_ATTEMPTS:
                raise Failed(f"{retry} Given up after {attempt} attempts. Try again later.")
            if retry.wait > 120:
                raise Failed(f"{retry} It asks to wait {retry.wait} seconds. Try again after that.")
            wait = max(retry.wait, pause(attempt))
            print(f"{retry} Trying again in {wait:.1f} s.{''.join(quotes)}", file=sys.stderr)
            time.sleep(wait)


def main():
    try:
        if len(sys.argv) != 2 or not all(sys.argv):
            raise UsageError("Give a path.")
        names = ("FILE_SYNC_BASE_URL", "FILE_SYNC_CLIENT_ID", "FILE_SYNC_CLIENT_SECRET", "FILE_SYNC_FILE_ID")
        settings = [os.environ.get(name) for name in names]
        if not all(settings):
            raise UsageError("A setting is missing.")
        if not is_encrypted_or_local(settings[0]):
            raise UsageError("FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only).")
        settings[0] = settings[0].rstrip("/")
        path = sys.argv[1]
        size = upload(path, *settings)
        print(f"{path} is uploaded into file {settings[3]}: {size} bytes.")
        return 0
    except UsageError as error:
        print(error, "usage: upload_file.py PATH", sep="\n", file=sys.stderr)
        print("Set FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET and FILE_SYNC_FILE_ID.", file=sys.stderr)
        return 2
    except Failed as error:
        print(f"error: {error}{''.join(quotes)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
