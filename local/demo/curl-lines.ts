export interface CurlSettings {
  readonly baseUrl: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly fileId: string;
  /** What to upload. Absolute, since nobody knows in which folder the lines are run. */
  readonly uploadPath: string;
}

/**
 * The whole job as lines for a POSIX shell, with nothing but curl and sed. All values but the path are identifiers,
 * secrets and an address of ours: none has a character that a shell would take for its own.
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

/** Text that a shell takes as it is. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Takes one text member out of a JSON object, without a JSON tool that a machine may not have. */
function member(name: string): string {
  return `sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p'`;
}
