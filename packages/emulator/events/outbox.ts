import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isoSeconds } from '../shared/clock.ts';
import {
  listDirectory,
  openDirectory,
  readFileIfPresent,
  removeFile,
  writeFileAtomically,
} from '../shared/files.ts';
import type { StackIdentity } from '../shared/names.ts';

/** An event of EventBridge. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Makes an event of the stack, with an ID of its own. */
export function createEvent(
  { accountId: account, region }: StackIdentity,
  time: Date,
  event: Pick<BusEvent, 'detail' | 'detail-type' | 'resources' | 'source'>,
): BusEvent {
  return { version: '0', id: randomUUID(), account, region, time: isoSeconds(time), ...event };
}

/** The bus on which the services of AWS send their events. */
export const defaultBus = 'default';

/** An event on its way to the targets of a bus. An event does not say itself on which bus it is. */
export interface SentEvent {
  readonly bus: string;
  readonly event: BusEvent;
}

/**
 * Events that are not delivered yet, each in a file. The event of an object is written before the object exists, and names
 * a file that exists only when the object does. So no event is lost, and none is delivered for an object that does not
 * exist.
 */
export interface Outbox {
  /** @param provenBy a file without which the event is not true; absent for an event that is true by itself */
  readonly add: (sent: SentEvent, provenBy?: string) => Promise<void>;
  readonly remove: (event: BusEvent) => Promise<void>;
  /** Events of an earlier process that were not delivered. */
  readonly leftOver: readonly SentEvent[];
}

interface Entry {
  readonly event: BusEvent;
  /** Absent: the default bus. */
  readonly bus?: string;
  /** Relative to the state folder, so that the folder may be moved. */
  readonly provenBy?: string | undefined;
}

/** @param stateDirectory folder of the outbox, and of the files that events name */
export async function openOutbox(stateDirectory: string): Promise<Outbox> {
  const directory = join(stateDirectory, 'events');
  await openDirectory(directory);
  const pathOf = (event: BusEvent) => join(directory, `${event.id}.json`);
  return {
    add: async ({ event, bus }, provenBy) => {
      const entry: Entry = { event, bus, provenBy: provenBy && relative(stateDirectory, provenBy) };
      await writeFileAtomically(pathOf(event), JSON.stringify(entry));
    },
    remove: (event) => removeFile(pathOf(event)),
    leftOver: await readLeftOver(directory, stateDirectory),
  };
}

async function readLeftOver(directory: string, stateDirectory: string): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  for (const name of await listDirectory(directory)) {
    const path = join(directory, name);
    const text = await readFileIfPresent(path);
    if (text === undefined) {
      continue;
    }
    const { event, bus = defaultBus, provenBy } = JSON.parse(text) as Entry;
    if (provenBy === undefined || existsSync(join(stateDirectory, provenBy))) {
      events.push({ event, bus });
    } else {
      await removeFile(path);
    }
  }
  return events;
}
