import * as v from 'valibot';
import { routes, syncPathOf } from '../../contract/routes.ts';
import { isClientSecret } from '../../storage/client-secret.ts';
import { basicCredentials, mistypedSecret } from '../operator/requests/basic-credentials.ts';
import { quoted } from '../operator/text.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';
import { attemptCall, type Call, type HttpResponse } from './http-request.ts';
import type { Journal } from './journal.ts';
import { type RetryPolicy, retry } from './retry.ts';
import { isEncryptedOrLocal, type Settings } from './settings.ts';

/**
 * Requests an upload URL for the file. The first call requests an access token.
 *
 * @throws {CommandError} with the exit code of the failure
 */
export type RequestUploadUrl = (fileId: string) => Promise<URL>;

const { scope } = routes.sync;

/** Creates the API calls of one client. The policy applies to the retries of each request. */
export function createRequestUploadUrl(
  settings: Settings,
  policy: RetryPolicy,
  journal: Journal,
): RequestUploadUrl {
  const call = (request: Call, what: string) => retry(policy, () => attemptCall(request, what, journal));
  let accessToken: Promise<string> | undefined;

  const sync = async (fileId: string): Promise<HttpResponse> => {
    accessToken ??= requestAccessToken(settings, call);
    const url = new URL(settings.baseUrl + syncPathOf(fileId));
    // Node.js adds a Content-Length to a POST with an empty body. Some proxies require it (RFC 9110 section
    // 8.6).
    const request = { url, headers: { authorization: `Bearer ${await accessToken}` }, body: '' };
    return call(request, 'The sync endpoint');
  };

  return async (fileId) => {
    const response = await sync(fileId);
    if (response.status !== 401) {
      return readUploadUrl(response, fileId);
    }
    // The token has expired. There are no refresh tokens: request a new access token.
    accessToken = undefined;
    return readUploadUrl(await sync(fileId), fileId);
  };
}

type SendCall = (request: Call, what: string) => Promise<HttpResponse>;

const tokenSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ access_token: v.pipe(v.string(), v.regex(/^[\w.~+/=-]+$/)) }),
);

async function requestAccessToken(settings: Settings, call: SendCall): Promise<string> {
  const response = await call(
    {
      url: new URL(settings.baseUrl + routes.token.path),
      headers: {
        authorization: basicCredentials(settings.clientId, settings.clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
    },
    'The token endpoint',
  );
  if (response.status === 200) {
    return parseBody(response, tokenSchema, 'The token endpoint').access_token;
  }
  throw tokenRejected(response, settings);
}

function tokenRejected(response: HttpResponse, { clientId, clientSecret }: Settings): CommandError {
  if (response.status === 401) {
    const why = isClientSecret(clientSecret)
      ? 'The client id or client secret is wrong, or the client is revoked.'
      : mistypedSecret;
    return new CommandError(
      `The service rejected client ${quoted(clientId)}. ${why}`,
      exitCodes.authentication,
    );
  }
  if (errorCode(response) === 'invalid_scope') {
    return new CommandError(
      `The client ${quoted(clientId)} may not request the scope ${scope}. An operator can allow it.`,
      exitCodes.authentication,
    );
  }
  return unexpectedResponse(response, 'The token endpoint');
}

const uploadUrlSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ data: v.object({ upload_url: v.pipe(v.string(), v.url()) }) }),
);

function readUploadUrl(response: HttpResponse, fileId: string): URL {
  if (response.status !== 200) {
    throw syncRejected(response, fileId);
  }
  const url = new URL(parseBody(response, uploadUrlSchema, 'The sync endpoint').data.upload_url);
  if (isEncryptedOrLocal(url)) {
    return url;
  }
  throw new CommandError(`The upload URL on ${url.host} is not encrypted. Nothing was sent to it.`);
}

function syncRejected(response: HttpResponse, fileId: string): CommandError {
  const { status } = response;
  if (status === 401 || status === 403) {
    return new CommandError(
      `The service rejected the access token with ${status}: it needs the scope ${scope}, which an operator can allow.`,
      exitCodes.authentication,
    );
  }
  if (status === 404) {
    return new CommandError(
      `There is no file ${quoted(fileId)}, or it belongs to another organisation.`,
      exitCodes.notFound,
    );
  }
  if (status === 409) {
    return new CommandError(
      `The file ${quoted(fileId)} does not have syncing enabled. An operator can enable it.`,
      exitCodes.conflict,
    );
  }
  return unexpectedResponse(response, 'The sync endpoint');
}

function unexpectedResponse(response: HttpResponse, what: string): CommandError {
  const code = errorCode(response);
  return new CommandError(
    `${what} responded with ${response.status}${code === undefined ? '. Check the base URL' : ` ${quoted(code)}`}.`,
  );
}

const errorSchema = v.pipe(v.string(), v.parseJson(), v.object({ error: v.string() }));

function errorCode({ body }: HttpResponse): string | undefined {
  const parsed = v.safeParse(errorSchema, body);
  return parsed.success ? parsed.output.error : undefined;
}

/** Ignores unknown members: clients tolerate updates (docs/api.md section 13). */
function parseBody<Body>({ body }: HttpResponse, schema: v.GenericSchema<string, Body>, what: string): Body {
  const parsed = v.safeParse(schema, body);
  if (parsed.success) {
    return parsed.output;
  }
  throw new CommandError(`${what} sent an unexpected response. Check the base URL.`);
}
