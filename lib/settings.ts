import * as v from 'valibot';
import { signingAlgorithms } from '../contract/access-token.ts';
import { routeKey, routes } from '../contract/routes.ts';
import { isAsciiForm, isDomainName } from './domain-name.ts';

/** A setting, with its allowed values, its default and its meaning. */
export interface Setting<Value> {
  /**
   * Parses the value of an operator: text from the command line (`-c key=value`), or JSON from `cdk.json`.
   */
  readonly schema: v.GenericSchema<unknown, Value>;
  readonly fallback: Value;
  /** Completes "it must be ...". */
  readonly allowed: string;
  readonly meaning: string;
}

/** A setting without its schema. */
interface SettingTexts<Value> {
  readonly fallback: Value;
  readonly meaning: string;
}

function oneOf<const Value extends string>(
  values: readonly [Value, ...Value[]],
  described: SettingTexts<NoInfer<Value>>,
): Setting<Value> {
  return { schema: v.picklist(values), allowed: values.join(' or '), ...described };
}

function wholeNumber(minimum: number, maximum: number) {
  return {
    schema: v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,10}$/), v.transform(Number))]),
      v.integer(),
      v.minValue(minimum),
      v.maxValue(maximum),
    ),
    allowed: `a whole number from ${minimum} to ${maximum}`,
  };
}

function integer(minimum: number, maximum: number, described: SettingTexts<number>): Setting<number> {
  return { ...wholeNumber(minimum, maximum), ...described };
}

/** Returns a setting without a default. */
function optional(
  schema: v.GenericSchema<unknown, string>,
  described: { readonly allowed: string; readonly meaning: string },
): Setting<string | undefined> {
  return { schema, fallback: undefined, ...described };
}

function time(meaning: string): Setting<string | undefined> {
  return optional(utcTime, {
    allowed: 'a date and a time with its offset from UTC (RFC 3339), such as 2030-01-31T00:00:00Z',
    meaning,
  });
}

/** A time in UTC and whole seconds, because the headers with this time support no fractions of a second. */
const utcTime = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check(isDayOfItsMonth),
  v.transform((text) => `${new Date(text).toISOString().slice(0, 19)}Z`),
);

/**
 * True if the month contains the day. `Date.parse` accepts a day beyond the end of the month, such as 31
 * June, as a day of the next month.
 */
function isDayOfItsMonth(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

/**
 * An origin (RFC 6454 section 6.2), written exactly as a URL parser writes it: clients compare the issuer as text (RFC
 * 8414 section 3.3).
 */
const origin = v.pipe(
  v.string(),
  v.check((text) => {
    const { origin: written, protocol } = parsed(text) ?? {};
    return written === text && (protocol === 'https:' || (protocol === 'http:' && isLoopback(text)));
  }),
);

function parsed(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && isAsciiForm(url.hostname) ? url : undefined;
}

/** True if the URL leads to this machine. */
export function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

const domain = v.pipe(v.string(), v.check(isDomainName));

const certificate = v.pipe(v.string(), v.regex(/^arn:aws[a-z-]*:acm:[a-z\d-]+:\d{12}:certificate\/[\w-]+$/));

const documentation = v.pipe(
  v.string(),
  v.startsWith('https://'),
  v.check((text) => parsed(text) !== undefined),
);

/**
 * A page to which an alarm adds the anchor of its section. The description of an alarm has at most 1,024
 * characters (CloudWatch API reference, PutMetricAlarm), and the texts need fewer than half of them.
 */
const runbooks = v.pipe(documentation, v.maxLength(500), v.excludes('#'));

/** Route 53 API reference, ResourceId: 32 characters at most. */
const hostedZone = v.pipe(v.string(), v.regex(/^Z[A-Z\d]{1,31}$/));

/**
 * RFC 5321 sections 4.1.2 and 4.5.3.1.3: 254 characters at most, single dots between the parts, and a domain in which
 * mail from outside can arrive, so with a dot.
 */
const emailAddress = v.pipe(
  v.string(),
  v.maxLength(254),
  v.rfcEmail(),
  v.regex(/^[^.@]+(?:\.[^.@]+)*@/),
  v.check((text) => isDomainName(text.slice(text.indexOf('@') + 1).toLowerCase())),
);

/** CloudWatch cannot notify a FIFO topic, whose name ends in `.fifo` ("Notifying users on alarm changes"). */
const topicArn = v.pipe(v.string(), v.regex(/^arn:aws[a-z-]*:sns:[a-z\d-]+:\d{12}:[\w-]{1,256}$/));

/** A role with its path (IAM User Guide, "IAM identifiers"), in any account and partition. */
const roleArn = v.pipe(
  v.string(),
  v.regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/(?:[\w+=,.@-]+\/)*[\w+=,.@-]{1,64}$/),
);

