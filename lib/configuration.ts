import type { Node } from 'constructs';
import { signingAlgorithms } from '../contract/access-token.ts';
import { maximumUploadUrlLifetimeSeconds } from '../contract/limits.ts';
import { certificate, domain, hostedZone } from './address-settings.ts';
import {
  daysOrForever,
  emailAddress,
  integer,
  oneOf,
  origin,
  resembles,
  type Setting,
  time,
  topicArn,
} from './setting.ts';

export const stages = ['prod', 'dev'] as const;

/** `prod` retains data and protects it from deletion; `dev` can be destroyed with everything in it. */
export type Stage = (typeof stages)[number];

const concurrencyReservations = ['background', 'none'] as const;

const monitorings = ['full', 'none'] as const;

/** `full`: alarms, a dashboard and metrics. `none`: nothing of it, so that an idle stack does not pay for it. */
export type Monitored = (typeof monitorings)[number];

/**
 * `background`: the functions in the background have reserved concurrency. `none`: no function has, so that the stack
 * deploys into an account of any quota.
 */
export type ConcurrencyReservation = (typeof concurrencyReservations)[number];

/**
 * The settings that an operator may give as CDK context: each with its default, its allowed values and its meaning.
 * Every default is safe to deploy. The type of the configuration, the reading of it and README's table are made from
 * these entries.
 */
export const settings = {
  stage: oneOf(stages, {
    fallback: 'prod',
    meaning: '`prod` retains data and protects it from deletion; `dev` can be destroyed',
  }),
  tokenLifetimeSeconds: integer({
    fallback: 3600,
    minimum: 60,
    maximum: 86_400,
    meaning: 'How long an access token is valid, in seconds',
  }),
  uploadUrlLifetimeSeconds: integer({
    fallback: 3600,
    minimum: 60,
    maximum: maximumUploadUrlLifetimeSeconds,
    meaning: 'How long an upload URL is valid, in seconds',
  }),
  signingAlgorithm: oneOf(signingAlgorithms, {
    fallback: 'ES256',
    meaning: 'Algorithm of signing keys that are made from now on',
  }),
  baseUrl: origin({
    fallback: undefined,
    fallbackText: "the API's own endpoint",
    meaning: 'Address that clients use; issuer and audience of the access tokens',
  }),
  domainName: domain({
    meaning:
      'Domain of your own at which API Gateway serves the API, which makes it the base URL ([how](docs/domain.md))',
  }),
  certificateArn: certificate({
    meaning: 'Certificate for `domainName`, in the Region of the stack',
  }),
  hostedZoneId: hostedZone({
    meaning:
      'Zone of Route 53 in which the stack makes the records of `domainName`; without it you make them, ' +
      'from the output `DomainTarget`',
  }),
  throttlingRateLimit: integer({
    fallback: 1000,
    minimum: 1,
    maximum: 100_000,
    meaning: 'Requests per second that the API accepts, on average; no route accepts more',
  }),
  throttlingBurstLimit: integer({
    fallback: 2000,
    minimum: 1,
    maximum: 100_000,
    meaning: 'Requests that the API accepts in one burst; no route accepts more',
  }),
  // The default limits of the six routes add up to throttlingRateLimit: 300 + 200 + 4 * 125. So a flood of one route
  // starves no other, whether API Gateway counts a route's requests against the limit of the stage or not.
  tokenRateLimit: integer({
    fallback: 300,
    minimum: 1,
    maximum: 100_000,
    meaning: 'Requests per second to `POST /oauth/token`, and the most in one burst',
  }),
  // A second takes at most a burst and what the rate adds: 400 of the 600 AssumeRole that STS gives an account.
  syncRateLimit: integer({
    fallback: 200,
    minimum: 1,
    maximum: 100_000,
    meaning:
      'Requests per second to the sync endpoint, and the most in one burst; each calls STS, which has a ' +
      '[quota](docs/limits.md#sts)',
  }),
  otherRateLimit: integer({
    fallback: 125,
    minimum: 1,
    maximum: 100_000,
    meaning:
      'Requests per second to each other route (volumes and each public document), and the most in one burst',
  }),
  reservedConcurrency: oneOf(concurrencyReservations, {
    // A new account has a quota of 10, of which nothing can be reserved: docs/decisions/0011.
    fallback: 'none',
    meaning:
      'Which functions have reserved Lambda concurrency; `background` needs a quota that leaves 100 unreserved',
  }),
  recorderConcurrency: integer({
    fallback: 10,
    minimum: 1,
    maximum: 1000,
    meaning:
      'How many uploads are recorded at the same time, if concurrency is reserved; ten record about a hundred per second',
  }),
  supersededRetentionDays: integer({
    fallback: 30,
    minimum: 1,
    maximum: 3650,
    meaning: 'How long replaced content, and what was deleted, is kept, in days',
  }),
  // An event that could not be recorded needs the record of its upload for as long as it can be replayed: 24 hours for a
  // slow PUT, 24 hours in EventBridge and 14 days in the dead-letter queue.
  uploadRecordRetentionDays: daysOrForever({
    minimum: 30,
    maximum: 3650,
    meaning:
      'How long the record of an upload is kept after its content was replaced, or after its URL expired unused, in days',
  }),
  // Secrets Manager rotates at most every 1,000 days (API reference, RotationRulesType).
  signingKeyRotationDays: integer({
    fallback: 90,
    minimum: 1,
    maximum: 1000,
    meaning: 'How often the signing key changes, in days',
  }),
  monitoring: {
    ...oneOf(monitorings, {
      fallback: 'full',
      meaning:
        '`full`: alarms, a dashboard and metrics, which cost something each month; `none`: nothing of it',
    }),
    fallbackText: 'full for `prod`, none for `dev`',
  },
  alarmEmail: emailAddress({
    meaning:
      'Address that alarms are sent to; [SNS asks it first](docs/operations.md#whom-alarms-notify) whether it agrees',
  }),
  alarmTopicArn: topicArn({
    meaning:
      'SNS topic of yours that alarms are sent to, in the Region of the stack; also beside `alarmEmail`',
  }),
  v0DeprecatedAt: time({
    meaning: 'When `/v0` is deprecated: its answers and its description say so',
    example: '2030-01-31T00:00:00Z',
  }),
  v0SunsetAt: time({
    meaning: 'When `/v0` will end: its answers say so. It goes on answering',
    example: '2031-01-31T00:00:00Z',
  }),
} satisfies Readonly<Record<string, Setting<unknown>>>;

