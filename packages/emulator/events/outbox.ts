import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import { isoSeconds } from '../shared/clock.ts';
import { listDirectory, openDirectory, removeFile, writeFileAtomically } from '../shared/files.ts';
import type { StackIdentity } from '../shared/names.ts';
import { readStateFile } from '../shared/state-file.ts';

const text = v.string();

const eventSchema = v.object({
  version: v.literal('0'),
  id: text,
  'detail-type': text,
  source: text,
  account: text,
  time: text,
  region: text,
  resources: v.array(text),
  detail: v.record(text, v.unknown()),
});

/** An event of EventBridge. */
export type BusEvent = Readonly<v.InferOutput<typeof eventSchema>>;

/** Creates an event in the account and Region of a stack. The members are in the order of AWS. */
export function createEvent(
  { accountId: account, region }: StackIdentity,
  time: Date,
  { resources, detail, ...type }: Pick<BusEvent, 'detail' | 'detail-type' | 'resources' | 'source'>,
): BusEvent {
  return {
    version: '0',
    id: randomUUID(),
    ...type,
    account,
    time: isoSeconds(time),
    region,
    resources,
    detail,
  };
}

/** Bus that receives the events of AWS services. */
export const defaultBus = 'default';

/** A rule names its bus by name or by ARN (CloudFormation, AWS::Events::Rule, EventBusName). */
export function busOf(nameOrArn: string = defaultBus): string {
  return nameOrArn.replace(/^arn:.*:event-bus\//, '');
}

/** An event and its bus. The event itself does not name the bus. */
export interface SentEvent {
  readonly bus: string;
  readonly event: BusEvent;
}

/**
 * Undelivered events, each in a file. The event of an object is written before the object exists. Its file
 * names another file that exists only if the object does. No event is therefore lost, and no event is
 * delivered for an object that does not exist.
 */
export interface Outbox {
  /**
   * @param requiredFile path of a file that exists only if the event happened; undefined for an event that has
   * already happened
   */
  readonly add: (sent: SentEvent, requiredFile?: string) => Promise<void>;
  readonly remove: (event: BusEvent) => Promise<void>;
  /** Undelivered events of an earlier process. */
  readonly undelivered: readonly SentEvent[];
}

const entrySchema = v.object({
  event: eventSchema,
  bus: text,
  /** Path relative to the state folder, which may be moved. */
  requiredFile: v.optional(text),
});

/** @param stateDirectory folder of the outbox and of the required files */
export async function openOutbox(stateDirectory: string): Promise<Outbox> {
  const directory = join(stateDirectory, 'events');
  await openDirectory(directory);
  const pathOf = (event: BusEvent) => join(directory, `${event.id}.json`);
  return {
    add: async ({ event, bus }, requiredFile) => {
      const entry = { event, bus, requiredFile: requiredFile && relative(stateDirectory, requiredFile) };
      await writeFileAtomically(pathOf(event), JSON.stringify(entry));
    },
    remove: (event) => removeFile(pathOf(event)),
    undelivered: await readUndelivered(directory, stateDirectory),
  };
}

async function readUndelivered(directory: string, stateDirectory: string): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  for (const name of await listDirectory(directory)) {
    const path = join(directory, name);
    const remedy = 'Move this file away to skip the event. Other events are delivered.';
    const entry = await readStateFile(path, entrySchema, remedy);
    if (entry === undefined) {
      continue;
    }
    const { event, bus, requiredFile } = entry;
    if (requiredFile === undefined || existsSync(join(stateDirectory, requiredFile))) {
      events.push({ event, bus });
    } else {
      await removeFile(path);
    }
  }
  return events;
}
