"""Uploads a file with the standard library of Python 3.9 or later: python3 upload_file.py PATH"""

import json
import os
import random
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


def upload_file(base_url, client_id, client_secret, file_id, path):
    """Uploads the content of a path. Retries once, with a new upload URL.

    Raises RuntimeError for a final rejection, otherwise OSError or HTTPException.
    """
    base_url = base_url.rstrip("/")
    credentials = {"client_id": client_id, "client_secret": client_secret}
    form = urlencode({"grant_type": "client_credentials", **credentials}).encode()
    # Without its length, the file would be sent in chunks, which the storage rejects.
    length = {"Content-Length": str(os.path.getsize(path))}

    def attempt():
        token = json.loads(_send("POST", f"{base_url}/oauth/token", form, {}))["access_token"]
        bearer = {"Authorization": f"Bearer {token}"}
        sync_url = f"{base_url}/v0/files/{quote(file_id, safe='')}/sync"
        sync = json.loads(_send("POST", sync_url, b"", bearer))
        with open(path, "rb") as file:
            _send("PUT", sync["data"]["upload_url"], file, length)

    try:
        attempt()
    except (OSError, HTTPException):
        time.sleep(random.uniform(1, 3))
        attempt()


def _send(method, url, body, headers):
    """Returns the body of the response."""
    try:
        with urlopen(Request(url, body, headers, method=method), timeout=60) as response:
            return response.read()
    except HTTPError as error:
        text = f"{method} got {error.code}: {error.read().decode(errors='replace')}"
        is_temporary = error.code == 429 or error.code >= 500 and error.code != 501
        raise (ConnectionError if is_temporary else RuntimeError)(text) from None


if __name__ == "__main__":
    names = ("BASE_URL", "CLIENT_ID", "CLIENT_SECRET", "FILE_ID")
    upload_file(*(os.environ[f"FILE_SYNC_{name}"] for name in names), path=sys.argv[1])
    print("Uploaded.")
