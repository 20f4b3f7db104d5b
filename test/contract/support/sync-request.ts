import { bearer, type HttpResponse, type Question } from './http.ts';
import { api } from './tested.ts';
import { UploadUrl } from './upload-url.ts';

/** Sends POST /v0/files/{fileId}/sync. */
export function requestSync(
  token: string,
  fileId: string,
  more: Pick<Question, 'headers' | 'body'> = {},
): Promise<HttpResponse> {
  const headers = { ...bearer(token), ...more.headers };
  return api.call({ ...more, method: 'POST', path: `/v0/files/${fileId}/sync`, headers });
}

/**
 * Requests a new upload URL. Retries once after a 500, as its text tells clients: on a machine that is busy
 * with other tests, AWS may respond later than a function waits. Tests of responses call {@link requestSync}.
 *
 * @throws {Error} with the status, if no URL is issued
 */
export async function requestUploadUrl(token: string, fileId: string): Promise<UploadUrl> {
  const first = await requestSync(token, fileId);
  const response = first.status === 500 ? await requestSync(token, fileId) : first;
  if (response.status !== 200) {
    throw new Error(`The sync endpoint responded with ${response.status}: ${response.text}`);
  }
  const body = JSON.parse(response.text) as { readonly data: { readonly upload_url: string } };
  return new UploadUrl(body.data.upload_url);
}
