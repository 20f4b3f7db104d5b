import { routes } from '../../../contract/routes.ts';
import { shellWord } from '../../operator/text.ts';

export interface CurlSettings {
  readonly baseUrl: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly fileId: string;
  /** What to upload. An absolute path: the lines may be run in any folder. */
  readonly uploadPath: string;
}

/**
 * The steps of an upload as lines for a POSIX shell, with curl and sed only. Only the path is quoted. The other values
 * are identifiers, a secret and the base URL, and contain no special character of the shell.
 */
export function curlLines({ baseUrl, client, fileId, uploadPath }: CurlSettings): string[] {
  return [
    `export FILE_SYNC_BASE_URL=${baseUrl}`,
    `export FILE_SYNC_CLIENT_ID=${client.client_id}`,
    `export FILE_SYNC_CLIENT_SECRET=${client.client_secret}`,
    `export FILE_SYNC_FILE_ID=${fileId}`,
    ...curlSteps(uploadPath),
  ];
}

/**
 * The steps, once the four variables are set. README.md shows the same lines. A step that fails prints the answer on
 * standard error, and the steps after it are not run.
 */
export function curlSteps(uploadPath: string): string[] {
  const syncPath = routes.sync.path.replace('{fileId}', '$FILE_SYNC_FILE_ID');
  return [
    // One line, so that its end is curl's own: what the other side sends cannot look like a status. The storage may
    // be slower than 35 s.
    `call() { ANSWER=$(curl -qgsS --proto "=\${FILE_SYNC_BASE_URL%%:*}" -m 35 -w ' request id %header{apigw-requestid}, curl %{exitcode}, status %{http_code}' "$@" |`,
    "    LC_ALL=C tr -cd ' -~' | head -c 1048576)",
    `  case \${#ANSWER}$ANSWER in 1048576*) ;; *', curl 0, status 2'??) return ;; esac; show >&2; return 1; }`,
    'show() { case $ANSWER in *"$FILE_SYNC_CLIENT_SECRET"*) echo \'The answer quotes the client secret.\' ;;',
    "  *) printf '%s\\n' \"$ANSWER\" | sed 's/[^ ,\"]\\{40,\\}/.../g' | cut -c 1-999 ;; esac; }",
    // Takes one text member out of a JSON object, without a JSON tool that a machine may not have.
    `field() { printf '%s\\n' "$ANSWER" | sed -n "s/.*\\"$1\\":\\"\\(\${2-}[A-Za-z0-9._~:/?&=%+-]*\\)\\".*/\\1/p"; }`,
    `call -u "$FILE_SYNC_CLIENT_ID:\${FILE_SYNC_CLIENT_SECRET:?}" -d grant_type=client_credentials "$FILE_SYNC_BASE_URL${routes.token.path}" && TOKEN=$(field access_token) &&`,
    `call -H "Authorization: Bearer \${TOKEN:?not in the answer}" "$FILE_SYNC_BASE_URL${routes.volumes.path}" && show &&`,
    `call -X POST -H "Authorization: Bearer $TOKEN" "$FILE_SYNC_BASE_URL${syncPath}" && URL=$(field upload_url http) &&`,
    `call -m 0 -Y 1000 -y 120 -T ${shellWord(uploadPath)} "\${URL:?not in the answer}" && echo uploaded`,
  ];
}
