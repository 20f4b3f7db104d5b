import { checksumOf, put, shortly } from '../http.ts';
import { judge } from '../outcome.ts';
import type { World } from '../world.ts';
import type { Check } from './check.ts';

const never = '0'.repeat(64);

/** What S3 does with an upload URL, beside the answers that the contract suite compares. */
export const storageFacts: readonly Check[] = [
  { id: 's3-if-none-match-query', must: true, look: lookAtOneUse },
  { id: 's3-conditional-conflict', must: true, look: lookAtRace },
  { id: 's3-unsigned-header', must: true, look: lookAtUnsignedHeader },
  { id: 's3-unsigned-content-sha256', must: false, look: lookAtContentSha256 },
  { id: 's3-unsigned-content-sha256-value', must: false, look: lookAtContentOfContentSha256 },
  { id: 's3-error-fields', must: false, look: lookAtErrorFields },
  { id: 's3-crc64nvme', must: false, look: lookAtAnsweredChecksum },
  { id: 's3-checksum-of-url', must: false, look: lookAtKeptChecksum },
  { id: 's3-consistency', must: true, look: lookAtConsistency },
];

async function lookAtOneUse(world: World) {
  const { url, key } = await world.issue();
  const first = await put(world, url, 'first');
  const second = await put(world, url, 'second');
  const kept = (await world.operator.content(key)).toString() === 'first';
  const holds = first.status === 200 && shortly(second) === '412 PreconditionFailed' && kept;
  const content = kept ? 'The first content stayed' : 'The first content did not stay';
  return judge(holds, `The first PUT got ${shortly(first)}, the second ${shortly(second)}. ${content}.`);
}

async function lookAtRace(world: World) {
  const { url, key } = await world.issue();
  const bodies = ['one', 'two', 'three', 'four'];
  const answers = await Promise.all(bodies.map((body) => put(world, url, body)));
  const won = bodies.filter((_, index) => answers[index]?.status === 200);
  const lost = answers.filter(({ status }) => status !== 200).map(shortly);
  const stored = (await world.operator.content(key)).toString();
  const allowed = new Set(['412 PreconditionFailed', '409 ConditionalRequestConflict']);
  const holds = won.length === 1 && stored === won[0] && lost.every((answer) => allowed.has(answer));
  return judge(
    holds,
    `Four PUTs at the same time got ${answers.map(shortly).join(', ')}. ` +
      `The content is ${won.includes(stored) ? 'that of a PUT that succeeded' : 'of none that succeeded'}.`,
  );
}

async function lookAtUnsignedHeader(world: World) {
  const { url } = await world.issue();
  const answer = await put(world, url, 'content', { 'x-amz-acl': 'public-read' });
  const named = /<HeadersNotSigned>[^<]*x-amz-acl/.test(answer.text);
  return judge(
    answer.status === 403 && named,
    `A PUT with x-amz-acl got ${shortly(answer)}, ${named ? 'which names' : 'which does not name'} the header.`,
  );
}

async function putWithContentSha256(world: World) {
  const { url, key } = await world.issue();
  const answer = await put(world, url, 'content', { 'x-amz-content-sha256': never });
  return { answer, key };
}

async function lookAtContentSha256(world: World) {
  const { answer } = await putWithContentSha256(world);
  return judge(answer.status === 200, `A PUT with the header got ${shortly(answer)}.`);
}

async function lookAtContentOfContentSha256(world: World) {
  const { answer, key } = await putWithContentSha256(world);
  if (answer.status !== 200) {
    return judge(false, `A PUT with the digest of other content got ${shortly(answer)}.`);
  }
  const stored = (await world.operator.content(key)).toString() === 'content';
  const content = stored ? 'the body as it came' : 'something else';
  return judge(stored, `After a PUT with the digest of other content, the object is ${content}.`);
}

async function lookAtErrorFields(world: World) {
  const { url } = await world.issue();
  url.searchParams.set('X-Amz-Signature', never);
  const { text } = await put(world, url);
  const names = [...text.matchAll(/<([A-Za-z]+)>[^<]*<\/\1>/g)].map(([, name = '']) => name);
  const holds =
    ['Code', 'Message', 'RequestId', 'HostId'].every((name) => names.includes(name)) &&
    !names.includes('Resource');
  return judge(holds, `A 403 has ${names.length === 0 ? 'no elements' : names.join(', ')}.`);
}

/** CRC-64/NVME of a text, as it was recorded from AWS. */
const summed = { body: 'something', checksum: '1BGd19PD4OU=' };

async function lookAtAnsweredChecksum(world: World) {
  const { url } = await world.issue();
  const answer = await put(world, url, summed.body);
  const checksum = checksumOf(answer);
  const type = String(answer.headers['x-amz-checksum-type'] ?? 'of no type');
  return judge(
    checksum === summed.checksum && type === 'FULL_OBJECT',
    `The answer to a PUT has ${checksum === undefined ? 'no CRC-64/NVME' : `${checksum}, ${type}`}.`,
  );
}

async function lookAtKeptChecksum(world: World) {
  const { url, key } = await world.issue();
  await put(world, url, summed.body);
  const checksum = await world.operator.checksum(key);
  return judge(checksum === summed.checksum, `HeadObject gives ${checksum ?? 'no CRC-64/NVME'}.`);
}

async function lookAtConsistency(world: World) {
  let found = 0;
  for (const body of ['first', 'second', 'third']) {
    const { url, key } = await world.issue();
    await put(world, url, body);
    const stored = await world.operator.content(key).catch(() => undefined);
    found += stored?.toString() === body ? 1 : 0;
  }
  return judge(found === 3, `${found} of 3 objects could be read immediately after their PUT.`);
}
