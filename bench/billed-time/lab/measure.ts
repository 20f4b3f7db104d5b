import { cpus } from 'node:os';
import { makeBundles } from '../../bundles.ts';
import { type Contestant, send, startContestant } from '../../contestant.ts';
import { eventMaker, functionOf, itemsForRecording } from '../../function-events.ts';
import { createSetting } from '../../setting.ts';
import { median } from '../../statistics.ts';
import {
  type EmulatedDuration,
  type MeasuredInputs,
  type MeasuredRequest,
  megabytesOfOneCore,
  memorySizes,
  type RequestKind,
  waitsMilliseconds,
} from '../inputs.ts';
import { type CpuShare, makeCpuShare } from './cpu-share.ts';

const [warmUpRequests, requestsPerRound, rounds, starts, emulatedRequests] = [1500, 200, 9, 7, 60];

/** What a run of the measurement needs, and what it says meanwhile. */
interface Lab {
  readonly aws: Contestant;
  readonly environment: Readonly<Record<string, string>>;
  readonly bundleOf: (kind: RequestKind) => Promise<string>;
  readonly program: string;
  readonly nextEvent: (kind: RequestKind) => Promise<string>;
  readonly share: CpuShare | undefined;
}

/**
 * Measures kinds of requests in a process of plain Node.js; AWS answers from another process.
 *
 * @param earlier what is kept of the other kinds
 */
export async function measureKinds(
  kinds: readonly RequestKind[],
  earlier: Partial<MeasuredInputs>,
  say: (line: string) => void,
): Promise<MeasuredInputs> {
  const setting = await createSetting();
  const bundles = await makeBundles();
  const share = await makeCpuShare();
  say(
    share === undefined
      ? 'This machine cannot hold a process down: CPU time is scaled only.'
      : 'CPU shares are emulated.',
  );
  const environment = { ...setting.environment, ITEMS: itemsForRecording(setting.environment.ITEMS ?? '{}') };
  const aws = await startContestant(await bundles.ofProgram('aws-stub'), environment);
  try {
    const files = new Map<string, Promise<string>>();
    const lab: Lab = {
      aws,
      environment: { ...environment, AWS_ENDPOINT_URL: aws.url },
      program: await bundles.ofProgram('../billed-time/lab/programs/function'),
      bundleOf: (kind) => {
        const name = functionOf[kind];
        const file = files.get(name) ?? bundles.ofFunction(name);
        files.set(name, file);
        return file;
      },
      nextEvent: eventMaker(setting),
      share,
    };
    const measured: Partial<Record<RequestKind, MeasuredRequest>> = { ...earlier.requests };
    for (const kind of kinds) {
      const one = await measureKind(lab, kind);
      measured[kind] = one;
      say(`${kind}: ${one.cpuMicroseconds} µs of CPU`);
    }
    return {
      date: new Date().toISOString().slice(0, 10),
      machine: cpus()[0]?.model ?? 'unknown',
      node: process.version,
      requests: measured as Record<RequestKind, MeasuredRequest>,
    };
  } finally {
    await aws.stop();
    await bundles.remove();
    await share?.remove();
  }
}

interface Answered {
  readonly milliseconds: number;
  readonly sinceStart: number;
  readonly bytes: number;
}

interface Usage {
  readonly pid: number;
  readonly cpuMicroseconds: number;
  readonly peakBytes: number;
  readonly logBytes: number;
  readonly logLines: number;
}

async function measureKind(lab: Lab, kind: RequestKind): Promise<MeasuredRequest> {
  await setWait(lab.aws, 0);
  const cold: number[] = [];
  for (let index = 0; index < starts; index += 1) {
    const process = await start(lab, kind);
    await invoke(lab, process, kind);
    cold.push((await usageOf(process)).cpuMicroseconds / 1000);
    await process.stop();
  }
  const process = await start(lab, kind);
  try {
    await repeat(lab, process, kind, warmUpRequests);
    const cpu: number[] = [];
    await takeCalls(lab.aws);
    const before = await usageOf(process);
    let bytes = 0;
    for (let round = 0; round < rounds; round += 1) {
      const events = await eventsFor(lab, kind, requestsPerRound);
      const start = await usageOf(process);
      for (const event of events) {
        bytes = (await invokeWith(process, event)).bytes;
      }
      cpu.push(((await usageOf(process)).cpuMicroseconds - start.cpuMicroseconds) / requestsPerRound);
    }
    const requests = rounds * requestsPerRound;
    const calls = await takeCalls(lab.aws);
    const after = await usageOf(process);
    const each = callsOfOne(calls, requests);
    const measured = {
      cpuMicroseconds: Math.round(median(cpu)),
      coldCpuMilliseconds: Math.round(median(cold)),
      calls: each,
      waits: await countWaits(
        lab,
        process,
        kind,
        Object.values(each).reduce((all, count) => all + count, 0),
      ),
      logBytes: Math.round((after.logBytes - before.logBytes) / requests),
      logLines: Math.round((after.logLines - before.logLines) / requests),
      answerBytes: bytes,
      peakMegabytes: Math.ceil(after.peakBytes / 1e6),
    };
    return lab.share === undefined
      ? measured
      : { ...measured, emulated: await emulate(lab, lab.share, process, kind) };
  } finally {
    await process.stop();
  }
}

