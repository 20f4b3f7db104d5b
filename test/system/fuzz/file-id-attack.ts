import fc from 'fast-check';
import { hostileText, mutation, percentEncoded } from '../../support/hostile-text.ts';
import { type AttackOptions, attack, jsonOf, require, requireFixedRefusal } from './attack.ts';
import type { AttackedService } from './attacked-service.ts';

const whose = fc.constantFrom('file' as const, 'fileNotEnabled' as const, 'fileOfAnother' as const);

/** `{id}` stands for the id of a file, and `{other}` for that of another organisation's. */
const tricks = fc.constantFrom(
  '../{id}',
  '{id}/..',
  '{other}/../{id}',
  '{id}%00',
  '%20{id}',
  '{id};a=b',
  '{id}?a',
  '{id}%23',
  '{id}%2F',
  '%2e%2e%2f{id}',
  '%252e%252e%252f{id}',
  '{id}%0d%0aset-cookie:a=b',
  '{id},{other}',
  '{id}%c0%af',
  '{id}%zz',
  '//{id}',
);

const encoding = fc.constantFrom('as it is', 'whole', 'twice');

const attempt = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: hostileText, encoding }),
  fc.record({ kind: fc.constant('changed' as const), of: whose, change: mutation, encoding }),
  fc.record({ kind: fc.constant('trick' as const), of: whose, trick: tricks }),
  fc.record({ kind: fc.constant('true' as const), of: whose, encoding }),
);

type Attempt = typeof attempt extends fc.Arbitrary<infer Value> ? Value : never;

const uploadPath =
  /^\/[a-z0-9.-]+\/uploads\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The `fileId`: a URL for nothing but the caller's own file with syncing enabled, by its exact id. */
export function attackFileId(service: AttackedService, options: AttackOptions) {
  const headers = [['authorization', `Bearer ${service.client.token}`]] as const;
  return attack(
    service.baseUrl,
    attempt,
    async (input, send) => {
      const segment = toSegment(input, service);
      const answer = await send({ method: 'POST', target: `/v0/files/${segment}/sync`, headers });
      const named = decode(segment);
      if (answer.status === 200) {
        require(named === service.file, 'a URL for what is not the id of an own file with syncing enabled');
        requireOwnUrl(jsonOf(answer), service);
        return;
      }
      requireFixedRefusal(answer, ['not_found', 'sync_not_enabled']);
      require([400, 404, 409, 431].includes(answer.status), `answered ${answer.status}`);
      require(answer.status !== 409 || named === service.fileNotEnabled, 'a 409 for another file');
      require(named !== service.file, 'an own file was refused');
    },
    options,
  );
}

/** The URL is made of an id of our own and nothing that the caller sent. */
function requireOwnUrl(body: Readonly<Record<string, unknown>>, { storageOrigin }: AttackedService): void {
  const { upload_url: text } = body.data as { readonly upload_url: string };
  const url = new URL(text);
  require(url.origin === storageOrigin && uploadPath.test(url.pathname), 'a URL for another place');
}

function toSegment(input: Attempt, service: AttackedService): string {
  switch (input.kind) {
    case 'text':
      return encodeAs(input.encoding, input.text);
    case 'changed':
      return encodeAs(input.encoding, input.change(service[input.of]));
    case 'trick':
      return input.trick.replace('{id}', service[input.of]).replace('{other}', service.fileOfAnother);
    case 'true':
      return encodeAs(input.encoding, service[input.of]);
  }
}

function encodeAs(how: string, text: string): string {
  if (how === 'whole') {
    return percentEncoded(text);
  }
  if (how === 'twice') {
    return percentEncoded(percentEncoded(text));
  }
  // What would end the request line is left out; the rest goes as bytes.
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[\r\n]/g, '');
}

/** The one path segment that a segment as sent stands for, if it is one (RFC 3986 sections 2.1 and 3.3). */
function decode(segment: string): string | undefined {
  if (/[/?#\s]/.test(segment)) {
    return undefined;
  }
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
