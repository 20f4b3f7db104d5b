import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Kind, startServer } from './faulty-proxy.ts';

/** Credentials of the programs, and values of honest responses to them. */
export const credentials = {
  clientId: 'client_hostile',
  secret: `fss_${'Secret0123'.repeat(5)}`,
  token: `eyJhbGciOiJFUzI1NiJ9.${'Token'.repeat(12)}.c2ln`,
  signature: '0123456789abcdef'.repeat(4),
};

/** A response that no honest service sends. */
export interface HostileResponse {
  readonly name: string;
  /** Kind of request that receives it, each time. Other requests receive honest responses. */
  readonly to: Kind;
  /** True if only the first request receives it. */
  readonly once?: boolean;
  /** Programs that receive it; by default all. */
  readonly programs?: readonly string[];
  /** Secret of the client, if it differs. */
  readonly secret?: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | ((response: ServerResponse) => void);
}

const { secret, token, signature, clientId } = credentials;
const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
const percentEncoded = secret.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);

/** Values that no program may print. */
export const confidential = [secret, basic, percentEncoded, token, signature, 'short+1'];

const tokenLine = (value: string) => `"access_token": "${value}"`;
const uploadUrl = (url: string) => JSON.stringify({ data: { upload_url: url } });
const rejection = (error_description: unknown) =>
  JSON.stringify({ error: 'invalid_scope', error_description });
const xml = (code: string, message: string) =>
  `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

function response(
  to: Kind,
  name: string,
  status: number,
  body: HostileResponse['body'],
  more: Partial<HostileResponse> = {},
): HostileResponse {
  return { to, name, status, body, ...more };
}

/** Sends 300 MB in chunks, as fast as the other side reads. */
function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(1 << 20, 'x');
  let left = 300;
  const more = () => {
    while (left > 0) {
      left -= 1;
      if (!response.write(chunk)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

/** Sends a byte each second, for longer than any program waits. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 1_000);
  response.once('close', () => clearInterval(timer));
}

/** Announces a longer body than it sends. */
function cut(response: ServerResponse): void {
  response.setHeader('content-length', '500');
  response.write('{"access_token":"eyJ', () => response.destroy());
}

/** Creates responses of one kind from a record with their names. */
function responses(
  to: Kind,
  status: number,
  bodies: Readonly<Record<string, HostileResponse['body']>>,
): readonly HostileResponse[] {
  return Object.entries(bodies).map(([name, body]) => ({ to, name, status, body }));
}

/** Hostile responses, grouped by the kind of request. */
export const hostileResponses: readonly HostileResponse[] = [
  ...responses('token', 200, {
    'three tokens, of which two are settings of curl': `{${['a', 'output = .bashrc', 'data = @orders.csv'].map(tokenLine).join(',\n')}}`,
    'a token with a line break': '{"access_token":"a\\r\\nX-Injected: 1"}',
    'a token with a quotation mark': '{"access_token":"a\\"\\noutput = .bashrc"}',
    'a number as token': '{"access_token":7}',
    'an object as token': '{"access_token":{"a":1}}',
    'an empty token': '{"access_token":""}',
    null: 'null',
    nothing: '',
    'a page': '<html>Sign in</html>',
    'a million brackets': '['.repeat(900_000),
    '300 MB': flood,
  }),
  ...responses('token', 400, {
    '400 with 300 MB': flood,
    'escapes and bidirectional characters': rejection('\u001b[2J\u009b31m\u202egnp.exe\u0007\r\n'),
    'the secret': rejection(`you sent ${secret} to us`),
    'the secret percent-encoded': rejection(percentEncoded),
    'the credentials in base64': rejection(`Basic ${basic}`),
    '100,000 characters': rejection('word '.repeat(20_000)),
    'an object as error': '{"error":{"a":1},"message":[]}',
    'an error named like a member of every object': '{"error":"constructor"}',
  }),
  response('token', 'the secret as request id', 400, rejection('no'), {
    headers: { 'apigw-requestid': secret },
  }),
  response('token', 'a short secret', 400, rejection('you sent short+1 to us'), {
    secret: 'short+1',
  }),
  ...responses('sync', 200, {
    'an empty object': '{}',
    'a list as data': '{"data":[1]}',
    'a number as URL': '{"data":{"upload_url":7}}',
    'a URL that ends the setting of curl': uploadUrl('http://127.0.0.1/"\noutput = ".bashrc'),
    'a file URL': uploadUrl('file:///dev/shm/stolen'),
    'an ftp URL': uploadUrl('ftp://127.0.0.1/stolen'),
    'an option of curl as URL': uploadUrl('-ostolen'),
    'a URL of another machine without TLS': uploadUrl('http://192.0.2.1/put'),
    'a URL with a user': uploadUrl('http://127.0.0.1:1@192.0.2.1/put'),
  }),
  response('sync', 'the token', 400, rejection(`Bearer ${token}`)),
  response('sync', 'a Retry-After of twelve digits', 429, '', {
    headers: { 'retry-after': '999999999999' },
  }),
  ...(
    [
      ['token', 307],
      ['sync', 308],
      ['put', 308],
    ] as const
  ).map(([to, status]) => response(to, `${status}`, status, '', { headers: { location: '/elsewhere' } })),
  // A repeated PUT would receive the same response.
  response('put', 'a header that S3 does not support', 501, xml('NotImplemented', 'A header you provided')),
  ...responses('put', 403, {
    'the signature': xml('AccessDenied', `X-Amz-Signature=${signature}`),
    escapes: xml('\u001b]0;title\u0007', '\u009b31m\u202e'),
    '300 MB': flood,
  }),
  response('token', 'a cut response', 200, cut, { once: true }),
  response('token', 'a response that drips', 200, drip, { once: true }),
  response('put', 'a response that drips', 403, drip, {
    once: true,
    programs: ['Python'],
  }),
  response('put', 'a Retry-After of five seconds', 503, '', {
    headers: { 'retry-after': '5' },
    once: true,
  }),
  response('sync', 'a Retry-After as a date, which is ignored', 503, '', {
    headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
    once: true,
  }),
];

/**
 * Starts a service and its storage, which send one hostile response, and honest ones to the other requests.
 */
export function startHostileService(hostile: HostileResponse) {
  return startServer(async (request, response, { kind, earlier, origin }) => {
    await buffer(request).catch(() => undefined);
    if (kind === hostile.to && (earlier === 0 || hostile.once !== true)) {
      respondWithHostile(response, hostile);
    } else {
      response.end(honest(kind, origin));
    }
  });
}

function respondWithHostile(response: ServerResponse, { status, headers, body }: HostileResponse): void {
  response.on('error', () => undefined);
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries(headers ?? {})));
  if (typeof body === 'string') {
    response.end(body);
  } else {
    body(response);
  }
}

function honest(kind: Kind, baseUrl: string): string {
  if (kind === 'token') {
    return JSON.stringify({ access_token: credentials.token });
  }
  if (kind === 'sync') {
    const query = `X-Amz-Signature=${credentials.signature}`;
    return JSON.stringify({ data: { upload_url: `${baseUrl}/bucket/upload?${query}` } });
  }
  return '';
}
