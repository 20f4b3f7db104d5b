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
from urllib.parse import quote, quote_plus, urlsplit

CHUNK_BYTES = 1024**2
TIMEOUT_SECONDS = 90
VARIABLES = ("FILE_SYNC_BASE_URL", "FILE_SYNC_CLIENT_ID", "FILE_SYNC_CLIENT_SECRET", "FILE_SYNC_FILE_ID")
TEMPORARY = ("RequestTimeout", "ConditionalRequestConflict", "ExpiredToken")
REASONS = {
    401: "The client id or client secret is wrong, or the client is revoked.",
    403: "The client lacks the scope sync:create, which an operator can allow.",
    404: "There is no such file, or it belongs to another organisation.",
    409: "The file does not have syncing enabled. An operator can enable it.",
    412: "The upload URL was already used, or an operator has cancelled it. Upload the file again.",
}


class FileSyncError(Exception):
    """Failure of an upload. It never contains a secret, a token or a signature."""

    def __init__(self, message, wait=None):
        super().__init__(message)
        # Seconds. None if a retry does not help.
        self.wait = wait


class FileSyncClient:
    """A client of the service, which keeps its access token for all its uploads."""

    def __init__(self, base_url, client_id, client_secret):
        self._base = _checked(base_url.rstrip("/"), True, "The base URL")
        pair = f"{quote_plus(client_id)}:{quote_plus(client_secret)}"
        basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self._basic = {"Authorization": basic, "Content-Type": "application/x-www-form-urlencoded"}
        self._token = None

    def upload_file(self, file_id, path, on_retry=None):
        """Replaces the content of a file of the service with a local file. Returns its MD5.

        on_retry(reason, seconds) is called before each wait. Raises FileSyncError or OSError.
        """
        if not os.path.isfile(path):
            raise FileSyncError(f"{path} is not a regular file, or does not exist.")
        doubts = []
        for attempt in range(1, 6):
            try:
                with open(path, "rb") as file:
                    return self._put(self._upload_url(file_id), file, doubts)
            except FileSyncError as error:
                failure = error
            if failure.wait is None or failure.wait > 120:
                break
            if attempt < 5:
                seconds = max(failure.wait, 2 ** (attempt - 1) * random.uniform(0.5, 1))
                if on_retry:
                    on_retry(failure, seconds)
                time.sleep(seconds)
        doubt = f" It may be stored anyway: upload {' and '.join(doubts)}." if doubts else ""
        raise FileSyncError(f"{failure} Attempts: {attempt}.{doubt}", failure.wait)

    def _upload_url(self, file_id):
        for _ in range(2):
            if not self._token:
                form = b"grant_type=client_credentials&scope=sync%3Acreate"
                response = _send("POST", f"{self._base}/oauth/token", self._basic, form)
                self._token = _member(response, "access_token")
            url = f"{self._base}/v0/files/{quote(file_id, safe='')}/sync"
            response = _send("POST", url, {"Authorization": f"Bearer {self._token}"}, b"")
            if response[0] != 401:
                break
            self._token = None
        return _checked(_member(response, "data", "upload_url"), self._base.startswith("http:"), "The upload URL")

    def _put(self, url, file, doubts):
        digest, before = hashlib.md5(), os.fstat(file.fileno())
        upload = _shown(urlsplit(url).path.rsplit("/", 1)[-1])

        def chunks():
            sent = 0
            while sent < before.st_size:
                try:
                    chunk = file.read(min(CHUNK_BYTES, before.st_size - sent))
                except OSError as error:
                    raise FileSyncError(f"Cannot read the file: {error.strerror}.") from None
                sent += len(chunk)
                after = os.fstat(file.fileno())
                # Before the last byte, because the storage then keeps the object.
                if not chunk or (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                    raise FileSyncError("The file was changed while it was read. Nothing was stored.")
                digest.update(chunk)
                if sent == before.st_size:
                    doubts.append(upload)
                yield chunk

        status, headers, body = _send("PUT", url, {"Content-Length": str(before.st_size)}, chunks())
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
        words = REASONS[412] if status == 412 else f"{_shown(code)} {_shown(message)}"
        raise FileSyncError(f"The storage responded with {status}: {words}", 0 if is_temporary else None)


def _send(method, url, headers, body):
    """Sends a request on its own connection. Follows no redirect, so credentials reach only the given URL."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        connection = kind(parts.hostname, parts.port, timeout=TIMEOUT_SECONDS)
        connection.connect()
        # For a response that arrives slowly.
        timer = threading.Timer(TIMEOUT_SECONDS, connection.sock.shutdown, [socket.SHUT_RDWR])
        try:
            try:
                connection.request(method, url.partition(parts.netloc)[2], body, headers)
            except (BrokenPipeError, ConnectionResetError):
                pass  # A rejection may come before the last byte was sent.
            timer.start()
            response = connection.getresponse()
            status, headers, text = response.status, response.headers, b""
            if method == "POST" or not 200 <= status < 300:
                text = response.read(CHUNK_BYTES)
                if response.length:
                    raise http.client.IncompleteRead(b"")
        finally:
            timer.cancel()
            connection.close()
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = _shown(getattr(error, "strerror", None) or type(error).__name__)
        wait = None if isinstance(error, ssl.SSLCertVerificationError) else 0
        raise FileSyncError(f"The connection to {parts.hostname} failed: {reason}.", wait) from None
    if status == 429 or (status >= 500 and status != 501):
        after = headers.get("Retry-After", "")
        wait = int(after) if re.fullmatch("[0-9]{1,12}", after) else 0
        raise FileSyncError(f"{parts.hostname} responded with {status}.", wait)
    return status, headers, text.decode("utf-8", "replace")


def _member(response, *names):
    """Returns a text of a JSON response that is safe in a header or a URL."""
    status, _, body = response
    if status != 200:
        raise FileSyncError(f"The service responded with {status}. {REASONS.get(status, 'Check the base URL.')}")
    try:
        value = json.loads(body)
        for name in names:
            value = value[name]
        if re.fullmatch(r"[\w:/?&=%.~+-]+", value, re.ASCII):
            return value
    except (ValueError, LookupError, TypeError, RecursionError):
        pass
    raise FileSyncError(f"The response of the service contains no {names[-1]}. Check the base URL.")


def _checked(url, or_local, what):
    local = r"http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?(/|$)"
    if re.match(r"https://[^/?#@]+(/|$)", url) or (or_local and re.match(local, url)):
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
    except (FileSyncError, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
