import { ask } from '../http.ts';
import { judge } from '../outcome.ts';
import type { World } from '../world.ts';
import type { Check } from './check.ts';

const tooMuch = 10 * 1024 * 1024 + 1;
const notFound = '{"message":"Not Found"}';

/** What API Gateway does with requests, and answers by itself. */
export const gatewayFacts: readonly Check[] = [
  { id: 'http-api-payload-2', must: true, look: lookAtRequestForm },
  { id: 'http-api-encoded-slash', must: false, look: lookAtEncodedSlash },
  { id: 'http-api-challenge-header', must: false, look: lookAtChallenge },
  { id: 'http-api-not-found', must: true, look: lookAtNotFound },
  { id: 'http-api-largest-body', must: true, look: lookAtLargestBody },
  { id: 'http-api-largest-head', must: true, look: lookAtLargestHead },
  { id: 'http-api-gateway-bodies', must: false, look: lookAtBodies },
];

async function lookAtRequestForm(world: World) {
  const bearer = `Bearer ${await world.token()}`;
  const volumes = { method: 'GET', path: '/v0/volumes' };
  const first = world.fileId.charCodeAt(0).toString(16).padStart(2, '0');
  const path = `/v0/files/%${first}${world.fileId.slice(1)}/sync`;
  const answers = {
    'a header in capitals': await ask(world, { ...volumes, headers: { AUTHORIZATION: bearer } }),
    'an encoded letter in the path': await ask(world, {
      method: 'POST',
      path,
      headers: { authorization: bearer },
    }),
    'a header twice': await ask(world, { ...volumes, headers: { authorization: [bearer, bearer] } }),
  };
  const statuses = Object.values(answers).map(({ status }) => status);
  const [capitals, encoded, twice = 0] = statuses;
  const holds = capitals === 200 && encoded === 200 && (twice === 400 || twice === 401);
  const seen = Object.entries(answers).map(([what, { status }]) => `${what} got ${status}`);
  return judge(holds, `${seen.join(', ')}. Cookies cannot be seen from outside.`);
}

async function lookAtEncodedSlash(world: World) {
  const headers = { authorization: `Bearer ${await world.token()}` };
  const answer = await ask(world, { method: 'POST', path: '/v0/files/verify%2Ffile/sync', headers });
  const ofFunction = answer.status === 404 && answer.text.includes('"error"');
  const whose = ofFunction ? 'of the function' : 'not of the function';
  return judge(ofFunction, `A file id with %2F got ${answer.status}, an answer ${whose}.`);
}

async function lookAtChallenge(world: World) {
  const { status, headers } = await ask(world, { method: 'GET', path: '/v0/volumes' });
  const names = ['www-authenticate', 'x-amzn-remapped-www-authenticate'].filter((name) => headers[name]);
  return judge(
    status === 401 && names.length === 1,
    `The challenge of a ${status} came in ${names.length === 0 ? 'no header' : names.join(' and ')}.`,
  );
}

async function lookAtNotFound(world: World) {
  const answers = await Promise.all([
    ask(world, { method: 'GET', path: '/nowhere' }),
    ask(world, { method: 'DELETE', path: '/v0/volumes' }),
  ]);
  const [path, method] = answers.map(({ status }) => status);
  return judge(path === 404 && method === 404, `An unknown path got ${path}, another method ${method}.`);
}

/** A form of another type is refused before anything is looked up, so that no quota of failures is used. */
function sendLargestBody(world: World) {
  return ask(world, { method: 'POST', path: '/oauth/token', body: Buffer.alloc(tooMuch) });
}

async function lookAtLargestBody(world: World) {
  const { status } = await sendLargestBody(world);
  return judge(status === 413, `A body of ${tooMuch} bytes got ${status}.`);
}

function sendHead(world: World, bytes: number, bearer: string) {
  const headers = { 'x-padding': 'x'.repeat(bytes), authorization: bearer };
  return ask(world, { method: 'GET', path: '/v0/volumes', headers });
}

async function lookAtLargestHead(world: World) {
  const bearer = `Bearer ${await world.token()}`;
  const [small, large] = await Promise.all([sendHead(world, 8000, bearer), sendHead(world, 11_000, bearer)]);
  return judge(
    small.status === 200 && large.status === 431,
    `A head of about 9,000 bytes got ${small.status}, one of about 12,000 ${large.status}.`,
  );
}

async function lookAtBodies(world: World) {
  const answers = [
    await ask(world, { method: 'GET', path: '/nowhere' }),
    await sendLargestBody(world),
    await sendHead(world, 11_000, 'Bearer none'),
  ];
  const expected = [
    notFound,
    '{"message":"Request Entity Too Large"}',
    '{"message":"Request Header Fields Too Large"}',
  ];
  const holds = answers.every(({ text }, index) => text === expected[index]);
  const seen = answers.map(({ status, text }) => `${status} ${text.slice(0, 80)}`);
  return judge(holds, `${seen.join('; ')}.`);
}
