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
    // The request id is printed with a refusal only: https://curl.se/docs/manpage.html#-w (onerror).
    'call() { ANSWER=$(curl -sS --fail-with-body -w \'%{onerror}\\nrequest id %header{apigw-requestid}\' "$@") ||',
    '    { printf \'%s\\n\' "$ANSWER" >&2; return 1; }; }',
    // Takes one text member out of a JSON object, without a JSON tool that a machine may not have.
    'field() { printf \'%s\\n\' "$ANSWER" | sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }',
    `call -u "$FILE_SYNC_CLIENT_ID:$FILE_SYNC_CLIENT_SECRET" -d grant_type=client_credentials "$FILE_SYNC_BASE_URL${routes.token.path}" &&`,
    '    TOKEN=$(field access_token) &&',
    `call -H "Authorization: Bearer $TOKEN" "$FILE_SYNC_BASE_URL${routes.volumes.path}" && printf '%s\\n' "$ANSWER" &&`,
    `call -X POST -H "Authorization: Bearer $TOKEN" "$FILE_SYNC_BASE_URL${syncPath}" &&`,
    '    URL=$(field upload_url) &&',
    `call -X PUT --upload-file ${shellWord(uploadPath)} "$URL" && echo uploaded`,
  ];
}
