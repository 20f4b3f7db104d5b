import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { uploadEventDetails } from '../../contract/upload-event-schemas.ts';
import {
  eventSchemaVersion,
  eventSource,
  type UploadEventKind,
  uploadEventTypes,
} from '../../contract/upload-events.ts';

const kinds = Object.keys(uploadEventTypes) as UploadEventKind[];

/**
 * The published schemas of each event: a JSON Schema for whoever checks events, and an OpenAPI document as the schema
 * registry of EventBridge takes it. Both describe the whole event, as EventBridge gives it to a target.
 */
export const eventSchemas = kinds.flatMap((kind) => [
  { path: `contract/events/upload-${kind}.schema.json`, content: () => text(jsonSchemaOf(kind)) },
  { path: `contract/events/upload-${kind}.openapi.json`, content: () => text(openapiOf(kind)) },
]);

function text(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

const words = { type: 'string' } as const;

/** What EventBridge adds to the detail (EventBridge User Guide, "AWS service event metadata"). */
const envelope = {
  version: { ...words, description: 'Always 0: the version of this envelope' },
  id: { ...words, description: 'Id that EventBridge gives. A repeated event has another one: see event_id' },
  account: { ...words, description: 'Account of the stack' },
  time: { ...words, format: 'date-time', description: 'When the event was sent' },
  region: { ...words, description: 'Region of the stack' },
  resources: { type: 'array', items: words, description: 'Always empty' },
} as const;

/** In the order in which EventBridge writes the members. */
function members(detailType: object, source: object, detail: object) {
  const { version, id, ...others } = envelope;
  return { version, id, 'detail-type': detailType, source, ...others, detail };
}

/** The JSON Schema of a whole event. */
export function jsonSchemaOf(kind: UploadEventKind) {
  const detail = convert(uploadEventDetails[kind], 'draft-2020-12');
  const properties = members(
    { type: 'string', const: uploadEventTypes[kind] },
    { type: 'string', const: eventSource },
    detail,
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `${uploadEventTypes[kind]}, version ${eventSchemaVersion}`,
    type: 'object',
    properties,
    required: Object.keys(properties),
  };
}

/** EventBridge makes code bindings of `AWSEvent`, and finds the events by the two members that begin with `x-amazon`. */
function openapiOf(kind: UploadEventKind) {
  const detailType = uploadEventTypes[kind];
  const name = detailType.replace(' ', '');
  const properties = members(
    { type: 'string', enum: [detailType] },
    { type: 'string', enum: [eventSource] },
    { $ref: `#/components/schemas/${name}` },
  );
  return {
    openapi: '3.0.0',
    info: { title: name, version: `${eventSchemaVersion}.0.0` },
    paths: {},
    components: {
      schemas: {
        AWSEvent: {
          type: 'object',
          required: Object.keys(properties),
          'x-amazon-events-detail-type': detailType,
          'x-amazon-events-source': eventSource,
          properties,
        },
        [name]: convert(uploadEventDetails[kind], 'openapi-3.0'),
      },
    },
  };
}

function convert(schema: v.GenericSchema, target: 'draft-2020-12' | 'openapi-3.0'): JsonSchema {
  const { $schema: _dialect, ...converted } = toJsonSchema(schema, {
    target,
    // Generators take a constant without a type for an object.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'literal' ? { type: typeOf(valibotSchema), ...jsonSchema } : undefined,
  });
  return converted;
}

function typeOf(schema: object): 'integer' | 'string' {
  return 'literal' in schema && typeof schema.literal === 'number' ? 'integer' : 'string';
}