type SettingName = keyof typeof settings;

/** The value of each setting. No base URL: the API's own endpoint. */
export type Configuration = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

/** The names of all settings. */
export const settingNames = Object.keys(settings) as readonly SettingName[];

/** A setting that cannot be deployed. The message is one sentence for the operator. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads the configuration from the context of a construct tree. Values come as text from the command line
 * (`-c key=value`) and as JSON from `cdk.json`.
 *
 * @throws {ConfigurationError} naming the key, the value and what is allowed
 */
export function readConfiguration(node: Node): Configuration {
  refuseMisspelledKeys(node);
  return configurationOf((name) => node.tryGetContext(name));
}

/**
 * Completes settings with their defaults, and checks them. Values may be text, as from a command line.
 *
 * @throws {ConfigurationError} naming the setting, the value and what is allowed
 */
export function completeConfiguration(given: Partial<Configuration>): Configuration {
  for (const name of Object.keys(given)) {
    refuseUnknown(name);
  }
  return configurationOf((name) => given[name]);
}

function configurationOf(given: (name: SettingName) => unknown): Configuration {
  const entries = settingNames.map((name) => [name, checked(name, settings[name], given(name))]);
  const read = Object.fromEntries(entries) as Configuration;
  const isUnpaid = read.stage === 'dev' && given('monitoring') === undefined;
  const configuration: Configuration = isUnpaid ? { ...read, monitoring: 'none' } : read;
  const problem = findEarlySunset(configuration) ?? findUselessAlarmTarget(configuration);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
  return configuration;
}

