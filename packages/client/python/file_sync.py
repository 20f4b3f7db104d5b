#!/usr/bin/env python3
"""Uploads files to a file-sync service: retries, checks the MD5. Python 3.9 or later, standard library only."""

import base64
import hashlib
import http.client
import json
import os
import random
import re
import socket
import ssl
import sys
import threading
import time
import urllib.parse

MAX_BYTES = 5 * 1024**3
CHUNK_BYTES = MAX_RESPONSE_BYTES = 1024**2
RESPONSE_SECONDS = 35
IDLE_SECONDS = 120
VARIABLES = ("FILE_SYNC_BASE_URL", "FILE_SYNC_CLIENT_ID", "FILE_SYNC_CLIENT_SECRET", "FILE_SYNC_FILE_ID")
LOCAL = r"http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?(/|$)"
TEMPORARY = ("RequestTimeout", "ConditionalRequestConflict", "ExpiredToken")
REASONS = {
    401: "The client id or client secret is wrong, or the client is revoked.",
    403: "The client lacks the scope sync:create, which an operator can allow.",
    404: "There is no such file, or it belongs to another organisation.",
    409: "The file does not have syncing enabled. An operator can enable it.",
}
USED = "The upload URL was already used, or an operator has cancelled it. Upload the file again."


class FileSyncError(Exception):
    """Failure of an upload. It never contains a secret, a token or a signature."""

    def __init__(self, message, wait=None):
        super().__init__(message)
        # Seconds before a retry that may help. None: a retry does not help.
        self.wait = wait


class FileSyncClient:
    """A client of the service, which keeps its access token for all its uploads."""

    def __init__(self, base_url, client_id, client_secret, sleep=time.sleep):
        self._base = _checked(base_url.rstrip("/"), True, "The base URL")
        pair = ":".join(urllib.parse.quote_plus(part) for part in (client_id, client_secret))
        self._basic = base64.b64encode(pair.encode()).decode()
        self._sleep = sleep
        self._token = (None, 0)

    def upload_file(self, file_id, path, on_progress=None, on_retry=None):
        """Replaces the content of a file of the service with a local file. Returns its MD5.

        on_progress(sent_bytes, total_bytes) is called after each chunk, on_retry(reason, seconds) before each wait.
        """
        doubts = []
        for attempt in range(1, 6):
            try:
                return self._attempt(file_id, path, on_progress, doubts)
            except FileSyncError as error:
                reason, wait = str(error), error.wait
            if wait is None or wait > 120 or attempt == 5:
                if wait is not None:
                    reason += f" Gave up after {attempt} attempts: try again later."
                if doubts:
                    reason += f" It may be stored anyway: upload {' and '.join(doubts)}."
                raise FileSyncError(reason, wait)
            seconds = max(wait, 2 ** (attempt - 1) * random.uniform(0.5, 1))
            if on_retry:
                on_retry(reason, seconds)
            self._sleep(seconds)

    def _attempt(self, file_id, path, on_progress, doubts):
        if not os.path.isfile(path):
            raise FileSyncError(f"{path} is not a regular file, or does not exist.")
        try:
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size > MAX_BYTES:
                    raise FileSyncError(f"{path} has {size} bytes. One upload can have at most {MAX_BYTES}.")
                # Each attempt requests a new upload URL: an interrupted attempt may have used up its URL.
                url = self._upload_url(file_id)
                return self._put(url, file, on_progress, doubts)
        except OSError as error:
            raise FileSyncError(f"Cannot read {path}: {error.strerror}.") from None

    def _upload_url(self, file_id):
        path = f"/v0/files/{urllib.parse.quote(file_id, safe='')}/sync"
        for _ in range(2):
            if time.monotonic() >= self._token[1]:
                form = b"grant_type=client_credentials&scope=sync%3Acreate"
                value = _json(*self._post("/oauth/token", f"Basic {self._basic}", form))
                seconds = value.get("expires_in")
                usable = seconds - 60 if isinstance(seconds, int) else 0
                self._token = (_safe(value.get("access_token"), "access_token"), time.monotonic() + usable)
            status, body = self._post(path, f"Bearer {self._token[0]}", b"")
            if status != 401:
                break
            self._token = (None, 0)
        data = _json(status, body).get("data")
        url = _safe(data.get("upload_url") if isinstance(data, dict) else None, "upload_url")
        return _checked(url, self._base.startswith("http:"), "The upload URL")

    def _post(self, path, authorization, form):
        headers = {"Authorization": authorization, "Content-Type": "application/x-www-form-urlencoded"}
        status, _, body = _send("POST", self._base + path, headers, form)
        return status, body

    def _put(self, url, file, on_progress, doubts):
        digest = hashlib.md5()
        before = os.fstat(file.fileno())
        size = before.st_size
        upload = _shown(urllib.parse.urlsplit(url).path.rsplit("/", 1)[-1])

        def chunks():
            sent = 0
            while sent < size:
                try:
                    chunk = file.read(min(CHUNK_BYTES, size - sent))
                except OSError as error:
                    raise FileSyncError(f"Cannot read the file: {error.strerror}.") from None
                sent += len(chunk)
                after = os.fstat(file.fileno())
                # The storage keeps the object only after the last byte, so the check comes before it.
                if not chunk or (after.st_size, after.st_mtime_ns) != (size, before.st_mtime_ns):
                    raise FileSyncError("The file was changed while it was read. Nothing was stored.")
                digest.update(chunk)
                if sent == size:
                    doubts.append(upload)
                yield chunk
                if on_progress:
                    on_progress(sent, size)

        status, headers, body = _send("PUT", url, {"Content-Length": str(size)}, chunks())
        if upload in doubts:
            doubts.remove(upload)
        if 200 <= status < 300:
            md5, etag = digest.hexdigest(), headers.get("ETag", "").strip('"')
            is_md5 = headers.get("x-amz-server-side-encryption", "AES256") == "AES256"
            if is_md5 and re.fullmatch("[0-9a-f]{32}", etag) and etag != md5:
                raise FileSyncError(f"The stored bytes have MD5 {etag}, the sent bytes {md5}. Upload the file again.")
            return md5
        code, message = (re.search(f"<{name}>([^<]*)<|$", body)[1] or "" for name in ("Code", "Message"))
        is_temporary = code in TEMPORARY or "Request has expired" in message
        words = USED if status == 412 else f"{_shown(code)} {_shown(message)}".strip()
        raise FileSyncError(f"The storage responded with {status}: {words}", 0 if is_temporary else None)


