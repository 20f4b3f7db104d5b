import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';

const textsSchema = v.optional(v.record(v.string(), v.string()), {});
const changesSchema = v.optional(v.record(v.string(), v.nullable(v.string())), {});
const membersSchema = v.optional(v.record(v.string(), v.unknown()), {});

/**
 * Compared parts of AWS's response. A text such as `<version>` stands for any value, and for the same value
 * from then on.
 */
const responseSchema = v.pipe(
  v.looseObject({
    /** Status. Default: 200, or 400 with a code. */
    status: v.exactOptional(v.number()),
    /** Code of an error. */
    code: v.exactOptional(v.string()),
    message: v.exactOptional(v.string()),
    /** Headers by lower-case name. */
    headers: textsSchema,
    /** Members and headers that AWS did not send. */
    absent: v.optional(v.array(v.string()), []),
  }),
  /**
   * Other entries are members of the output or of the error. The output may contain more members, but a list
   * no more items. A text that is JSON may be written as its content.
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

/** Services with a file of recordings. */
export const recordedServices = [
  'cloudformation',
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

/** An operation that the SDK sends: the input by the name of the operation, and these members. */
const callSchema = v.pipe(
  v.looseObject({
    /** Default: the service of the file. */
    service: v.optional(v.picklist(recordedServices)),
    /** Expected response. If absent, the call prepares later calls, and must succeed. */
    response: v.optional(responseSchema),
  }),
  v.transform(({ service, response, ...named }) => {
    const input = v.parse(membersSchema, Object.values(named)[0]);
    return { call: Object.keys(named).join(), input, service, response };
  }),
);

const keySchema = v.exactOptional(v.string());

/**
 * A request to a presigned URL of S3, in the bucket of the file: the key by the method, and these members.
 */
const presignedSchema = v.pipe(
  v.strictObject({
    PUT: keySchema,
    GET: keySchema,
    /** Query parameters that the signature covers, besides the `X-Amz-` parameters. */
    query: textsSchema,
    /** Signed headers, which are also sent. */
    signed: textsSchema,
    /**
     * Headers that replace signed headers or are sent in addition. Null: a signed header that is not sent.
     */
    headers: changesSchema,
    /** Parameters that were changed, added or removed (null) after the signature. */
    changed: changesSchema,
    /** Lifetime of the URL, and its age, in seconds. */
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

/** Seconds that pass. */
const waitSchema = v.strictObject({ wait: v.number() });

/** Resource in the form of a template. */
const resourcesSchema = v.record(
  v.string(),
  v.strictObject({ Type: v.string(), Properties: v.optional(v.unknown(), {}) }),
);

const recordingSchema = v.strictObject({
  /** Date of the AWS response, with the file and name of LocalStack's test, below `tests/aws/services`. */
  recorded: v.exactOptional(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d \w+\/[\w/]+\.py::\S/))),
  /** Amazon's page with the rule, for an exchange that nobody recorded. */
  documented: v.exactOptional(v.string()),
  /** Resources besides the resources of the file. */
  resources: v.optional(resourcesSchema, {}),
  /** Source of the module of every function. */
  function: v.exactOptional(v.string()),
  exchange: v.pipe(v.array(v.union([waitSchema, presignedSchema, callSchema])), v.minLength(1)),
});

const fileSchema = v.strictObject({
  /** Default members of every call. */
  input: membersSchema,
  resources: resourcesSchema,
  /**
   * True if recordings share these resources. Otherwise each recording starts with new and empty ones, as
   * does a recording with further resources.
   */
  shared: v.optional(v.boolean(), false),
  /** Recordings by name. docs/aws-facts.md refers to some. */
  recordings: v.record(v.pipe(v.string(), v.regex(/^[a-z0-9-]+$/)), recordingSchema),
});

export type Call = v.InferOutput<typeof callSchema>;
export type PresignedRequest = v.InferOutput<typeof presignedSchema>;
export type ExpectedResponse = v.InferOutput<typeof responseSchema>;
export type Recording = v.InferOutput<typeof recordingSchema> & {
  readonly name: string;
  readonly shared: boolean;
};

/** `!date` marks a time that the SDK sends as a Date. */
const dateTag = { tag: '!date', resolve: (text: string) => new Date(text) };

/** Reads a file beside this one. It may contain texts with the tag `!!binary`. */
export function readYaml(name: string): unknown {
  const text = readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  return parse(text, { customTags: ['binary', 'merge', dateTag] });
}

/**
 * Reads the recordings of a service, each with the resources of its file.
 *
 * @throws {v.ValiError} naming the invalid parts of the file
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