/** A `Sunset` must not be earlier than its `Deprecation` (RFC 9745 section 4). */
function findEarlySunset({ v0DeprecatedAt, v0SunsetAt }: Configuration): string | undefined {
  return v0DeprecatedAt !== undefined && v0SunsetAt !== undefined && v0SunsetAt < v0DeprecatedAt
    ? `v0SunsetAt (${v0SunsetAt}) must not be earlier than v0DeprecatedAt (${v0DeprecatedAt}): clients need time to ` +
        'move after v0 is deprecated and before it ends.'
    : undefined;
}

function findUselessAlarmTarget({
  monitoring,
  alarmEmail,
  alarmTopicArn,
}: Configuration): string | undefined {
  const target = Object.entries({ alarmEmail, alarmTopicArn }).find(([, value]) => value !== undefined);
  return monitoring === 'none' && target !== undefined
    ? `The setting ${target[0]} does nothing with monitoring=none, which is without alarms: give monitoring=full, or ` +
        `leave ${target[0]} out.`
    : undefined;
}

/**
 * An alarm notifies topics of its own Region alone.
 *
 * @param region undefined for a stack that is for any Region; CloudFormation then refuses a topic of another one
 * @throws {ConfigurationError} when the topic is in another Region than the stack
 */
export function requireTopicOf(
  region: string | undefined,
  { alarmTopicArn }: Pick<Configuration, 'alarmTopicArn'>,
): void {
  const topicRegion = alarmTopicArn?.split(':')[3];
  if (topicRegion !== undefined && region !== undefined && topicRegion !== region) {
    throw new ConfigurationError(
      `The topic of alarmTopicArn is in ${topicRegion}, but the stack is in ${region}, and an alarm notifies topics of ` +
        'its own Region alone: give a topic of that Region.',
    );
  }
}

function refuseUnknown(given: string): void {
  const names: readonly string[] = settingNames;
  if (!names.includes(given)) {
    throw new ConfigurationError(
      misspelled(given) ?? `The setting ${given} does not exist. The settings are: ${names.join(', ')}.`,
    );
  }
}

function checked(name: string, setting: Setting<unknown>, given: unknown): unknown {
  if (given === undefined) {
    return setting.fallback;
  }
  const parsed = setting.parse(given);
  if (parsed === undefined) {
    throw new ConfigurationError(
      `The value ${JSON.stringify(given)} of ${name} is not allowed: it must be ${setting.allowed}.`,
    );
  }
  return parsed.value;
}

/**
 * Keys of the context that could be settings but are unknown. The CDK's own keys are left out: they have a colon or a
 * hyphen (`@aws-cdk/core:checkSecretUsage`, `cli-telemetry`).
 */
export function unknownKeys(node: Node): readonly string[] {
  const context: Readonly<Record<string, unknown>> = node.getAllContext();
  return Object.keys(context).filter((key) => /^\w+$/.test(key) && !(key in settings));
}

/**
 * The context may hold keys of the operator's other projects (`~/.cdk.json`), so an unknown key is not an error. A
 * misspelled setting is an error: if it were ignored, the stack would be deployed without it.
 */
function refuseMisspelledKeys(node: Node): void {
  const context: Readonly<Record<string, unknown>> = node.getAllContext();
  for (const key of Object.keys(context)) {
    const problem = misspelled(key);
    if (problem !== undefined) {
      throw new ConfigurationError(problem);
    }
  }
}

/** What to tell about a key that is no setting but resembles one; undefined for any other key. */
function misspelled(key: string): string | undefined {
  const known: readonly string[] = settingNames;
  const meant = known.includes(key) ? undefined : known.find((name) => resembles(key, name));
  return meant && `The setting ${key} does not exist: did you mean ${meant}?`;
}
