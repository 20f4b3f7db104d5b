import type { Answer, Question } from '../../../tools/verify/http.ts';
import type { World } from '../../../tools/verify/world.ts';

type Disturb = (world: World) => World;

function answers(change: (answer: Answer, question: Question) => Partial<Answer>): Disturb {
  return (world) => ({
    ...world,
    http: async (origin, question) => {
      const answer = await world.http(origin, question);
      return { ...answer, ...change(answer, question) };
    },
  });
}

/** Every answer with one status gets another one. */
const insteadOf = (status: number, other: number) =>
  answers((answer) => (answer.status === status ? { status: other, text: '' } : {}));

const operator =
  (change: Partial<World['operator']>): Disturb =>
  (world) => ({ ...world, operator: { ...world.operator, ...change } });

type Uploads = Awaited<ReturnType<World['uploads']>>;
const uploads =
  (change: (seen: Uploads[number]) => Uploads[number]): Disturb =>
  (world) => ({ ...world, uploads: async () => (await world.uploads()).map(change) });

type Rotation = Awaited<ReturnType<World['rotation']>>;
const rotation =
  (change: (seen: Rotation) => Partial<Rotation>): Disturb =>
  (world) => ({
    ...world,
    rotation: async () => {
      const seen = await world.rotation();
      return { ...seen, ...change(seen) };
    },
  });

const withoutSession: Disturb = (world) => ({
  ...world,
  issue: async () => {
    const issued = await world.issue();
    issued.url.searchParams.delete('X-Amz-Security-Token');
    return issued;
  },
});

const labels = (seen: Rotation, of: Rotation['after']['labels']) => ({
  after: { ...seen.after, labels: of },
});

/** The key is another one whenever somebody looks. */
const restless: Disturb = (world) => {
  let count = 0;
  const signingSecret = async () => ({
    labels: { [`version-${count++}`]: ['AWSCURRENT'] },
    rotationEnabled: true,
  });
  return operator({ signingSecret })(world);
};

const refused = { name: 'AccessDeniedException', message: 'Access to KMS is not allowed' };

/** A check, a deployment in which it does not hold, and what the report then says. */
export const disturbances: readonly (readonly [string, Disturb, RegExp])[] = [
  ['s3-if-none-match-query', insteadOf(412, 200), /the second 200/],
  ['s3-conditional-conflict', insteadOf(412, 200), /got 200, 200, 200, 200/],
  [
    's3-crc64nvme',
    answers(({ headers: { 'x-amz-checksum-crc64nvme': _, ...headers } }) => ({ headers })),
    /has no CRC-64\/NVME/,
  ],
  ['s3-checksum-of-url', operator({ checksum: async () => undefined }), /gives no CRC-64\/NVME/],
  [
    's3-head-version-permission',
    uploads((one) => ({ ...one, sent: { ...one.sent, checksum: 'other' } })),
    /^0 of 5 uploads were recorded with the CRC-64\/NVME/,
  ],
  ['s3-unsigned-header', insteadOf(403, 200), /got 200, which does not name/],
  ['s3-unsigned-content-sha256', insteadOf(200, 403), /got 403/],
  [
    's3-unsigned-content-sha256-value',
    operator({ content: async () => Buffer.from('something else') }),
    /is something else/,
  ],
  [
    's3-error-fields',
    answers(({ text }) => ({ text: text.replace('</Error>', '<Resource>/a</Resource></Error>') })),
    /Resource\.$/,
  ],
  ['s3-consistency', operator({ content: () => Promise.reject(new Error('NoSuchKey')) }), /^0 of 3/],
  [
    'dynamodb-conditional-failure',
    operator({ writeUnderFalseCondition: async () => undefined }),
    /false condition succeeded/,
  ],
  ['sts-role-chaining', withoutSession, /not signed by a session/],
  ['sts-assume-role-answer', withoutSession, /lacks a session token/],
  ['kms-key-policy', operator({ tryToReadPrivateKeys: async () => undefined }), /can read the private keys/],
  ['secrets-kms-rights', operator({ tryToReadPrivateKeys: async () => undefined }), /let an operator read/],
  [
    'cloudformation-custom-resource',
    operator({ stackStatus: async () => 'ROLLBACK_COMPLETE' }),
    /The stack is ROLLBACK_COMPLETE/,
  ],
  ['secrets-rotate-later-test', restless, /the key was rotated/],
  ['secrets-rotation-kms-rights', rotation(() => ({ refused })), /got AccessDeniedException/],
  ['secrets-stage-compare-and-swap', operator({ moveLabelBlindly: async () => undefined }), /succeeded/],
  [
    'http-api-payload-2',
    answers((_, { headers }) => (headers?.AUTHORIZATION === undefined ? {} : { status: 401 })),
    /a header in capitals got 401/,
  ],
  [
    'http-api-encoded-slash',
    answers((_, { path }) => (path.includes('%2F') ? { text: '{"message":"Not Found"}' } : {})),
    /not of the function/,
  ],
  ['http-api-challenge-header', answers(() => ({ headers: {} })), /came in no header/],
  [
    'http-api-not-found',
    answers((_, { method }) => (method === 'DELETE' ? { status: 405 } : {})),
    /another method 405/,
  ],
  ['http-api-largest-body', insteadOf(413, 400), /got 400/],
  ['http-api-largest-head', insteadOf(431, 200), /about 12,000 200/],
  [
    'http-api-gateway-bodies',
    answers(({ status }) => (status === 413 ? { text: '{"message":"Too long"}' } : {})),
    /413 \{"message":"Too long"\}/,
  ],
  ['cancel', insteadOf(412, 200), /after the cancel got 200/],
  [
    'events',
    uploads((one) => ({ ...one, sent: { ...one.sent, etag: 'other' } })),
    /^5 of 5 uploads were completed.* 0 have the size and ETag/,
  ],
  ['events', operator({ record: async () => refused }), /it was refused/],
  ['rotation', rotation(() => ({ version: 'another' })), /It did not end/],
  [
    'rotation',
    rotation((seen) => labels(seen, { [seen.version]: ['AWSCURRENT'] })),
    /AWSPREVIOUS did not follow/,
  ],
  [
    'rotation',
    rotation((seen) => labels(seen, { ...seen.after.labels, another: ['AWSCURRENT'] })),
    /AWSCURRENT is on two versions/,
  ],
  ['rotation', rotation(() => ({ oldToken: 401 })), /a token of before got 401/],
];
