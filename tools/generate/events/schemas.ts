import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { eventDetails } from '../../../contract/upload-event-schemas.ts';
import {
  type EventKind,
  eventSchemaVersion,
  eventSource,
  eventTypes,
} from '../../../contract/upload-events.ts';

/** Kinds of events, in the order of the page. */
export const kinds = Object.keys(eventTypes) as EventKind[];

/** Published JSON Schema of each event: the whole event, as EventBridge delivers it to a target. */
export const eventSchemas = kinds.map((kind) => ({
  path: `docs/events/${eventTypes[kind].toLowerCase().replace(' ', '-')}.schema.json`,
  content: () => `${JSON.stringify(jsonSchemaOf(kind), null, 2)}\n`,
}));

const words = { type: 'string' } as const;

/** Members that EventBridge adds to the detail (EventBridge User Guide, "AWS service event metadata"). */
const envelope = {
  version: { ...words, description: 'Always 0: the version of this envelope' },
  id: { ...words, description: 'Id that EventBridge gives. A repeated event has another one: see event_id' },
  account: { ...words, description: 'Account of the stack' },
  time: { ...words, format: 'date-time', description: 'When the event was sent' },
  region: { ...words, description: 'Region of the stack' },
  resources: { type: 'array', items: words, description: 'Always empty' },
} as const;

/** Returns the JSON Schema of a whole event. */
export function jsonSchemaOf(kind: EventKind) {
  const { version, id, ...others } = envelope;
  // In the order in which EventBridge writes the members.
  const properties = {
    version,
    id,
    'detail-type': { type: 'string', const: eventTypes[kind] },
    source: { type: 'string', const: eventSource },
    ...others,
    detail: convert(eventDetails[kind]),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `${eventTypes[kind]}, version ${eventSchemaVersion}`,
    type: 'object',
    properties,
    required: Object.keys(properties),
  };
}

/** Converts a schema of Valibot. */
export function convert(schema: v.GenericSchema): JsonSchema {
  const { $schema: _dialect, ...converted } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    // A parser of our own has no equivalent.
    ignoreActions: ['raw_transform'],
    // Code generators treat a constant without a type as an object.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'literal' ? { type: typeOf(valibotSchema), ...jsonSchema } : undefined,
  });
  return converted;
}

function typeOf(schema: object): 'integer' | 'string' {
  return 'literal' in schema && typeof schema.literal === 'number' ? 'integer' : 'string';
}
