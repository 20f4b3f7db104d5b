import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';

const textsSchema = v.optional(v.record(v.string(), v.string()), {});
const changesSchema = v.optional(v.record(v.string(), v.nullable(v.string())), {});
const membersSchema = v.optional(v.record(v.string(), v.unknown()), {});

/**
 * What AWS answered, as far as it is compared. A text such as `<version>` stands for any value, and from then on for
 * this value.
 */
const responseSchema = v.pipe(
  v.looseObject({
    /** Default: 200, or 400 with a code. */
    status: v.exactOptional(v.number()),
    /** Of an error. */
    code: v.exactOptional(v.string()),
    message: v.exactOptional(v.string()),
    /** By lower-case name. */
    headers: textsSchema,
    /** Members and headers that AWS did not send. */
    absent: v.optional(v.array(v.string()), []),
  }),
  /**
   * What else there is are members of the output or of the error. The output may have more members; a list has no more
   * items. A text that is JSON may be given as what it contains.
   */
  v.transform(({ code, status = code === undefined ? 200 : 400, message, headers, absent, ...members }) => ({
    status,
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    members,
    headers,
    absent,
  })),
);

/** The services that have a file of recordings. */
export const recordedServices = [
  'cloudwatch',
  'dynamodb',
  'eventbridge',
  'lambda',
  'logs',
  's3',
  'secrets-manager',
  'sqs',
  'sts',
] as const;

export type RecordedService = (typeof recordedServices)[number];

/** An operation that the SDK sends: the input by the name of the operation, and these. */
const callSchema = v.pipe(
  v.looseObject({
    /** Default: the service of the file. */
    service: v.optional(v.picklist(recordedServices)),
    /** Absent: the call prepares what follows, and must succeed. */
    response: v.optional(responseSchema),
  }),
  v.transform(({ service, response, ...named }) => {
    const input = v.parse(membersSchema, Object.values(named)[0]);
    return { call: Object.keys(named).join(), input, service, response };
  }),
);

const keySchema = v.exactOptional(v.string());

/** A request to a presigned URL of S3, in the bucket of the file: the key by the method, and these. */
const presignedSchema = v.pipe(
  v.strictObject({
    PUT: keySchema,
    GET: keySchema,
    /** Query parameters that the signature covers, besides the `X-Amz-` parameters. */
    query: textsSchema,
    /** Headers that are signed and sent. */
    signed: textsSchema,
    /** Headers that are sent in place of signed ones or besides. Null: a signed one that is not sent. */
    headers: changesSchema,
    /** Parameters that somebody has changed or added after the signature, or taken away: null. */
    changed: changesSchema,
    /** For how many seconds the URL is signed, and how many have passed. */
    expires: v.optional(v.number(), 3600),
    age: v.optional(v.number(), 0),
    body: v.exactOptional(v.string()),
    response: v.exactOptional(responseSchema),
  }),
  v.transform(({ PUT, GET = '', ...request }) => ({
    ...request,
    method: PUT === undefined ? 'GET' : 'PUT',
    key: PUT ?? GET,
  })),
);

/** So many seconds pass. */
const waitSchema = v.strictObject({ wait: v.number() });

/** As in a template. */
const resourcesSchema = v.record(
  v.string(),
  v.strictObject({ Type: v.string(), Properties: v.optional(v.unknown(), {}) }),
);

const errorSchema = v.strictObject({
  errorType: v.string(),
  errorMessage: v.string(),
  trace: v.exactOptional(v.array(v.string())),
});

const recordingSchema = v.strictObject({
  /** When AWS gave the response, with the file and name of LocalStack's test, below `tests/aws/services`. */
  recorded: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d \w+\/[\w/]+\.py::\S/)),
  /** Resources beside those of the file. */
  resources: v.optional(resourcesSchema, {}),
  /** What every function does, or the source of its module. */
  function: v.exactOptional(
    v.union([
      v.strictObject({ returns: v.unknown() }),
      v.strictObject({ throws: errorSchema }),
      v.strictObject({ source: v.string() }),
    ]),
  ),
  exchange: v.pipe(v.array(v.union([waitSchema, presignedSchema, callSchema])), v.minLength(1)),
  /** What AWS took, and the emulator rejects by name, since nothing of a stack here uses it. */
  rejected: v.exactOptional(v.string()),
  /** How and why the emulator answers otherwise. */
  differs: v.exactOptional(v.string()),
});

const fileSchema = v.strictObject({
  /** Every call has these members, unless it says otherwise. */
  input: membersSchema,
  resources: resourcesSchema,
  /** Whether recordings share these. Else each recording begins with them new and empty, as one with further resources does. */
  shared: v.optional(v.boolean(), false),
  /** By name: docs/aws-facts.md refers to some. */
  recordings: v.record(v.pipe(v.string(), v.regex(/^[a-z0-9-]+$/)), recordingSchema),
});

export type Call = v.InferOutput<typeof callSchema>;
export type PresignedRequest = v.InferOutput<typeof presignedSchema>;
export type ExpectedResponse = v.InferOutput<typeof responseSchema>;
export type Recording = v.InferOutput<typeof recordingSchema> & {
  readonly name: string;
  readonly shared: boolean;
};

/** `!date` marks a time that the SDK takes as a Date. */
const dateTag = { tag: '!date', resolve: (text: string) => new Date(text) };

/** Reads a file beside this one. It may have texts with the tag `!!binary`. */
export function readYaml(name: string): unknown {
  const text = readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  return parse(text, { customTags: ['binary', dateTag] });
}

/**
 * The recordings of a service. Each has the resources of its file.
 *
 * @throws {v.ValiError} naming what is wrong in the file
 */
export function readRecordings(service: RecordedService): readonly Recording[] {
  const { input: common, resources, shared, recordings } = v.parse(fileSchema, readYaml(service));
  return Object.entries(recordings).map(([name, recording]) => ({
    ...recording,
    name,
    shared: shared && Object.keys(recording.resources).length === 0,
    resources: { ...resources, ...recording.resources },
    exchange: recording.exchange.map((step) =>
      'call' in step ? { ...step, input: { ...common, ...step.input } } : step,
    ),
  }));
}
