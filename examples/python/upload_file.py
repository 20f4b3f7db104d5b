#!/usr/bin/env python3
"""Uploads a file into a file of the service, with the standard library of Python 3.9 or later."""

import base64
import datetime
import email.utils
import http.client
import io
import json
import os
import random
import re
import ssl
import sys
import time
import urllib.parse
import urllib.request

MAXIMUM_BYTES = 5_368_709_120  # 5 GiB: what one PUT takes
MAXIMUM_ATTEMPTS = 5
MEBIBYTE = 1024 * 1024

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


class Deadline(io.RawIOBase):
    """Reads a socket whose timeout is for all waits together, not for each."""

    def __init__(self, sock):
        self.sock = sock
        self.file = sock.makefile("rb", 0)
        self.end = time.monotonic() + sock.gettimeout()

    def readable(self):
        return True

    def readinto(self, buffer):
        self.sock.settimeout(max(0.001, self.end - time.monotonic()))
        return self.file.readinto(buffer)


class TimedAnswer(http.client.HTTPResponse):
    def __init__(self, sock, *arguments, **options):
        super().__init__(sock, *arguments, **options)
        self.fp.close()
        self.fp = io.BufferedReader(Deadline(sock))


class ReadsEarlyAnswer:
    """A refusal may come before the last byte was sent. The refusal is read although the rest could not be sent."""

    response_class = TimedAnswer

    def request(self, *arguments, **options):
        try:
            super().request(*arguments, **options)
        except (BrokenPipeError, ConnectionResetError):
            if self.sock is None:
                raise


class PlainConnection(ReadsEarlyAnswer, http.client.HTTPConnection):
    pass


class SecureConnection(ReadsEarlyAnswer, http.client.HTTPSConnection):
    pass


class PlainHandler(urllib.request.HTTPHandler):
    def http_open(self, request):
        return self.do_open(PlainConnection, request)


class SecureHandler(urllib.request.HTTPSHandler):
    def https_open(self, request):
        return self.do_open(SecureConnection, request)


opener = urllib.request.build_opener(KeepsEveryAnswer, PlainHandler, SecureHandler)
quotes = []
secrets = []


def shown(text):
    """What another side wrote, fit for a terminal and a log. No word is as long as a secret or a signature."""
    text = str(text)
    if any(secret in text for secret in secrets):
        return "(a secret, not shown)"
    return re.sub(r"\S{40,}", "...", re.sub("[^ -~]", "?", text))[:200]


