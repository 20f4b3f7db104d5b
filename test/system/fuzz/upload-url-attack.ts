import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import type { AttackedService } from '../../support/attacked-service.ts';
import { headerBytes, hostileText, mutation, percentEncoded } from '../../support/hostile-text.ts';
import { createRawClient, type RawRequest } from '../../support/raw-http.ts';
import { countInto, type PreparedAttack, require, requireSound, Violation } from './attack.ts';

/** Parameters of an upload URL, in the order in which an attacker would care. */
const parameterNames = [
  'X-Amz-Signature',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-SignedHeaders',
  'X-Amz-Security-Token',
  'X-Amz-Algorithm',
  'If-None-Match',
] as const;

const parameterName = fc.constantFrom(...parameterNames);

const added = fc.oneof(
  fc.constantFrom(
    'acl',
    'tagging',
    'uploads',
    'partNumber',
    'versionId',
    'delete',
    'x-id',
    'x-amz-acl',
    'X-Amz-Date',
    'response-content-type',
    'x-amz-tagging',
    'if-none-match',
  ),
  hostileText,
);

const headerName = fc.constantFrom(
  'x-amz-acl',
  'x-amz-tagging',
  'x-amz-copy-source',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
  'x-amz-meta-note',
  'if-match',
  'authorization',
  'host',
  'x-forwarded-host',
  'transfer-encoding',
);

const attempt = fc.oneof(
  fc.record({ kind: fc.constant('value changed' as const), name: parameterName, change: mutation }),
  fc.record({ kind: fc.constant('value replaced' as const), name: parameterName, text: hostileText }),
  fc.record({ kind: fc.constant('parameter taken away' as const), name: parameterName }),
  fc.record({ kind: fc.constant('parameter repeated' as const), name: parameterName, text: hostileText }),
  fc.record({ kind: fc.constant('parameter added' as const), name: added, text: hostileText }),
  fc.record({ kind: fc.constant('object of another URL' as const) }),
  fc.record({ kind: fc.constant('path changed' as const), change: mutation }),
  fc.record({ kind: fc.constant('path replaced' as const), text: hostileText }),
  fc.record({
    kind: fc.constant('method' as const),
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'LINK'),
  }),
  fc.record({ kind: fc.constant('header added' as const), name: headerName, text: hostileText }),
  fc.record({ kind: fc.constant('as it is' as const) }),
);

type Attempt = typeof attempt extends fc.Arbitrary<infer Value> ? Value : never;

/** An upload URL in parts. */
interface Parts {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
}

/** How many inputs may try the same unused URL before a fresh one is asked for. */
const inputsPerUrl = 25;

/** The upload URL: it takes one PUT to one object, and nothing else of it works. */
export async function attackUploadUrl(service: AttackedService): Promise<PreparedAttack> {
  const storage = createRawClient(service.storageOrigin);
  const { issue, close } = await createIssuer(service);
  const storedBefore = new Set(await service.storedKeys());
  const usedKeys = new Set<string>();
  const statuses = new Map<number, number>();
  let current = await issue();
  let tries = 0;
  const property = fc.asyncProperty(attempt, async (input) => {
    tries += 1;
    if (tries % inputsPerUrl === 0) {
      current = await issue();
    }
    const other = input.kind === 'object of another URL' ? await issue() : current;
    const request = toRequest(input, current, other.path);
    const answer = await storage.send(request);
    countInto(statuses, answer);
    requireSound(answer);
    if (answer.status < 300) {
      require(isTheSame(request, current), `${input.kind}: taken for the URL itself`);
      usedKeys.add(keyOf(current.path));
      require((await storage.send(request)).status === 412, 'a URL was good for a second use');
      current = await issue();
      return;
    }
    require(input.kind !== 'as it is', `an untouched URL was answered ${answer.status}`);
    if (answer.body.length > 0) {
      require(XMLValidator.validate(answer.body.toString('utf8')) === true, 'an error is no well-formed XML');
    }
  });
  return {
    run: (options) => fc.assert(property, options),
    statuses,
    finish: async () => {
      storage.close();
      close();
      const stored = (await service.storedKeys()).filter((key) => !storedBefore.has(key));
      require(stored.length === usedKeys.size &&
        stored.every((key) =>
          usedKeys.has(key),
        ), `${stored.length} objects are stored after ${usedKeys.size} uploads`);
    },
  };
}

/** Asks the API for upload URLs, as a client does. */
async function createIssuer(service: AttackedService) {
  const api = createRawClient(service.baseUrl);
  const issue = async (): Promise<Parts> => {
    const answer = await api.send({
      method: 'POST',
      target: `/v0/files/${service.file}/sync`,
      headers: [['authorization', `Bearer ${service.client.token}`]],
    });
    if (answer.status !== 200) {
      throw new Violation(`no upload URL was issued: ${answer.status}`);
    }
    const body = JSON.parse(answer.body.toString('utf8')) as {
      readonly data: { readonly upload_url: string };
    };
    const url = new URL(body.data.upload_url);
    return { path: url.pathname, query: [...url.searchParams] };
  };
  return { issue, close: api.close };
}

function toRequest(input: Attempt, { path, query }: Parts, otherPath: string): RawRequest {
  const put = (changed: Partial<Parts>, headers: RawRequest['headers'] = []): RawRequest => ({
    method: 'PUT',
    target: targetOf({ path, query, ...changed }),
    headers,
    body: Buffer.from('attack'),
  });
  switch (input.kind) {
    case 'value changed':
      return put({ query: changeValue(query, input.name, input.change) });
    case 'value replaced':
      return put({ query: changeValue(query, input.name, () => input.text) });
    case 'parameter taken away':
      return put({ query: query.filter(([name]) => name !== input.name) });
    case 'parameter repeated':
      return put({ query: [...query, [input.name, input.text]] });
    case 'parameter added':
      return put({ query: [...query, [input.name, input.text]] });
    case 'object of another URL':
      return put({ path: otherPath });
    case 'path changed':
      return put({ path: `/${input.change(path.slice(1))}` });
    case 'path replaced':
      return put({ path: `/${percentEncoded(input.text)}` });
    case 'method':
      return { ...put({}), method: input.method, body: Buffer.alloc(0) };
    case 'header added':
      return put({}, [[input.name, headerBytes(input.text)]]);
    case 'as it is':
      return put({});
  }
}

function changeValue(
  query: Parts['query'],
  wanted: string,
  change: (value: string) => string,
): Parts['query'] {
  return query.map(([name, value]) => [name, name === wanted ? change(value) : value] as const);
}

function targetOf({ path, query }: Parts): string {
  const pairs = query.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`);
  return `${path}?${pairs.join('&')}`;
}

/** S3 ignores them in a presigned PUT. docs/aws-facts.md says so of `x-amz-content-sha256`. */
const ignoredHeaders: ReadonlySet<string> = new Set(['if-match', 'x-forwarded-host', 'x-amz-content-sha256']);

/** Whether a request is the URL's own PUT, but for headers that a signature need not cover. */
function isTheSame({ method, target, headers = [] }: RawRequest, own: Parts): boolean {
  const [path = '', query = ''] = target.split('?');
  const sorted = (text: string) => text.split('&').sort().join('&');
  const harmless = headers.every(([name]) => ignoredHeaders.has(name));
  const sameQuery = sorted(query) === sorted(targetOf(own).split('?')[1] ?? '');
  return (
    method === 'PUT' && decodeURIComponent(path) === decodeURIComponent(own.path) && sameQuery && harmless
  );
}

function keyOf(path: string): string {
  return decodeURIComponent(path.split('/').slice(2).join('/'));
}
