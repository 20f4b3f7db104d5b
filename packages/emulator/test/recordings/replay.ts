import type { InvokeFunction } from '../../lambda/invoke.ts';
import { prepareRuns, resource } from '../support/aws-services.ts';
import { createBundles } from '../support/bundles.ts';
import type { ExpectedResponse, RecordedService, Recording } from './recording.ts';
import { type ActualResponse, expectedFrom, fillIn, type Placeholders, readJsonTexts } from './responses.ts';
import { sendCall, sendPresigned } from './send.ts';

const bundles = await createBundles();

/** Target of recordings, with its own clock. */
export async function startFor({ resources, function: source }: Recording) {
  const runs = await prepareRuns(
    Object.entries(resources).map(([id, { Type, Properties }]) => resource(id, Type, Properties)),
  );
  let time = Date.now();
  const now = () => new Date(time);
  const aws = await runs.start({ now, invoke: invokes(source) });
  aws.startBackgroundWork();
  const wait = (seconds: number) => {
    time += seconds * 1000;
    return aws.runSchedules(now());
  };
  return { aws, now, wait };
}

type ReplayTarget = Awaited<ReturnType<typeof startFor>>;

/** Sends the requests of a recording, and compares each response. */
export async function replay(
  service: RecordedService,
  recording: Recording,
  to?: ReplayTarget,
): Promise<void> {
  const { aws, now, wait } = to ?? (await startFor(recording));
  const placeholders: Placeholders = new Map();
  for (const step of recording.exchange) {
    if ('wait' in step) {
      await wait(step.wait);
      continue;
    }
    const sent = fillIn(step, placeholders);
    const response = await ('call' in sent ? sendCall(aws, service, sent) : sendPresigned(aws, sent, now()));
    compare(response, step.response, placeholders);
    await aws.eventsSettled();
  }
}

function invokes(source: string | undefined): InvokeFunction {
  return async (name, payload) => {
    if (source === undefined) {
      throw new Error(`no function ${name}`);
    }
    const environment = bundles.start(source);
    const error = await environment.loaded;
    return error === undefined ? environment.invoke(payload) : { ok: false, error };
  };
}

function compare(
  actual: ActualResponse,
  response: ExpectedResponse | undefined,
  placeholders: Placeholders,
): void {
  if (response === undefined) {
    expect(actual).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
    return;
  }
  const { absent, ...given } = response;
  const read = readJsonTexts(actual, given);
  expect(read).toMatchObject(Object(expectedFrom(given, read, placeholders)));
  const sent = { ...actual.members, ...actual.headers };
  expect(absent.filter((name) => sent[name] !== undefined)).toEqual([]);
}
