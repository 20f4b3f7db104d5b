import type { EventsSeen } from '../../../tools/verify/world/observe-events.ts';
import type { RotationSeen } from '../../../tools/verify/world/observe-rotation.ts';
import type { Operator, Reach } from '../../../tools/verify/world/reach.ts';
import type { World } from '../../../tools/verify/world/world.ts';

/** A deployment in which one fact does not hold, and what the report then says of it. */
export interface Disturbance {
  readonly fact: string;
  /** What AWS does in it. */
  readonly aws: string;
  readonly disturb: (world: World) => World;
  readonly says: RegExp;
}

type Answer = Awaited<ReturnType<Reach['http']>>;
type Question = Parameters<Reach['http']>[1];

function answers(change: (answer: Answer, question: Question) => Partial<Answer>) {
  return (world: World): World => ({
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
  (change: Partial<Operator>) =>
  (world: World): World => ({
    ...world,
    operator: { ...world.operator, ...change },
  });

const events =
  (change: (seen: EventsSeen) => Partial<EventsSeen>) =>
  (world: World): World => ({
    ...world,
    events: async () => {
      const seen = await world.events();
      return { ...seen, ...change(seen) };
    },
  });

const rotation =
  (change: (seen: RotationSeen) => Partial<RotationSeen>) =>
  (world: World): World => ({
    ...world,
    rotation: async () => {
      const seen = await world.rotation();
      return { ...seen, ...change(seen) };
    },
  });

const withoutSession = (world: World): World => ({
  ...world,
  issue: async () => {
    const issued = await world.issue();
    return { ...issued, url: issued.url.with('X-Amz-Security-Token', null) };
  },
});

const labels = (seen: RotationSeen, of: Readonly<Record<string, readonly string[]>>) => ({
  after: { ...seen.after, labels: of },
});

const refused = { name: 'AccessDeniedException', message: 'Access to KMS is not allowed' };

/** At least one for each fact that `npm run verify` checks. */
export const disturbances: readonly Disturbance[] = [
  {
    fact: 's3-if-none-match-query',
    aws: 'ignores the condition in the query',
    disturb: insteadOf(412, 200),
    says: /the second 200/,
  },
  {
    fact: 's3-conditional-conflict',
    aws: 'lets every PUT win',
    disturb: insteadOf(412, 200),
    says: /got 200, 200, 200, 200/,
  },
  {
    fact: 's3-crc64nvme',
    aws: 'computes no checksum',
    disturb: answers(({ headers: { 'x-amz-checksum-crc64nvme': _, ...headers } }) => ({ headers })),
    says: /has no CRC-64\/NVME/,
  },
  {
    fact: 's3-checksum-of-url',
    aws: 'keeps no checksum',
    disturb: operator({ checksum: async () => undefined }),
    says: /gives no CRC-64\/NVME/,
  },
  {
    fact: 's3-head-version-permission',
    aws: 'does not give the function the checksum',
    disturb: events(({ uploads }) => ({
      uploads: uploads.map((one) => {
        const { checksum_crc64nvme: _, ...upload } = { checksum_crc64nvme: '', ...one.upload };
        return { ...one, upload };
      }),
    })),
    says: /^0 of 5 uploads were recorded with the CRC-64\/NVME/,
  },
  {
    fact: 's3-unsigned-header',
    aws: 'takes a header that nobody signed',
    disturb: insteadOf(403, 200),
    says: /got 200, which does not name/,
  },
  {
    fact: 's3-unsigned-content-sha256',
    aws: 'refuses the header',
    disturb: insteadOf(200, 403),
    says: /got 403/,
  },
  {
    fact: 's3-unsigned-content-sha256-value',
    aws: 'stores something else',
    disturb: operator({ content: async () => Buffer.from('something else') }),
    says: /is something else/,
  },
  {
    fact: 's3-error-fields',
    aws: 'names the resource in an error',
    disturb: answers(({ text }) => ({ text: text.replace('</Error>', '<Resource>/a</Resource></Error>') })),
    says: /Resource\.$/,
  },
  {
    fact: 's3-consistency',
    aws: 'shows an object late',
    disturb: operator({ content: () => Promise.reject(new Error('NoSuchKey')) }),
    says: /^0 of 3/,
  },
  {
    fact: 'dynamodb-conditional-failure',
    aws: 'writes under a false condition',
    disturb: operator({ writeUnderFalseCondition: async () => undefined }),
    says: /false condition succeeded/,
  },
  {
    fact: 'sts-role-chaining',
    aws: 'gives the function no session',
    disturb: withoutSession,
    says: /not signed by a session/,
  },
  {
    fact: 'sts-assume-role-answer',
    aws: 'answers without a session token',
    disturb: withoutSession,
    says: /lacks a session token/,
  },
  {
    fact: 'kms-key-policy',
    aws: 'lets an administrator decrypt',
    disturb: operator({ tryToReadPrivateKeys: async () => undefined }),
    says: /can read the private keys/,
  },
  {
    fact: 'secrets-kms-rights',
    aws: 'decrypts with rights of its own',
    disturb: operator({ tryToReadPrivateKeys: async () => undefined }),
    says: /let an operator read/,
  },
  {
    fact: 'cloudformation-custom-resource',
    aws: 'rolls the creation back',
    disturb: operator({ stackStatus: async () => 'ROLLBACK_COMPLETE' }),
    says: /The stack is ROLLBACK_COMPLETE/,
  },
  {
    fact: 'secrets-rotate-later-test',
    aws: 'rotates when the schedule is set',
    disturb: rotation(({ after }) => ({ scheduling: { after } })),
    says: /the key was rotated/,
  },
  {
    fact: 'secrets-rotation-kms-rights',
    aws: 'writes the pending version with the rights of the caller',
    disturb: rotation(() => ({ refused })),
    says: /got AccessDeniedException/,
  },
  {
    fact: 'secrets-stage-compare-and-swap',
    aws: 'moves a label without being told from where',
    disturb: operator({ moveLabelBlindly: async () => undefined }),
    says: /succeeded/,
  },
  {
    fact: 'http-api-payload-2',
    aws: 'does not write header names in lower case',
    disturb: answers((_, { headers }) => (headers?.AUTHORIZATION === undefined ? {} : { status: 401 })),
    says: /a header in capitals got 401/,
  },
  {
    fact: 'http-api-encoded-slash',
    aws: 'splits the path at %2F',
    disturb: answers((_, { path }) => (path.includes('%2F') ? { text: '{"message":"Not Found"}' } : {})),
    says: /not of the function/,
  },
  {
    fact: 'http-api-challenge-header',
    aws: 'drops the challenge',
    disturb: answers(() => ({ headers: {} })),
    says: /came in no header/,
  },
  {
    fact: 'http-api-not-found',
    aws: 'answers 405 for another method',
    disturb: answers((_, { method }) => (method === 'DELETE' ? { status: 405 } : {})),
    says: /another method 405/,
  },
  {
    fact: 'http-api-largest-body',
    aws: 'hands a larger body to the function',
    disturb: insteadOf(413, 400),
    says: /got 400/,
  },
  {
    fact: 'http-api-largest-head',
    aws: 'takes a larger head',
    disturb: insteadOf(431, 200),
    says: /about 12,000 200/,
  },
  {
    fact: 'http-api-gateway-bodies',
    aws: 'has other words for 413',
    disturb: answers(({ status }) => (status === 413 ? { text: '{"message":"Too long"}' } : {})),
    says: /413 \{"message":"Too long"\}/,
  },
];

/** A part that does not hold, and what the report then says of it. */
export const disturbedParts = [
  {
    part: 'events',
    aws: 'gives another ETag in the event',
    disturb: events(({ uploads }) => ({ uploads: uploads.map((one) => ({ ...one, etag: 'other' })) })),
    says: /: 5 of 5 uploads were completed.* 0 have the size and ETag/,
  },
  {
    part: 'events',
    aws: 'repeats an event, and the record changes',
    disturb: events(() => ({ replayChangedNothing: false })),
    says: /changed the record/,
  },
  {
    part: 'rotation',
    aws: 'calls the steps with another token',
    disturb: rotation(() => ({ version: 'another' })),
    says: /It did not end/,
  },
  {
    part: 'rotation',
    aws: 'leaves AWSPREVIOUS where it was',
    disturb: rotation((seen) => labels(seen, { [seen.version]: ['AWSCURRENT'] })),
    says: /AWSPREVIOUS did not follow/,
  },
  {
    part: 'rotation',
    aws: 'puts a label on two versions',
    disturb: rotation((seen) => labels(seen, { ...seen.after.labels, another: ['AWSCURRENT'] })),
    says: /AWSCURRENT is on two versions/,
  },
  {
    part: 'rotation',
    aws: 'breaks the tokens of before',
    disturb: rotation(() => ({ oldToken: 401 })),
    says: /a token of before got 401/,
  },
] as const;