const maxReaders = 20;

/** The name of a role may contain a comma, so only a comma before the next ARN separates two ARNs. */
const roleArns = v.pipe(
  v.union([
    v.array(roleArn),
    v.pipe(
      v.string(),
      v.transform((text) => text.split(/,(?=arn:)/)),
      v.array(roleArn),
    ),
  ]),
  v.maxLength(maxReaders),
);

/** Returns the Region of the ARN of a certificate or a topic. */
export function regionOf(arn: string | undefined): string | undefined {
  return arn?.split(':')[3];
}

export const stages = ['prod', 'dev'] as const;

/** `prod` retains data and protects it from deletion. `dev` can be destroyed with all its data. */
export type Stage = (typeof stages)[number];

/** Far above API Gateway's quota of 10,000 per second for an account, which can be raised. */
const maxRateLimit = 100_000;

/** Numbers of days that CloudWatch Logs accepts (API reference, PutRetentionPolicy). */
const logRetentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/**
 * The settings of an operator, as CDK context. Every default is safe to deploy. The type of the
 * configuration, its reader and the table of docs/deployment.md are derived from these entries.
 */
export const settings = {
  stage: oneOf(stages, {
    fallback: 'prod',
    meaning: '`prod` retains data and protects it from deletion; `dev` can be destroyed',
  }),
  // Client libraries renew a token up to a minute before it expires: they would request a shorter token for
  // each call.
  tokenLifetimeSeconds: integer(300, 86_400, {
    fallback: 3600,
    meaning: 'Lifetime of an access token in seconds',
  }),
  signingAlgorithm: oneOf(signingAlgorithms, {
    fallback: 'ES256',
    meaning: 'Algorithm of signing keys that are made from now on',
  }),
  baseUrl: optional(origin, {
    allowed:
      'an https URL in lower-case ASCII, without a user, default port (443), path, query, fragment or trailing slash ' +
      '(http only on loopback)',
    meaning:
      "Address that clients use, instead of the API's own endpoint; issuer and audience of the access tokens",
  }),
  domainName: optional(domain, {
    allowed:
      'a DNS name of two or more parts in lower case, without a wildcard, address or port; ' +
      'a name with other letters in its ASCII form (xn--...)',
    meaning: 'Domain of your own for the API. It becomes the base URL ([how](#a-domain-of-your-own))',
  }),
  certificateArn: optional(certificate, {
    allowed:
      'the ARN of a certificate of AWS Certificate Manager (arn:aws:acm:REGION:ACCOUNT:certificate/ID)',
    meaning: 'Certificate for `domainName`, in the Region of the stack',
  }),
  hostedZoneId: optional(hostedZone, {
    allowed: 'the ID of a hosted zone in capital letters and digits (Z...), without /hostedzone/',
    meaning:
      'Zone of Route 53 in which the stack creates the records of `domainName`. Without it, you create ' +
      'them with the output `DomainTarget`',
  }),
  ipAddressType: oneOf(['ipv4', 'dualstack'], {
    fallback: 'ipv4',
    meaning:
      '`dualstack`: clients reach the API and the upload URLs over IPv6 too; upload URLs then have another host ' +
      '([what changes](#ipv6))',
  }),
  documentationUrl: optional(documentation, {
    allowed: 'an https URL',
    meaning: 'Page for people who call the API; the issuer metadata names it as `service_documentation`',
  }),
  tokenRateLimit: integer(1, maxRateLimit, {
    fallback: 300,
    meaning: `Maximum requests per second to \`${routeKey(routes.token)}\`, and the maximum burst`,
  }),
  // In one second, at most a burst and the rate arrive: 400 of the 600 AssumeRole calls in an account's STS
  // quota.
  syncRateLimit: integer(1, maxRateLimit, {
    fallback: 200,
    meaning:
      'Maximum requests per second to the sync endpoint, and the maximum burst; each request calls STS, which has a ' +
      '[quota](cost.md#sts)',
  }),
  supersededRetentionDays: integer(1, 3650, {
    fallback: 30,
    meaning: 'Days for which replaced and deleted content is kept',
  }),
  // An event that could not be recorded requires the record of its upload until it can no longer be replayed:
  // 24 hours for a slow PUT, 24 hours in EventBridge and 14 days in the dead-letter queue.
  uploadRecordRetentionDays: {
    schema: v.union([v.literal('forever'), wholeNumber(30, 3650).schema]),
    fallback: 'forever',
    allowed: `forever or ${wholeNumber(30, 3650).allowed}`,
    meaning:
      'Days for which the record of an upload is kept after its content was replaced, or after its URL expired unused',
  } as Setting<number | 'forever'>,
  logRetentionDays: {
    schema: v.pipe(wholeNumber(1, 3653).schema, v.picklist(logRetentionDays)),
    fallback: 90,
    allowed: `one of ${logRetentionDays.join(', ')}`,
    meaning: 'Days for which logs are kept; 7 in `dev` by default',
  } as Setting<number>,
  // Secrets Manager rotates at most every 1,000 days (API reference, RotationRulesType).
  signingKeyRotationDays: integer(1, 1000, {
    fallback: 90,
    meaning: 'Days between changes of the signing key',
  }),
  monitoring: oneOf(['full', 'none'], {
    fallback: 'full',
    meaning:
      '`full`: alarms, a dashboard and metrics, at [a price](cost.md#what-it-costs); `none`: none of it, as in `dev` by default',
  }),
  alarmEmail: optional(emailAddress, {
    allowed: 'an address such as alarms@example.com',
    meaning: 'Address for alarms, [after a confirmation](operations.md#whom-alarms-notify)',
  }),
  alarmTopicArn: optional(topicArn, {
    allowed: 'the ARN of a standard SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms',
    meaning: 'Your SNS topic for alarms, in the Region of the stack; also beside `alarmEmail`',
  }),
  runbooksUrl: optional(runbooks, {
    allowed: 'an https URL of at most 500 characters, without a fragment (#)',
    meaning: 'Address of your copy of [the runbooks](runbooks.md), for the links in alarms',
  }),
  contentReaders: {
    schema: roleArns,
    fallback: [],
    allowed: `the ARNs of at most ${maxReaders} roles (arn:aws:iam::ACCOUNT:role/NAME), with commas in between or as a list`,
    meaning:
      'Roles of other accounts that may read the content of uploads ([how](events.md#read-the-content))',
  } as Setting<readonly string[]>,
  v0DeprecatedAt: time('When `/v0` is deprecated: its responses and its description say so'),
  v0SunsetAt: time('Announced end of `/v0`, in its responses. Requests are still accepted after it'),
} satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingName = keyof typeof settings;

/** The names of all settings. */
export const settingNames = Object.keys(settings) as readonly SettingName[];

/** Value of each setting. Without a base URL, the API uses its own endpoint. */
export type Configuration = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};
