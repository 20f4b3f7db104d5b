import * as v from 'valibot';
import { readYaml } from './recording.ts';

const fieldsSchema = v.record(v.string(), v.unknown());

const fileSchema = v.strictObject({
  /** Name of LocalStack's test, below `tests/aws/services`. `date` is the date of all AWS responses. */
  test: v.string(),
  date: v.pipe(v.string(), v.isoDate()),
  /** Members of every event. */
  event: fieldsSchema,
  /** Patterns by name of the file below `events/event_pattern_templates`. */
  patterns: v.record(
    v.string(),
    v.strictObject({
      pattern: fieldsSchema,
      /** Members that this event adds to the members of every event, or replaces. */
      event: v.optional(fieldsSchema),
      /** True if the event matches, or the reason why AWS rejects the pattern. */
      response: v.union([v.boolean(), v.string()]),
    }),
  ),
  /** Matchers that the emulator rejects on purpose. */
  unsupported: v.array(v.string()),
});

/** @throws {v.ValiError} naming the invalid parts of the file */
export function readEventPatterns(): v.InferOutput<typeof fileSchema> {
  return v.parse(fileSchema, readYaml('event-patterns'));
}
