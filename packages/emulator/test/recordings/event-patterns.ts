import * as v from 'valibot';
import { readYaml } from './recording.ts';

const fieldsSchema = v.record(v.string(), v.unknown());

const fileSchema = v.strictObject({
  /** Name of LocalStack's test, below `tests/aws/services`; when AWS gave all responses. */
  test: v.string(),
  date: v.pipe(v.string(), v.isoDate()),
  /** Members of every event. */
  event: fieldsSchema,
  /** By name of the file below `events/event_pattern_templates`. */
  patterns: v.record(
    v.string(),
    v.strictObject({
      pattern: fieldsSchema,
      /** What the event has beside the members of every event, or in place of them. */
      event: v.optional(fieldsSchema),
      /** Whether the event matches, or why AWS does not take the pattern. */
      response: v.union([v.boolean(), v.string()]),
    }),
  ),
  /** How many of LocalStack's patterns the emulator rejects on purpose, by the matcher. */
  unsupported: v.record(v.string(), v.number()),
});

/** @throws {v.ValiError} naming what is wrong in the file */
export function readEventPatterns(): v.InferOutput<typeof fileSchema> {
  return v.parse(fileSchema, readYaml('event-patterns'));
}
