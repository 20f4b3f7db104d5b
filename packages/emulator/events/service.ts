import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type Authorize, type Call, refusalText } from '../iam/authorize.ts';
import type { Service, ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import type { EventBus } from './bus.ts';
import type { BusEvent, Outbox, SentEvent } from './outbox.ts';
import { busOf } from './targets.ts';

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

const textSchema = v.pipe(v.string(), v.minLength(1));

const entrySchema = v.strictObject({
  /** Name or ARN. */
  EventBusName: v.optional(v.string()),
  /** Events of AWS itself can't be put. */
  Source: v.pipe(textSchema, v.regex(/^(?!aws\.)/)),
  DetailType: textSchema,
  /** An object as JSON. */
  Detail: v.pipe(v.string(), v.parseJson(), v.custom<JsonObject>(isJsonObject)),
  /** Seconds since the epoch. */
  Time: v.optional(v.number()),
});

/** A call has at most ten entries (API reference, PutEvents). */
const inputSchema = v.strictObject({
  Entries: v.pipe(v.array(entrySchema), v.minLength(1), v.maxLength(10)),
});

type Entry = v.InferOutput<typeof entrySchema>;

/**
 * EventBridge (API reference, version 2015-10-07, JSON protocol): PutEvents. A wrong entry makes the call fail. AWS takes
 * the others, and says in its answer which it did not take.
 */
export function createEvents(parts: EventsParts): Service {
  return async (call) => {
    if (call.operation !== 'PutEvents') {
      const text = `${call.operation} is not supported by the emulator`;
      throw new AwsError(400, 'UnknownOperationException', text);
    }
    const { Entries } = readInput(call.input);
    for (const entry of Entries) {
      requireAccess(entry, call, parts);
    }
    const taken = [];
    for (const entry of Entries) {
      taken.push({ EventId: await putEntry(entry, parts) });
    }
    return { FailedEntryCount: 0, Entries: taken };
  };
}

function readInput(input: unknown) {
  const { success, output, issues } = v.safeParse(inputSchema, input);
  if (!success) {
    const text = issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; ');
    throw new AwsError(400, 'ValidationException', text);
  }
  return output;
}

/** The condition key comes from the entry (EventBridge User Guide, "Using IAM policy conditions"). */
function requireAccess(entry: Entry, { principal }: ServiceCall, { authorize, stack }: EventsParts): void {
  const access: Call = {
    principal,
    action: 'events:PutEvents',
    resource: regionalArn('events', `event-bus/${busOf(entry.EventBusName)}`, stack),
    context: { 'events:source': entry.Source },
  };
  if (!authorize(access).allowed) {
    throw new AwsError(400, 'AccessDeniedException', refusalText(access, stack));
  }
}

/** @returns the id of the event */
async function putEntry(entry: Entry, { stack, now, ...parts }: EventsParts): Promise<string> {
  const { Source, DetailType, Detail, Time } = entry;
  const event: BusEvent = {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: stack.accountId,
    time: (Time === undefined ? now() : new Date(Time * 1000)).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: stack.region,
    resources: [],
    detail: Detail,
  };
  const sent = { bus: busOf(entry.EventBusName), event };
  // AWS answers in the same way for a bus that does not exist, and forgets the event.
  if (parts.busNames.has(sent.bus)) {
    await parts.onEvent(sent);
    await parts.outbox.add(sent);
    parts.bus.publish(sent);
  }
  return event.id;
}