/** A cache that is filled again now and then is not a call of each request. */
function callsOfOne(calls: Readonly<Record<string, number>>, requests: number): Record<string, number> {
  const each = Object.entries(calls).map(([name, count]) => [name, Math.round(count / requests)] as const);
  return Object.fromEntries(each.filter(([, count]) => count > 0));
}

/** A long wait for each call shows how many calls are made one after the other: there are no more than calls. */
async function countWaits(lab: Lab, process: Contestant, kind: RequestKind, calls: number): Promise<number> {
  const long = 50;
  const without = median(await timesOf(lab, process, kind, 15));
  await setWait(lab.aws, long);
  const withWaits = median(await timesOf(lab, process, kind, 15));
  await setWait(lab.aws, 0);
  return Math.min(calls, Math.round((withWaits - without) / long));
}

async function emulate(
  lab: Lab,
  share: CpuShare,
  process: Contestant,
  kind: RequestKind,
): Promise<readonly EmulatedDuration[]> {
  const durations: EmulatedDuration[] = [];
  await share.add((await usageOf(process)).pid);
  for (const memory of memorySizes) {
    await share.set(Math.min(1, memory / megabytesOfOneCore));
    for (const waitMilliseconds of waitsMilliseconds) {
      await setWait(lab.aws, waitMilliseconds);
      const times = [...(await timesOf(lab, process, kind, emulatedRequests))].sort((a, b) => a - b);
      const at = (part: number) =>
        Number((times[Math.floor(part * (times.length - 1))] ?? Number.NaN).toFixed(1));
      durations.push({ memory, waitMilliseconds, p50: at(0.5), p95: at(0.95) });
    }
  }
  await share.set(1);
  await setWait(lab.aws, 0);
  return durations;
}

async function timesOf(
  lab: Lab,
  process: Contestant,
  kind: RequestKind,
  count: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const event of await eventsFor(lab, kind, count)) {
    times.push((await invokeWith(process, event)).milliseconds);
  }
  return times;
}

async function start(lab: Lab, kind: RequestKind): Promise<Contestant> {
  return startContestant(lab.program, { ...lab.environment, BUNDLE: await lab.bundleOf(kind) });
}

async function eventsFor(lab: Lab, kind: RequestKind, count: number): Promise<readonly string[]> {
  const events: string[] = [];
  for (let index = 0; index < count; index += 1) {
    events.push(await lab.nextEvent(kind));
  }
  return events;
}

async function repeat(lab: Lab, process: Contestant, kind: RequestKind, count: number): Promise<void> {
  for (const event of await eventsFor(lab, kind, count)) {
    await invokeWith(process, event);
  }
}

async function invoke(lab: Lab, process: Contestant, kind: RequestKind): Promise<Answered> {
  return invokeWith(process, await lab.nextEvent(kind));
}

async function invokeWith({ url }: Contestant, event: string): Promise<Answered> {
  return JSON.parse(await send(url, { method: 'POST', path: '/', headers: {}, body: event })) as Answered;
}

async function usageOf({ url }: Contestant): Promise<Usage> {
  return JSON.parse(await send(url, { method: 'GET', path: '/-/usage', headers: {} })) as Usage;
}

async function setWait({ url }: Contestant, milliseconds: number): Promise<void> {
  await send(url, { method: 'POST', path: '/-/wait', headers: {}, body: String(milliseconds) });
}

async function takeCalls({ url }: Contestant): Promise<Record<string, number>> {
  return JSON.parse(await send(url, { method: 'GET', path: '/-/calls', headers: {} })) as Record<
    string,
    number
  >;
}
