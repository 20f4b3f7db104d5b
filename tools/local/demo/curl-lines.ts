import { routes } from '../../../contract/routes.ts';
import { shellWord } from '../../operator/text.ts';

interface CurlSettings {
  readonly baseUrl: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly fileId: string;
  /** File to upload. Absolute path, because the lines may be run in any folder. */
  readonly uploadPath: string;
}

/**
 * Returns the steps of an upload as lines for a POSIX shell, with curl and jq only. Only the path is quoted.
 * The other values are identifiers, a secret and the base URL, and contain no special characters of the
 * shell.
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
 * Returns the three requests. They use the variables that {@link curlLines} sets. README.md and docs/api.md
 * show the same lines.
 */
export function curlSteps(uploadPath: string): string[] {
  const syncPath = routes.sync.path.replace('{fileId}', '$FILE_SYNC_FILE_ID');
  return [
    'TOKEN=$(curl -sSu "$FILE_SYNC_CLIENT_ID:$FILE_SYNC_CLIENT_SECRET" -d grant_type=client_credentials \\',
    `  --url "$FILE_SYNC_BASE_URL${routes.token.path}" | jq -ser '.[0]|.access_token//halt_error') &&`,
    'URL=$(curl -sS -X POST -H "Authorization: Bearer $TOKEN" --url \\',
    `  "$FILE_SYNC_BASE_URL${syncPath}" | jq -er '.data.upload_url//halt_error') &&`,
    // With another scheme, such as file:, curl would write a file.
    `curl -gsS --proto =http,https -w '%{http_code}\\n' -T ${shellWord(uploadPath)} --url "$URL" |`,
    `  jq -Rsej 'select(.=="200\\n")//halt_error'`,
  ];
}
