import * as v from 'valibot';
import { parse } from 'yaml';
import { type Scope, scopes } from '../../../contract/routes.ts';
import { InvalidInput, messageOf } from '../errors.ts';
import { parseAddresses, parseExpected, parseName, parseNewIdentifier, parseScopes } from '../parse-input.ts';

/** Parses a value with the parser of the commands. Its error becomes an issue of the value. */
function parsedBy<From, To>(parse: (value: From) => To) {
  return v.rawTransform<From, To>(({ dataset, addIssue, NEVER }) => {
    try {
      return parse(dataset.value);
    } catch (error) {
      addIssue({ message: messageOf(error) });
      return NEVER;
    }
  });
}

function idSchema(kind: 'client' | 'file' | 'organisation') {
  return v.pipe(
    v.string(),
    parsedBy((id: string) => parseNewIdentifier(id, kind)),
  );
}

const nameSchema = v.pipe(v.string(), parsedBy(parseName));

const clientSchema = v.strictObject({
  name: nameSchema,
  scopes: v.pipe(
    v.array(v.picklist(scopes)),
    parsedBy((given: Scope[]) => parseScopes(given)),
  ),
  allow_from: v.optional(
    v.pipe(
      v.array(v.string()),
      parsedBy((given: string[]) => parseAddresses(given)),
      v.description('Ranges of IP addresses. Absent: every address is allowed'),
    ),
  ),
});

const fileSchema = v.strictObject({
  name: nameSchema,
  sync_enabled: v.boolean(),
  expected: v.optional(
    v.pipe(
      v.strictObject({ every: v.string(), grace: v.string() }),
      parsedBy(parseExpected),
      v.description(
        'Interval of new content, and grace time, such as 24h and 2h. Absent: the file is not watched',
      ),
    ),
  ),
});

const organisationSchema = v.strictObject({
  /** By client IDs, or by keys that are unique in the organisation. */
  clients: v.optional(v.record(idSchema('client'), clientSchema), {}),
  /** By file IDs. */
  files: v.optional(v.record(idSchema('file'), fileSchema), {}),
});

/** State file of `apply`: clients and files of organisations. */
export const stateSchema = v.strictObject({
  $schema: v.optional(v.string()),
  organisations: v.record(idSchema('organisation'), organisationSchema),
});

export type State = v.InferOutput<typeof stateSchema>;

/**
 * Parses a state file.
 *
 * @throws {InvalidInput} with every invalid member
 */
export function parseState(text: string): State {
  const { success, issues, output } = v.safeParse(stateSchema, parseJson(text), { abortPipeEarly: true });
  if (!success) {
    const lines = issues.map((issue) => `${v.getDotPath(issue) ?? 'The state'}: ${issue.message}`);
    throw new InvalidInput(`The state is invalid.\n${lines.join('\n')}`);
  }
  return output;
}

/** @throws {InvalidInput} also for members that would be dropped silently */
function parseJson(text: string): unknown {
  try {
    const json = JSON.parse(text, (name, value) => {
      if (reserved.includes(name)) {
        throw new Error(`The name ${name} of a member is reserved.`);
      }
      return value;
    });
    // YAML includes JSON, and its parser rejects two members of one name.
    parse(text, { schema: 'json' });
    return json;
  } catch (error) {
    throw new InvalidInput(`The state is not valid JSON: ${messageOf(error)}`);
  }
}

/** Members that a record would drop. */
const reserved = ['__proto__', 'constructor', 'prototype'];
