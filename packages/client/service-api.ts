import { FileSyncError } from './errors.ts';
import { attemptCall, type Call, type HttpResponse } from './http-request.ts';
import { type RetryPolicy, retry } from './retry.ts';
import { quoted } from './text.ts';

/** Service to use, and credentials of the client. */
export interface Settings {
  /** Base URL of the service, with or without a final slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Options of one request with its retries. */
export interface Calling extends RetryPolicy {
  readonly onResponse: (requestId: string | undefined) => void;
}

/**
 * Requests an upload URL for the file, and before it an access token if there is no valid one.
 *
 * @throws {FileSyncError}
 */
export type RequestUploadUrl = (fileId: string, calling: Calling) => Promise<URL>;

const scope = 'sync:create';

/** Time before its end from which a token is not used any more. */
const marginSeconds = 60;

/** Creates the requests of one client, which share an access token. */
export function createRequestUploadUrl(settings: Settings): RequestUploadUrl {
  const baseUrl = parseBaseUrl(settings.baseUrl);
  const send = (calling: Calling, request: Call, what: string) =>
    retry(calling, () => attemptCall(request, what, calling.onResponse));
  let token = { value: '', usableUntil: 0 };

  const currentToken = async (calling: Calling): Promise<string> => {
    if (performance.now() >= token.usableUntil) {
      const request = tokenRequest(baseUrl, settings);
      token = readToken(await send(calling, request, 'The token endpoint'), settings);
    }
    return token.value;
  };
  const sync = async (fileId: string, calling: Calling) => {
    const used = await currentToken(calling);
    const url = new URL(`${baseUrl}/v0/files/${encodeURIComponent(fileId)}/sync`);
    // Node.js adds a Content-Length to a POST with an empty body. Some proxies require it (RFC 9110 section
    // 8.6).
    const request = { url, headers: { authorization: `Bearer ${used}` }, body: '' };
    return { used, response: await send(calling, request, 'The sync endpoint') };
  };

  return async (fileId, calling) => {
    let { used, response } = await sync(fileId, calling);
    if (response.status === 401) {
      // The token has expired. There are no refresh tokens: request a new access token.
      token = token.value === used ? { value: '', usableUntil: 0 } : token;
      ({ response } = await sync(fileId, calling));
    }
    return readUploadUrl(response, fileId, baseUrl);
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
  if (url === undefined || !isEncryptedOrLocal(url)) {
    throw invalid(
      `${quoted(value)} is not a base URL: it must start with https:// (http:// only for this machine).`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw invalid('A base URL must not have a user, a query or a fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

function invalid(message: string): FileSyncError {
  return new FileSyncError('invalid_argument', message);
}

/** Returns true if data sent to the URL cannot be read on a network. */
function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
}

/** Both parts are form-urlencoded before they are joined (RFC 6749 section 2.3.1). */
function tokenRequest(baseUrl: string, { clientId, clientSecret }: Settings): Call {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  const pair = Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64');
  return {
    url: new URL(`${baseUrl}/oauth/token`),
    headers: {
      authorization: `Basic ${pair}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
  };
}

function readToken(response: HttpResponse, settings: Settings) {
  if (response.status !== 200) {
    throw tokenRejected(response, settings);
  }
  const value = member(response, 'access_token');
  if (typeof value !== 'string' || !/^[\w.~+/=-]+$/.test(value)) {
    throw unexpected('The token endpoint');
  }
  const seconds = Number(member(response, 'expires_in'));
  const usableSeconds = seconds > 0 ? seconds - marginSeconds : Number.POSITIVE_INFINITY;
  return { value, usableUntil: performance.now() + usableSeconds * 1000 };
}

function tokenRejected(response: HttpResponse, { clientId }: Settings): FileSyncError {
  if (response.status === 401) {
    return new FileSyncError(
      'invalid_client',
      `The service rejected client ${quoted(clientId)}. The client id or client secret is wrong, or the client is revoked.`,
    );
  }
  if (errorCode(response) === 'invalid_scope') {
    return new FileSyncError(
      'insufficient_scope',
      `The client ${quoted(clientId)} may not request the scope ${scope}. An operator can allow it.`,
    );
  }
  return unexpectedStatus(response, 'The token endpoint');
}

export function readUploadUrl(response: HttpResponse, fileId: string, baseUrl: string): URL {
  if (response.status !== 200) {
    throw syncRejected(response, fileId);
  }
  const text = member(response, 'data', 'upload_url');
  if (typeof text !== 'string' || !URL.canParse(text)) {
    throw unexpected('The sync endpoint');
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

function syncRejected(response: HttpResponse, fileId: string): FileSyncError {
  const { status } = response;
  if (status === 401 || status === 403) {
    return new FileSyncError(
      'insufficient_scope',
      `The service rejected the access token with ${status}: it needs the scope ${scope}, which an operator can allow.`,
    );
  }
  if (status === 404) {
    return new FileSyncError(
      'not_found',
      `There is no file ${quoted(fileId)}, or it belongs to another organisation.`,
    );
  }
  if (status === 409) {
    return new FileSyncError(
      'sync_not_enabled',
      `The file ${quoted(fileId)} does not have syncing enabled. An operator can enable it.`,
    );
  }
  return unexpectedStatus(response, 'The sync endpoint');
}

function unexpected(what: string): FileSyncError {
  return new FileSyncError('rejected', `${what} sent an unexpected response. Check the base URL.`);
}

function unexpectedStatus(response: HttpResponse, what: string): FileSyncError {
  const code = errorCode(response);
  const advice = code === undefined ? '. Check the base URL' : ` ${quoted(code)}`;
  return new FileSyncError('rejected', `${what} responded with ${response.status}${advice}.`);
}

/** Returns the `error` of a response if it is like one of the API. Other text could contain a secret. */
function errorCode(response: HttpResponse): string | undefined {
  const code = member(response, 'error');
  return typeof code === 'string' && /^[a-z_]{1,39}$/.test(code) ? code : undefined;
}

/** Returns a member of a JSON body. Ignores unknown members: clients tolerate updates. */
function member({ body }: HttpResponse, ...names: readonly string[]): unknown {
  try {
    let value: unknown = JSON.parse(body);
    for (const name of names) {
      value =
        typeof value === 'object' && value
          ? Object.entries(value).find(([key]) => key === name)?.[1]
          : undefined;
    }
    return value;
  } catch {
    return undefined;
  }
}
