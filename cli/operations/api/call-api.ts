import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError, reasonOf } from '../../errors.ts';
import { basicCredentials } from '../token/request-token.ts';

/** A request to the API of a deployment. */
export interface ApiCall {
  readonly method: string;
  /** With its parameters filled in, and with a slash before it. */
  readonly path: string;
  /** Access token, where the operation needs one. */
  readonly token?: string | undefined;
  /** Client id and secret, where the operation needs them. */
  readonly client?: { readonly id: string; readonly secret: string } | undefined;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>> | undefined;
}

/** What the API answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly milliseconds: number;
}

/** API Gateway answers within 30 s, with an error of its own if the service did not answer. */
const timeoutMilliseconds = 35_000;

/** Far more than any answer of the service. */
const maximumAnswerBytes = 1024 * 1024;

/**
 * Sends one request to the API, and to nothing else: it follows no redirect.
 *
 * @throws {CommandError} when the API cannot be reached, or the path leads elsewhere
 */
export async function callApi({ outputs }: Pick<Deployment, 'outputs'>, call: ApiCall): Promise<ApiAnswer> {
  const url = urlOf(outputs.BaseUrl, call.path);
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, {
      method: call.method,
      headers: headersOf(call),
      ...(call.form === undefined ? {} : { body: new URLSearchParams(call.form) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const body = await readBody(answer);
    const milliseconds = performance.now() - startedAt;
    return { status: answer.status, headers: [...answer.headers], body, milliseconds };
  } catch (error) {
    if (error instanceof CommandError) {
      throw error;
    }
    // fetch hides the reason: https://fetch.spec.whatwg.org/#concept-network-error
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new CommandError(`${outputs.BaseUrl} cannot be reached: ${reasonOf(cause)}.`);
  }
}

/** A path such as `//elsewhere` or `/../` must not send a token to somewhere else. */
function urlOf(baseUrl: string, path: string): URL {
  const base = new URL(baseUrl);
  const url = URL.parse(`${baseUrl}${path}`);
  const isWithin = url?.origin === base.origin && url.href === `${base.href.replace(/\/$/, '')}${path}`;
  if (url === null || !isWithin) {
    throw new CommandError(
      'The path of this operation leads to another place than the API. Nothing was sent.',
    );
  }
  return url;
}

function headersOf({ token, client }: ApiCall): Record<string, string> {
  return {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(client === undefined ? {} : { authorization: basicCredentials(client.id, client.secret) }),
  };
}

async function readBody(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > maximumAnswerBytes) {
      throw new CommandError(
        'The answer is larger than any of the service. Check what the base URL points at.',
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
