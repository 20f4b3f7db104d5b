import { randomUUID } from 'node:crypto';
import { type Authorize, type Call, refusalText } from '../iam/authorize.ts';
import type { Service, ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import type { EventBus } from './bus.ts';
import { type BusEvent, defaultBus, type Outbox, type SentEvent } from './outbox.ts';
import { busOf } from './targets.ts';

/** Most entries of one call (API reference, PutEvents, Entries). */
const mostEntries = 10;

/** Largest size of all entries of one call, in bytes (API reference, PutEvents: 1 MB). */
const largestRequest = 1024 * 1024;

export interface EventsParts {
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
  /** Names of the buses of the template. */
  readonly busNames: ReadonlySet<string>;
  /** Hears of each event before the call is answered. If it fails, the call fails. */
  readonly onEvent: (sent: SentEvent) => Promise<void>;
  readonly now: () => Date;
}

type Entry = Readonly<Record<string, unknown>>;

/** EventBridge (API reference, version 2015-10-07, JSON protocol): PutEvents. */
export function createEvents(parts: EventsParts): Service {
  return async (call) => {
    if (call.operation !== 'PutEvents') {
      const text = `${call.operation} is not supported by the emulator`;
      throw new AwsError(400, 'UnknownOperationException', text);
    }
    const entries = readEntries(call.input);
    for (const entry of entries) {
      requireAccess(entry, call, parts);
    }
    const results = [];
    for (const entry of entries) {
      results.push(await putEntry(entry, parts));
    }
    const failed = results.filter((result) => 'ErrorCode' in result);
    return { FailedEntryCount: failed.length, Entries: results };
  };
}

const entryMembers = ['Detail', 'DetailType', 'EventBusName', 'Resources', 'Source', 'Time', 'TraceHeader'];

function readEntries({ Entries: entries, ...others }: ServiceCall['input']): readonly Entry[] {
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) {
    throw invalid(`${unknown} is not supported by the emulator`);
  }
  if (!Array.isArray(entries) || entries.length < 1 || entries.length > mostEntries) {
    const wanted = `Member must have length between 1 and ${mostEntries}`;
    throw invalid(`1 validation error detected: Value at 'entries' failed to satisfy constraint: ${wanted}`);
  }
  const read = entries.map((entry: unknown) => {
    const wrong = isJsonObject(entry) ? Object.keys(entry).find((name) => !entryMembers.includes(name)) : '';
    if (!isJsonObject(entry) || wrong !== undefined) {
      throw invalid(`${wrong ?? ''} is not a member of an entry`);
    }
    return entry;
  });
  if (read.reduce((sum, entry) => sum + sizeOf(entry), 0) >= largestRequest) {
    throw invalid('Total size of the entries in the request is over the limit.');
  }
  return read;
}

function invalid(text: string): AwsError {
  return new AwsError(400, 'ValidationException', text);
}

/** Size of an entry (EventBridge User Guide, "Calculating Amazon EventBridge PutEvents event entry size"). */
function sizeOf({ Time, Source, DetailType, Detail, Resources }: Entry): number {
  const texts = [Source, DetailType, Detail, ...(Array.isArray(Resources) ? Resources : [])];
  const bytes = texts.map((text) => (typeof text === 'string' ? Buffer.byteLength(text) : 0));
  return bytes.reduce((sum, size) => sum + size, Time === undefined ? 0 : 14);
}

/** The condition key comes from the entry (EventBridge User Guide, "Using IAM policy conditions"). */
function requireAccess(entry: Entry, { principal }: ServiceCall, { authorize, stack }: EventsParts): void {
  const access: Call = {
    principal,
    action: 'events:PutEvents',
    resource: regionalArn('events', `event-bus/${busNameOf(entry)}`, stack),
    context: typeof entry.Source === 'string' ? { 'events:source': entry.Source } : {},
  };
  if (!authorize(access).allowed) {
    throw new AwsError(400, 'AccessDeniedException', refusalText(access, stack));
  }
}

function busNameOf({ EventBusName: name }: Entry): string {
  return busOf(typeof name === 'string' ? name : defaultBus);
}

/** An entry that is not taken does not fail the others: the answer says so for each (API reference, PutEvents). */
async function putEntry(entry: Entry, parts: EventsParts): Promise<Readonly<Record<string, string>>> {
  const problem = problemOf(entry);
  if (problem !== undefined) {
    return problem;
  }
  const event = eventOf(entry, parts);
  const sent = { bus: busNameOf(entry), event };
  // AWS answers in the same way for a bus that does not exist, and forgets the event.
  if (parts.busNames.has(sent.bus)) {
    await parts.onEvent(sent);
    await parts.outbox.add(sent);
    parts.bus.publish(sent);
  }
  return { EventId: event.id };
}

function problemOf({ Source, DetailType, Detail }: Entry) {
  for (const [name, value] of Object.entries({ Source, DetailType, Detail })) {
    if (typeof value !== 'string' || value === '') {
      const ErrorMessage = `Parameter ${name} is not valid. Reason: ${name} is a required argument.`;
      return { ErrorCode: 'InvalidArgument', ErrorMessage };
    }
  }
  if (String(Source).startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSource', ErrorMessage: 'Not authorized for the source.' };
  }
  return parseDetail(Detail) === undefined
    ? { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' }
    : undefined;
}

function parseDetail(text: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function eventOf(
  { Source, DetailType, Detail, Resources, Time }: Entry,
  { stack, now }: EventsParts,
): BusEvent {
  const time = typeof Time === 'number' ? new Date(Time * 1000) : now();
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': String(DetailType),
    source: String(Source),
    account: stack.accountId,
    time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    region: stack.region,
    resources: Array.isArray(Resources) ? Resources.map(String) : [],
    detail: parseDetail(Detail) ?? {},
  };
}
