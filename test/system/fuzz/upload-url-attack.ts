import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import { headerBytes, hostileText, mutation, percentEncoded } from '../../support/hostile-text.ts';
import type { RawRequest } from '../../support/raw-http.ts';
import { type AttackOptions, attack, require, type Statuses } from './attack.ts';
import type { AttackedService } from './attacked-service.ts';

/** Parameters of an upload URL. */
const parameterName = fc.constantFrom(
  'X-Amz-Signature',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-SignedHeaders',
  'X-Amz-Security-Token',
  'X-Amz-Algorithm',
  'If-None-Match',
);

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
  fc.record({
    kind: fc.constant('parameter added' as const),
    name: fc.oneof(parameterName, added),
    text: hostileText,
  }),
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

/** The upload URL: it takes one PUT to one object, and nothing else of it works. */
export async function attackUploadUrl(service: AttackedService, options: AttackOptions): Promise<Statuses> {
  const storedBefore = new Set(await service.storedKeys());
  const usedKeys = new Set<string>();
  let current = await issue(service);
  const statuses = await attack(
    service.storageOrigin,
    attempt,
    async (input, send) => {
      const other = input.kind === 'object of another URL' ? await issue(service) : current;
      const request = toRequest(input, current, other.path);
      const answer = await send(request);
      if (answer.status < 300) {
        require(isTheSame(request, current), `${input.kind}: taken for the URL itself`);
        usedKeys.add(keyOf(current.path));
        require((await send(request)).status === 412, 'a URL was good for a second use');
        current = await issue(service);
        return;
      }
      require(input.kind !== 'as it is', `an untouched URL was answered ${answer.status}`);
      if (answer.body.length > 0) {
        const isXml = XMLValidator.validate(answer.body.toString('utf8')) === true;
        require(isXml, 'an error is no well-formed XML');
      }
    },
    options,
  );
  const stored = (await service.storedKeys()).filter((key) => !storedBefore.has(key));
  const isRight = stored.length === usedKeys.size && stored.every((key) => usedKeys.has(key));
  require(isRight, `${stored.length} objects are stored after ${usedKeys.size} uploads`);
  return statuses;
}

/** Asks the API for an upload URL, as a client does. */
async function issue({ baseUrl, file, client }: AttackedService): Promise<Parts> {
  const headers = { authorization: `Bearer ${client.token}` };
  const answer = await fetch(`${baseUrl}/v0/files/${file}/sync`, { method: 'POST', headers });
  require(answer.status === 200, `no upload URL was issued: ${answer.status}`);
  const { data } = (await answer.json()) as { readonly data: { readonly upload_url: string } };
  const url = new URL(data.upload_url);
  return { path: url.pathname, query: [...url.searchParams] };
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
