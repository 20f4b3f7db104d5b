import * as v from 'valibot';
import { requireAllowed } from '../iam/authorize.ts';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Service, type ServiceCall } from '../protocols/service.ts';
import type { ServiceContext } from '../registry/aws-service.ts';
import { AwsError } from '../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { regionalArn } from '../shared/names.ts';
import { optionalText } from '../shared/resource-type.ts';
import type { EventBus } from './bus.ts';
import { busOf, createEvent, type Outbox, type SentEvent } from './outbox.ts';

interface EventsDependencies extends ServiceContext {
  readonly outbox: Outbox;
  readonly bus: EventBus;
  /** Names of the buses of the template. */
  readonly busNames: ReadonlySet<string>;
  /** Called with each event before the response is sent. If this function fails, the call fails. */
  readonly onEvent: (sent: SentEvent) => Promise<void>;
}

const entrySchema = v.strictObject({
  /** Name or ARN. */
  EventBusName: optionalText,
  Source: v.optional(v.string(), ''),
  DetailType: v.optional(v.string(), ''),
  /** An object as JSON. */
  Detail: v.optional(v.string(), ''),
  /** Seconds since the epoch. */
  Time: v.optional(v.number()),
});

/** One to ten entries in each call (API reference, PutEvents). */
const inputSchema = v.strictObject({
  Entries: v.pipe(v.array(entrySchema), v.minLength(1), v.maxLength(10)),
});

type Entry = v.InferOutput<typeof entrySchema>;

/**
 * The total size of a call's entries must be less than 1 MB (API reference, PutEvents). Until 2026 it was 256
 * KB.
 */
const tooManyBytes = 1024 * 1024;

/** EventBridge User Guide, "Calculating Amazon EventBridge PutEvents event entry size". */
function sizeOf({ Source, DetailType, Detail, Time }: Entry): number {
  return Buffer.byteLength(Source + DetailType + Detail) + (Time === undefined ? 0 : 14);
}

/** EventBridge (API reference, version 2015-10-07, JSON protocol): PutEvents. */
export function createEvents(dependencies: EventsDependencies): Service {
  return async (call) => findOperation({ PutEvents: putEvents }, call.operation)(call, dependencies);
}

/**
 * The response contains a result for each entry, in order. An invalid entry fails with an error, and the
 * other entries are accepted.
 */
async function putEvents(call: ServiceCall, dependencies: EventsDependencies) {
  const { Entries } = parseInput(inputSchema, call.input, 'ValidationException');
  if (Entries.reduce((size, entry) => size + sizeOf(entry), 0) >= tooManyBytes) {
    const message = 'Total size of the entries in the request is over the limit.';
    throw new AwsError(400, 'ValidationException', message);
  }
  const checked = Entries.map((entry) => ({ entry, error: errorOf(entry) }));
  const good = checked.filter(({ error }) => error === undefined);
  for (const { entry } of good) {
    requireAccess(entry, call, dependencies);
  }
  const results = [];
  for (const { entry, error } of checked) {
    results.push(error ?? { EventId: await putEntry(entry, dependencies) });
  }
  return { FailedEntryCount: checked.length - good.length, Entries: results };
}

/**
 * Returns the error of a rejected entry (API reference, PutEventsResultEntry). The messages are recorded, the
 * one for the source in moto's tests.
 */
function errorOf(entry: Entry): { readonly ErrorCode: string; readonly ErrorMessage: string } | undefined {
  const absent = (['Source', 'DetailType', 'Detail'] as const).find((name) => entry[name] === '');
  if (absent !== undefined) {
    const ErrorMessage = `Parameter ${absent} is not valid. Reason: ${absent} is a required argument.`;
    return { ErrorCode: 'InvalidArgument', ErrorMessage };
  }
  // Only AWS sends events with a source of AWS.
  if (entry.Source.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  return v.is(detailSchema, entry.Detail)
    ? undefined
    : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}

const detailSchema = v.pipe(v.string(), v.parseJson(), v.custom<JsonObject>(isJsonObject));

/** The source of the entry is a condition key (EventBridge User Guide, "Using IAM policy conditions"). */
function requireAccess(entry: Entry, { principal }: ServiceCall, dependencies: EventsDependencies): void {
  const resource = regionalArn('events', `event-bus/${busOf(entry.EventBusName)}`, dependencies.stack);
  const context = { 'events:source': entry.Source };
  requireAllowed({ principal, action: 'events:PutEvents', resource, context }, dependencies);
}

/** @returns the id of the event */
async function putEntry(entry: Entry, { stack, now, ...dependencies }: EventsDependencies): Promise<string> {
  const { Source, DetailType, Detail, Time } = entry;
  const event = createEvent(stack, Time === undefined ? now() : new Date(Time * 1000), {
    'detail-type': DetailType,
    source: Source,
    resources: [],
    detail: v.parse(detailSchema, Detail),
  });
  const sent = { bus: busOf(entry.EventBusName), event };
  // For a bus that does not exist, AWS returns the same response and drops the event.
  if (dependencies.busNames.has(sent.bus)) {
    await dependencies.onEvent(sent);
    await dependencies.outbox.add(sent);
    dependencies.bus.publish(sent);
  }
  return event.id;
}
