import base64
import os
import urllib.request

from generated import AuthenticatedClient
from generated.api.authentication import create_token
from generated.api.files import create_file_sync
from generated.api.volumes import list_volumes
from generated.models import CreateTokenBody, FileSyncUploadUrl, GatewayError, NotFound, Token, VolumeList

base_url = os.environ["FILE_SYNC_BASE_URL"]
pair = f"{os.environ['FILE_SYNC_CLIENT_ID']}:{os.environ['FILE_SYNC_CLIENT_SECRET']}"
basic = AuthenticatedClient(base_url=base_url, token=base64.b64encode(pair.encode()).decode(), prefix="Basic")
token = create_token.sync(client=basic, body=CreateTokenBody(grant_type="client_credentials"))
assert isinstance(token, Token)
client = AuthenticatedClient(base_url=base_url, token=token.access_token)
volumes = list_volumes.sync(client=client)
assert isinstance(volumes, VolumeList)
sync = create_file_sync.sync(os.environ["FILE_SYNC_FILE_ID"], client=client)
assert isinstance(sync, FileSyncUploadUrl)
request = urllib.request.Request(sync.data.upload_url, data=b"content", method="PUT")
with urllib.request.urlopen(request) as answer:
    put = answer.status
unknown = create_file_sync.sync("no-such-file", client=client)
assert isinstance(unknown, NotFound)
# API Gateway sends its own response body if no route matches.
elsewhere = AuthenticatedClient(base_url=f"{base_url}/nowhere", token=token.access_token)
assert isinstance(create_file_sync.sync("any", client=elsewhere), GatewayError)
print(token.token_type, len(volumes.data), put, unknown.error)
