import { shellWord } from '../../cli/text.ts';

export interface CurlSettings {
  readonly baseUrl: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly fileId: string;
  /** What to upload. An absolute path: the lines may be run in any folder. */
  readonly uploadPath: string;
}

/**
 * The whole job as lines for a POSIX shell, with curl and sed alone. All values but the path are identifiers, secrets and
 * an address of this service: none has a character that means something to a shell.
 */
export function curlLines({ baseUrl, client, fileId, uploadPath }: CurlSettings): string[] {
  return [
    `BASE_URL=${baseUrl}`,
    `CLIENT_ID=${client.client_id}`,
    `CLIENT_SECRET=${client.client_secret}`,
    `FILE_ID=${fileId}`,
    'TOKEN=$(curl -sS --fail-with-body -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials ' +
      `"$BASE_URL/oauth/token" | ${member('access_token')})`,
    'curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$BASE_URL/v0/volumes"; echo',
    'URL=$(curl -sS --fail-with-body -X POST -H "Authorization: Bearer $TOKEN" ' +
      `"$BASE_URL/v0/files/$FILE_ID/sync" | ${member('upload_url')})`,
    `curl -sS --fail-with-body -X PUT --upload-file ${shellWord(uploadPath)} "$URL" && echo uploaded`,
  ];
}

/** Takes one text member out of a JSON object, without a JSON tool that a machine may not have. */
function member(name: string): string {
  return `sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p'`;
}