def seconds_of(retry_after):
    """Seconds or a date (RFC 9110 section 10.2.3)."""
    if re.fullmatch("[0-9]{1,12}", retry_after):
        return int(retry_after)
    try:
        date = email.utils.parsedate_to_datetime(retry_after)
        return int((date - datetime.datetime.now(datetime.timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return 0


def send(request, what, timeout, doubt=""):
    """Sends one request. Returns its status and its body. The timeout is for each wait, and for the whole answer.
    Leaves in quotes the ids of the last request to the service, and of the PUT after it."""
    if what == "service":
        quotes.clear()
    try:
        with opener.open(request, timeout=timeout) as answer:
            body = answer.read(MEBIBYTE)
            # Python reports a cut answer only to those who read without a limit.
            if answer.length and len(body) < MEBIBYTE:
                raise OSError("the answer was cut")
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise Failed(f"The certificate of the {what} is not trusted: {shown(reason.verify_message)}.")
        raise Retry(f"The connection to the {what} broke: {shown(reason)}.{doubt}")
    request_id = answer.headers.get("apigw-requestid") or answer.headers.get("x-amz-request-id", "")
    if re.fullmatch("[A-Za-z0-9_=-]{1,32}", request_id):
        quotes.append(f" Quote request id {shown(request_id)} of the {what} to the operator.")
    reason = f"The {what} answered {answer.status}."
    if answer.status == 429 or answer.status >= 500:
        raise Retry(reason, seconds_of(answer.headers.get("Retry-After", "")))
    if 300 <= answer.status < 400:
        raise Failed(f"{reason} This is a redirect, which is not followed. Check FILE_SYNC_BASE_URL.")
    return answer.status, body.decode("utf-8", "replace")


def member(body, *names):
    """A text of the answer, or None. Members that are not known are ignored: the service may add some."""
    try:
        value = json.loads(body)
        for name in names:
            value = value[name]
        return value if isinstance(value, str) else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def refused(what, status, body):
    """Explains a refusal in the service's own words, and says what to do."""
    code = member(body, "error") or member(body, "message") or "no reason was given"
    description = member(body, "error_description") or "no description"
    advice = ADVICE.get(code, "Check FILE_SYNC_BASE_URL, or give this message to the operator.")
    return Failed(f"{what} was refused with {status}: {shown(code)} ({shown(description)}). {advice}")


def required(body, pattern, *names):
    """A member that is fit for a header or a URL."""
    value = member(body, *names) or ""
    if not re.fullmatch(pattern, value):
        raise Failed(f"What answers at FILE_SYNC_BASE_URL is not a file-sync service: it gave no {names[-1]}. Check FILE_SYNC_BASE_URL.")
    return value


def is_encrypted_or_local(url):
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1"))


def request_token(base_url, client_id, client_secret):
    # RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined.
    pair = f"{urllib.parse.quote_plus(client_id)}:{urllib.parse.quote_plus(client_secret)}"
    basic = base64.b64encode(pair.encode()).decode()
    secrets[:] = [client_secret, urllib.parse.quote_plus(client_secret), basic]
    headers = {"Authorization": f"Basic {basic}"}
    form = urllib.parse.urlencode({"grant_type": "client_credentials", "scope": "sync:create"})
    request = urllib.request.Request(f"{base_url}/oauth/token", form.encode(), headers, method="POST")
    status, body = send(request, "service", 35)
    if status != 200:
        raise refused("The request for an access token", status, body)
    token = required(body, "[A-Za-z0-9._~+/=-]+", "access_token")
    secrets.append(token)
    return token


def request_sync(base_url, file_id, token):
    url = f"{base_url}/v0/files/{urllib.parse.quote(file_id, safe='')}/sync"
    request = urllib.request.Request(url, b"", {"Authorization": f"Bearer {token}"}, method="POST")
    return send(request, "service", 35)


def read_chunks(path, size):
    """Exactly as many bytes as were announced, so that a file that grows or shrinks is never stored in part."""
    try:
        with open(path, "rb") as file:
            left = size
            while left > 0 and (chunk := file.read(min(MEBIBYTE, left))):
                left -= len(chunk)
                if left == 0 and os.fstat(file.fileno()).st_size != size:
                    break
                yield chunk
    except OSError as error:
        raise Failed(f"Cannot read {path}: {error.strerror}.")
    if os.stat(path).st_size != size:
        raise Failed(f"{path} was changed while it was read. Nothing was stored. Try again when it is complete.")


def put(url, path, size, base_url):
    """Streams the file to the upload URL, which is signed: no token and no credentials go there."""
    # http goes from this machine to this machine only.
    if not is_encrypted_or_local(url) or url.startswith("http:") and not base_url.startswith("http:"):
        raise Failed("The upload URL is not encrypted. Nothing was sent to it.")
    secrets.append(url.partition("?")[2] or url)
    # Without a length, urllib would send a chunked body, which the storage refuses with 411.
    headers = {"Content-Length": str(size), "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, read_chunks(path, size), headers, method="PUT")
    status, body = send(request, "storage", 120, " The file may be stored all the same.")
    if 200 <= status < 300:
        return
    if status == 412:
        raise Failed("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.")
    code, message = (re.search(f"<{name}>([^<]*)<", body) for name in ("Code", "Message"))
    words = f"{code[1] if code else 'no code'} ({message[1] if message else 'no message'})"
    # These pass by themselves, or are cured by a new URL.
    if re.match("RequestTimeout|ConditionalRequestConflict|ExpiredToken|.*Request has expired", words):
        raise Retry(f"The storage answered {status}: {shown(words)}.")
    raise Failed(f"The storage refused the file with {status}: {shown(words)}. Give this message to the operator.")


def upload(path, base_url, client_id, client_secret, file_id):
    """Uploads the file and returns its size. Each attempt asks for an upload URL of its own, because an interrupted
    attempt may have used up its URL."""
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
                # The token expired while the file was sent. The next attempt gets a new token.
                token = None
                raise Retry("The access token has expired.")
            if status != 200:
                raise refused(f"The upload into file {file_id}", status, body)
            put(required(body, "https?://[!-~]+", "data", "upload_url"), path, size, base_url)
            return size
        except Retry as retry:
            if attempt == MAXIMUM_ATTEMPTS:
                raise Failed(f"{retry} Given up after {attempt} attempts. Try again later.")
            if retry.wait > 120:
                raise Failed(f"{retry} It asks to wait {retry.wait} seconds. Try again after that.")
            # Longer each time, and by chance, so that clients that failed together don't come back together.
            wait = max(retry.wait, 2 ** (attempt - 1) * random.uniform(0.5, 1))
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
