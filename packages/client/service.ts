import { FileSyncError } from './errors.ts';
import { type HttpResponse, rejectTemporary, send } from './http.ts';
import { shown } from './text.ts';

/** Service to use, and credentials of the client. */
export interface Settings {
  /** Base URL of the service, with or without a final slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Request ids of the service's last response, and of the S3 response to the PUT after it. */
export interface RequestIds {
  requestId?: string | undefined;
  storageRequestId?: string | undefined;
}

const scope = 'sync:create';
const tokenEndpoint = 'The token endpoint';
const syncEndpoint = 'The sync endpoint';

/** Time before its end from which a token is not used any more. */
const marginSeconds = 60;

/**
 * Creates a function that requests an upload URL for a file, and before it an access token if there is no
 * valid one. It stores the request id of each response in `ids`, and removes it before each request.
 */
export function createRequestUploadUrl({ baseUrl, clientId, clientSecret }: Settings) {
  const base = parseBaseUrl(baseUrl);
  // Both parts are form-urlencoded before they are joined (RFC 6749 section 2.3.1).
  const pair = new URLSearchParams([[clientId, clientSecret]]).toString().replace('=', ':');
  const basic = `Basic ${Buffer.from(pair).toString('base64')}`;
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope }).toString();
  let token = { value: '', usableUntil: 0 };

  return async (fileId: string, signal: AbortSignal | undefined, ids: RequestIds): Promise<URL> => {
    const post = async (to: string, path: string, authorization: string, body: string) => {
      const headers = {
        authorization,
        ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
      };
      ids.requestId = undefined;
      // Node.js adds a Content-Length also to an empty body. Some proxies require it (RFC 9110 section 8.6).
      const response = await send({ url: new URL(base + path), headers, body, signal });
      ids.requestId = response.requestId;
      rejectTemporary(response, `${to} responded with ${response.status}.`);
      return response;
    };
    const sync = async () => {
      if (performance.now() >= token.usableUntil) {
        token = readToken(await post(tokenEndpoint, '/oauth/token', basic, form), clientId);
      }
      const path = `/v0/files/${encodeURIComponent(fileId)}/sync`;
      return post(syncEndpoint, path, `Bearer ${token.value}`, '');
    };
    let response = await sync();
    if (response.status === 401) {
      // The token has expired. There are no refresh tokens: request a new access token.
      token.usableUntil = 0;
      response = await sync();
    }
    return readUploadUrl(response, fileId, base);
  };
}

/**
 * Parses a base URL and removes a final slash. The URL must use https or a loopback address, because the
 * secret is sent to it.
 *
 * @throws {FileSyncError}
 */
export function parseBaseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !isEncryptedOrLocal(url) || url.username || url.password || url.search || url.hash) {
    // The value could contain a password.
    throw new FileSyncError(
      'invalid_argument',
      'The base URL must start with https:// (http:// only for this machine), and must not have a user, a query or a fragment.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Returns true if data sent to the URL cannot be read on a network. */
function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
}

function readToken(response: HttpResponse, clientId: string) {
  const { access_token: value, expires_in: seconds } = read(tokenEndpoint, response, clientId);
  if (typeof value !== 'string' || !/^[\w.~+/=-]+$/.test(value)) {
    throw unexpected(tokenEndpoint);
  }
  const usableSeconds = Number(seconds) > 0 ? Number(seconds) - marginSeconds : Number.POSITIVE_INFINITY;
  return { value, usableUntil: performance.now() + usableSeconds * 1000 };
}

export function readUploadUrl(response: HttpResponse, fileId: string, baseUrl: string): URL {
  const text = read(syncEndpoint, response, fileId).data?.upload_url;
  if (typeof text !== 'string' || !URL.canParse(text)) {
    throw unexpected(syncEndpoint);
  }
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (baseUrl.startsWith('http:') && isEncryptedOrLocal(url));
  // Node.js would send a user and a password to the storage.
  if (!isSafe || url.username || url.password) {
    throw new FileSyncError(
      'rejected',
      `The upload URL on ${url.host} is not encrypted. Nothing was sent to it.`,
    );
  }
  return url;
}

function unexpected(to: string): FileSyncError {
  return new FileSyncError('rejected', `${to} sent an unexpected response. Check the base URL.`);
}

/** Members of the API's responses. They are untrusted. */
interface Body {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
  readonly data?: { readonly upload_url?: unknown } | null;
  readonly error?: unknown;
  readonly message?: unknown;
}

/**
 * Returns the members of a response. Ignores unknown members: clients tolerate updates.
 *
 * @param id client id or file id, for the message
 * @throws {FileSyncError} for each status but 200
 */
function read(to: string, { status, body }: HttpResponse, id: string): Body {
  let members: Body = {};
  try {
    members = JSON.parse(body) ?? members;
  } catch {}
  if (status === 200) {
    return members;
  }
  const { error, message } = members;
  const name = `"${shown(id)}"`;
  switch (error ?? message) {
    case 'invalid_client':
      throw new FileSyncError(
        'invalid_client',
        `The service rejected client ${name}. The client id or client secret is wrong, or the client is revoked.`,
      );
    case 'invalid_scope':
      throw new FileSyncError(
        'insufficient_scope',
        `The client ${name} may not request the scope ${scope}. An operator can allow it.`,
      );
    case 'insufficient_scope':
    case 'Unauthorized':
      throw new FileSyncError(
        'insufficient_scope',
        `The service rejected the access token with ${status}: it needs the scope ${scope}, which an operator can allow.`,
      );
    case 'not_found':
      throw new FileSyncError(
        'not_found',
        `There is no file ${name}, or it belongs to another organisation.`,
      );
    case 'sync_not_enabled':
      throw new FileSyncError(
        'sync_not_enabled',
        `The file ${name} does not have syncing enabled. An operator can enable it.`,
      );
  }
  // Other text could contain a secret.
  const isOfApi = typeof error === 'string' && /^[a-z_]{1,39}$/.test(error);
  const advice = isOfApi ? ` "${error}"` : '. Check the base URL';
  throw new FileSyncError('rejected', `${to} responded with ${status}${advice}.`);
}
