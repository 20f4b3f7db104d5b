import { access } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  listDirectory,
  makeDirectory,
  readFileIfPresent,
  removeFile,
  removeTemporaryFiles,
  writeFileAtomically,
} from '../shared/files.ts';

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

/**
 * Events that are not delivered yet, each in a file. An event is written before its object exists, and names a file
 * that exists only when the object does. So no event is lost, and none is delivered for an object that does not exist.
 */
export interface Outbox {
  readonly add: (event: BusEvent, provenBy: string) => Promise<void>;
  readonly remove: (event: BusEvent) => Promise<void>;
  /** Events of an earlier process that were not delivered. */
  readonly leftOver: readonly BusEvent[];
}

interface Entry {
  readonly event: BusEvent;
  /** Relative to the state folder, so that the folder may be moved. */
  readonly provenBy: string;
}

/** @param stateDirectory folder of the outbox, and of the files that events name */
export async function openOutbox(stateDirectory: string): Promise<Outbox> {
  const directory = join(stateDirectory, 'events');
  await makeDirectory(directory);
  await removeTemporaryFiles(directory);
  const pathOf = (event: BusEvent) => join(directory, `${event.id}.json`);
  return {
    add: async (event, provenBy) => {
      const entry: Entry = { event, provenBy: relative(stateDirectory, provenBy) };
      await writeFileAtomically(pathOf(event), JSON.stringify(entry));
    },
    remove: (event) => removeFile(pathOf(event)),
    leftOver: await readLeftOver(directory, stateDirectory),
  };
}

async function readLeftOver(directory: string, stateDirectory: string): Promise<BusEvent[]> {
  const events: BusEvent[] = [];
  for (const name of await listDirectory(directory)) {
    const path = join(directory, name);
    const text = await readFileIfPresent(path);
    if (text === undefined) {
      continue;
    }
    const { event, provenBy } = JSON.parse(text) as Entry;
    if (await exists(join(stateDirectory, provenBy))) {
      events.push(event);
    } else {
      await removeFile(path);
    }
  }
  return events;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
