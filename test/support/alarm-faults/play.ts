import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { AlarmFault } from './alarm-fault.ts';
import { type FaultyStack, until } from './faulty-stack.ts';

/** What happened from a fault until long after its end. Alarms are named by their id in the stack. */
export interface Played {
  /** Alarms that were raised, in alphabetical order. */
  readonly raised: readonly string[];
  /** Alarms that notified somebody while it lasted, and of which state. */
  readonly notified: readonly string[];
  /** The same from its end on. */
  readonly notifiedAfter: readonly string[];
  /** Alarms that were still raised at the end. */
  readonly left: readonly string[];
}

/** A page waits two minutes for one that would suppress it (lib/monitoring/pages.ts). */
const minutesUntilPaged = 3;

/** An alarm looks back over five minutes. A suppressed page waits for fifteen more, and for its two minutes. */
const minutesUntilQuiet = 24;

/** Causes a fault, lets it be, mends it, and lets time pass until all is quiet again. */
export async function playFault(faulty: FaultyStack, fault: AlarmFault): Promise<Played> {
  const { changes, pass } = faulty;
  const first = changes.length;
  const quiet = await readNotifications(faulty);
  const cause = async () => {
    await fault.cause(faulty);
    await untilRaised(faulty, fault.alarm, () => faulty.evaluate());
    await pass(minutesUntilPaged);
  };
  // A fault that raised nothing must not last until the next one.
  await cause().finally(() => fault.mend(faulty));
  const notified = (await readNotifications(faulty)).slice(quiet.length);
  await pass(minutesUntilQuiet);
  const notifiedAfter = (await readNotifications(faulty)).slice(quiet.length + notified.length);
  const raised = changes.slice(first).flatMap(({ alarm, to }) => (to === 'ALARM' ? [alarmId(alarm)] : []));
  return {
    raised: [...new Set(raised)].toSorted(),
    notified,
    notifiedAfter,
    left: raisedNow(faulty).toSorted(),
  };
}

/**
 * Causes a fault, and waits until the emulator by itself has found the alarm raised.
 *
 * @returns seconds from the beginning of the fault
 */
export async function timeFault(faulty: FaultyStack, fault: AlarmFault): Promise<number> {
  const startedAt = performance.now();
  await fault.cause(faulty);
  await untilRaised(faulty, fault.alarm, async () => undefined);
  const seconds = (performance.now() - startedAt) / 1000;
  await fault.mend(faulty);
  await faulty.pass(minutesUntilQuiet);
  return seconds;
}

async function untilRaised(faulty: FaultyStack, alarm: string, evaluate: () => Promise<void>): Promise<void> {
  await until(`${alarm} is raised`, async () => {
    await evaluate();
    return raisedNow(faulty).includes(alarm);
  });
}

function raisedNow({ changes }: FaultyStack): readonly string[] {
  const states = new Map(changes.map(({ alarm, to }) => [alarmId(alarm), to]));
  return [...states].flatMap(([alarm, state]) => (state === 'ALARM' ? [alarm] : []));
}

const notificationSchema = v.object({
  message: v.pipe(v.string(), v.parseJson(), v.object({ AlarmName: v.string(), NewStateValue: v.string() })),
});

/** What CloudWatch sent so far: alarm and state. */
async function readNotifications({ stack }: FaultyStack): Promise<readonly string[]> {
  const text = await readFile(join(stack.stateDirectory, 'notifications.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(notificationSchema, JSON.parse(line)).message)
    .map(({ AlarmName, NewStateValue }) => `${alarmId(AlarmName)} ${NewStateValue}`);
}

/** The id of an alarm: its name without the stack's, that of the construct `Alarms`, and the hash that the CDK adds. */
export function alarmId(name: string): string {
  return name.replace(/^(?:.*-)?(?:Alarms)?(.*).{8}$/, '$1');
}