def _send(method, url, headers, body):
    """Sends a request on its own connection. Follows no redirect, so credentials reach only the given URL."""
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    timer = None
    try:
        connection = kind(parts.hostname, parts.port, timeout=IDLE_SECONDS)
        try:
            connection.connect()
            # A timeout of a socket does not end a response that arrives slowly.
            timer = threading.Timer(RESPONSE_SECONDS, connection.sock.shutdown, [socket.SHUT_RDWR])
            timer.daemon = True
            if method == "POST":
                timer.start()
            try:
                connection.request(method, f"{parts.path}?{parts.query}", body, headers)
            except (BrokenPipeError, ConnectionResetError):
                pass  # A rejection may come before the last byte was sent.
            response = connection.getresponse()
            status, headers = response.status, response.headers
            if method == "PUT" and 200 <= status < 300:
                return status, headers, ""
            if method == "PUT":
                timer.start()
            text = response.read(MAX_RESPONSE_BYTES).decode("utf-8", "replace")
            if response.length and len(text) < MAX_RESPONSE_BYTES:
                raise http.client.IncompleteRead(b"")
        finally:
            if timer:
                timer.cancel()
            connection.close()
    except ssl.SSLCertVerificationError as error:
        raise FileSyncError(f"The certificate of {parts.hostname} is not trusted: {error.verify_message}.") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = _shown(getattr(error, "strerror", None) or type(error).__name__)
        raise FileSyncError(f"The connection to {_shown(parts.netloc)} broke: {reason}.", 0) from None
    if status == 429 or (status >= 500 and status != 501):
        after = headers.get("Retry-After", "")
        seconds = int(after) if re.fullmatch("[0-9]{1,12}", after) else 0
        raise FileSyncError(f"{_shown(parts.netloc)} responded with {status}.", seconds)
    return status, headers, text


def _json(status, body):
    if status != 200:
        raise FileSyncError(f"The service responded with {status}. {REASONS.get(status, 'Check the base URL.')}")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}


def _safe(value, name):
    """Returns a text from the service that is safe in a header or a URL."""
    if isinstance(value, str) and re.fullmatch(r"[\w:/?&=%.~+-]+", value, re.ASCII):
        return value
    raise FileSyncError(f"The response of the service contains no {name}. Check the base URL.")


def _checked(url, or_local, what):
    if re.match(r"https://[^/?#@]+(/|$)", url) or (or_local and re.match(LOCAL, url)):
        return url
    raise FileSyncError(f"{what} must start with https:// (http:// only for this machine). Nothing was sent to it.")


def _shown(text):
    """Returns text from a server for messages: short, and without any long word, which could be a signature."""
    return re.sub(r"\S{40,}", "...", re.sub("[^ -~]", "?", text))[:200]


def main():
    values = [os.environ.get(name, "") for name in VARIABLES]
    if len(sys.argv) != 2 or not all(values):
        sys.exit(f"usage: file_sync.py PATH\nSet {', '.join(VARIABLES)}.")

    def on_retry(reason, seconds):
        print(f"{reason} Trying again in {seconds:.1f} s.", file=sys.stderr)

    try:
        md5 = FileSyncClient(*values[:3]).upload_file(values[3], sys.argv[1], on_retry=on_retry)
        print(f"{sys.argv[1]} is uploaded into file {values[3]}: MD5 {md5}.")
    except FileSyncError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
