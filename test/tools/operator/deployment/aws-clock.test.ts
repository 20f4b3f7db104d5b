import { createServer } from 'node:http';
import { stsClient } from '../../../../tools/operator/deployment/aws-clients.ts';
import { awsClock, createAwsClock, describeSkew } from '../../../../tools/operator/deployment/aws-clock.ts';
import { listen } from '../../../support/listen.ts';

const noon = Date.parse('2026-01-31T12:00:00.250Z');
const [second, hour] = [1000, 3_600_000];

/**
 * Creates a machine that is `ahead` milliseconds ahead of AWS, and its AWS clock. A request takes
 * `transit` milliseconds, and its response takes the same time.
 */
function machineOf(ahead: number, transit: number) {
  let aws = noon;
  const pass = async () => {
    aws += transit;
  };
  const clock = createAwsClock(() => aws + ahead);
  const ask = async (dateOf = () => new Date(aws).toUTCString()) => {
    const send = async () => {
      await pass();
      const date = dateOf();
      await pass();
      return date;
    };
    await clock.correctWith(send, (date) => date);
    return clock.now() - aws;
  };
  return { clock, ask };
}

const skews = [
  ['40 days behind', -40 * 24 * hour],
  ['30 h ahead', 30 * hour],
] as const;

test.for(skews)('a machine that is %s uses the time of AWS', async ([, ahead]) => {
  const { clock, ask } = machineOf(ahead, 40);
  expect(clock.now()).toBe(noon + ahead);
  expect(Math.abs(await ask())).toBeLessThanOrEqual(second);
  expect(Math.abs(clock.machineAhead() - ahead)).toBeLessThanOrEqual(second);
});

test.for([
  ['right', 0, 0],
  ['half a second ahead', 500, 0],
  // The request and the response take one minute each, so the received date is one minute old.
  ['right, with a response that takes two minutes', 0, 60 * second],
] as const)('a machine that is %s keeps its time', async ([, ahead, transit]) => {
  expect(await machineOf(ahead, transit).ask()).toBe(ahead);
});

test.for(['', 'yesterday'])('a response with the date %j is ignored', async (date) => {
  expect(await machineOf(2 * hour, 0).ask(() => date)).toBe(2 * hour);
});

test('a clock that is set right is followed', async () => {
  let machine = noon + 2 * hour;
  const clock = createAwsClock(() => machine);
  const ask = () => clock.correctWith(async () => new Date(noon).toUTCString(), String);
  await ask();
  machine = noon;
  await ask();
  expect(Math.abs(clock.now() - noon)).toBeLessThanOrEqual(second);
});

test.for([200, 403])('every client corrects its clock by a response with status %i', async (status) => {
  const server = createServer((_, response) =>
    response.writeHead(status, { date: new Date(Date.now() - 30 * hour).toUTCString() }).end(),
  );
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const awsConfig = { region: 'us-east-1', endpoint: await listen(server), credentials };
  const sts = await stsClient({ awsConfig });
  await sts.getCallerIdentity({}).catch(() => undefined);
  expect(describeSkew({ awsConfig })).toMatch(
    /^The clock of this machine is (30 h 00|29 h 59) min ahead of AWS/,
  );
});

test.for([
  ['a warning', '61 s', -61 * second, /is 1 min 0\d s behind AWS\. The time of AWS is used instead\.$/],
  ['a warning', '-90 min', 90 * 60 * second, /is 1 h (29|30) min ahead of AWS\./],
  ['nothing', '-50 s', 50 * second, /^$/],
] as const)('%s is printed if AWS is ahead by %s', async ([, , ahead, sentence]) => {
  const awsConfig = {};
  const date = new Date(Date.now() - ahead).toUTCString();
  await awsClock({ awsConfig }).correctWith(async () => date, String);
  expect(describeSkew({ awsConfig }) ?? '').toMatch(sentence);
});
