import fc from 'fast-check';
import { marker } from '../../support/hostile-text.ts';
import { type RawAnswer, type RawRequest, sendRaw } from '../../support/raw-http.ts';
import type { AttackedService } from './attacked-service.ts';

/** Sends a request, and requires of its answer what holds for every answer. */
export type Send = (request: RawRequest) => Promise<RawAnswer>;

export interface AttackOptions {
  /** How many inputs. */
  readonly numRuns: number;
  readonly seed: number;
}

/** How often each status was answered, to show that the inputs get past the first check. */
export type Statuses = ReadonlyMap<number, number>;

/**
 * Tries inputs on the server at `origin`. Rejects with the smallest one that got something it should not, and the seed.
 * Inputs name secrets and tokens by whose they are, so that the message never holds one.
 */
export async function attack<Input>(
  origin: string,
  inputs: fc.Arbitrary<Input>,
  attempt: (input: Input, send: Send) => Promise<void>,
  options: AttackOptions,
): Promise<Statuses> {
  const statuses = new Map<number, number>();
  const send: Send = async (request) => {
    const answer = await sendRaw(origin, request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    requireSound(answer);
    return answer;
  };
  await fc.assert(
    fc.asyncProperty(inputs, (input) => attempt(input, send)),
    options,
  );
  return statuses;
}

/** What an input must not bring about. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Fails unless the condition holds. */
export function require(condition: boolean, what: string): asserts condition {
  if (!condition) {
    throw new Violation(what);
  }
}

/** Values that headers of answers may have. One that is not here, or another value, came from the input. */
const headerValues: Readonly<Record<string, RegExp>> = {
  'apigw-requestid': /^[A-Za-z0-9_-]{15}=$/,
  'cache-control': /^no-store$/,
  connection: /^(?:close|keep-alive)$/,
  'content-length': /^\d+$/,
  'content-type': /^application\/(?:json|xml)$/,
  date: /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/,
  etag: /^"[0-9a-f]{32}"$/,
  'keep-alive': /^timeout=\d+$/,
  pragma: /^no-cache$/,
  server: /^AmazonS3$/,
  'www-authenticate':
    /^(?:Basic realm="file-sync-api", charset="UTF-8"|Bearer (?:realm="file-sync-api"|error="invalid_token"|error="insufficient_scope", scope="(?:volume:read|sync:create)"))$/,
  'x-amz-checksum-crc64nvme': /^[A-Za-z0-9+/]{11}=$/,
  'x-amz-checksum-type': /^FULL_OBJECT$/,
  'x-amz-id-2': /^[0-9A-F]{16}$/,
  'x-amz-request-id': /^[0-9A-F]{16}$/,
  'x-amz-server-side-encryption': /^AES256$/,
  'x-amz-version-id': /^[\w.-]{1,64}$/,
};

/** S3's refusal of a header that it does not serve; no failure, though its status says so. */
const notImplemented = '<Code>NotImplemented</Code>';

/** What holds for every answer: no failure of the server, and nothing of the input in its head. */
function requireSound(answer: RawAnswer): void {
  const refused = answer.status === 501 && answer.body.includes(notImplemented);
  require((answer.status >= 200 && answer.status < 500) || refused, `the answer was ${answer.status}`);
  for (const [name, value] of answer.headers) {
    require(Object.hasOwn(headerValues, name), `a header ${JSON.stringify(name)} that no answer has`);
    require(headerValues[name]?.test(value) === true, `another value in the header ${name}`);
  }
  require(!answer.head.includes(marker), 'the head of the answer reflects the input');
}

/** The members of an answer of the API, which is always JSON. */
export function jsonOf(answer: RawAnswer): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(answer.body.toString('utf8'));
    if (typeof body === 'object' && body !== null) {
      return body as Record<string, unknown>;
    }
  } catch {
    // Told below.
  }
  throw new Violation(`the body of a ${answer.status} is no JSON object`);
}

/** The body of a refusal by the API: fixed words of ours. */
export function requireFixedRefusal(answer: RawAnswer, errors: readonly string[]): void {
  const body = jsonOf(answer);
  const names = Object.keys(body).sort().join();
  require(names === 'message' ||
    names === 'error,error_description', `a ${answer.status} has other members: ${names.slice(0, 60)}`);
  require(body.error === undefined ||
    errors.includes(String(body.error)), `a ${answer.status} has an error that is not in the contract`);
  // RFC 6749 section 5.2: characters of error_description.
  const text = String(body.error_description ?? body.message);
  require(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,120}$/.test(
    text,
  ), 'a description has characters it may not have');
  require(!text.includes(marker), 'the body of a refusal reflects the input');
}

/**
 * What holds for everything that was logged: one JSON object in each line, no control characters, no errors, and nothing of
 * the inputs and the secrets.
 */
export async function requireSoundLog(service: AttackedService): Promise<void> {
  const clients = [service.client, service.reader, service.revoked];
  const secrets = clients.flatMap(({ clientSecret, token }) => [clientSecret, token.split('.')[2] ?? token]);
  for (const line of await service.logLines()) {
    const isPlain = !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(line);
    require(isPlain, 'a log line has control characters');
    require(!line.includes(marker), 'a log line reflects an input');
    require(!secrets.some((secret) => line.includes(secret)), 'a log line holds a secret');
    const { level, message } = JSON.parse(line) as { readonly level?: string; readonly message?: unknown };
    require(level !== 'ERROR', `an error was logged: ${JSON.stringify(message)}`);
  }
}
