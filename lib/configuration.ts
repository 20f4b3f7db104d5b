import type { Node } from 'constructs';
import { type SigningAlgorithm, signingAlgorithms } from '../contract/access-token.ts';
import { maximumUploadUrlLifetimeSeconds } from '../contract/limits.ts';
import { resembles } from './resembles.ts';
import { integer, oneOf, origin, type Setting } from './setting.ts';

export const stages = ['prod', 'dev'] as const;

/** `prod` retains data and protects it from deletion; `dev` can be destroyed with everything in it. */
export type Stage = (typeof stages)[number];

export const concurrencyReservations = ['background', 'none'] as const;

/**
 * `background`: the functions that nobody waits for have concurrency of their own. `none`: for accounts whose quota
 * leaves nothing to reserve.
 */
export type ConcurrencyReservation = (typeof concurrencyReservations)[number];

/** What an operator may set, as CDK context. Every value has a default that is safe to deploy. */
export interface Configuration {
  readonly stage: Stage;
  readonly tokenLifetimeSeconds: number;
  readonly uploadUrlLifetimeSeconds: number;
  readonly signingAlgorithm: SigningAlgorithm;
  /** Absent: the API's own endpoint. */
  readonly baseUrl: string | undefined;
  readonly throttlingRateLimit: number;
  readonly throttlingBurstLimit: number;
  readonly reservedConcurrency: ConcurrencyReservation;
  readonly supersededRetentionDays: number;
  readonly signingKeyRotationDays: number;
}

/** Each setting with its default, what is allowed, and what it means: the README's table is checked against it. */
export const settings: { readonly [Key in keyof Configuration]: Setting<Configuration[Key]> } = {
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
    meaning: 'Algorithm of the next signing key that is made',
  }),
  baseUrl: origin({
    fallback: undefined,
    fallbackText: "the API's own endpoint",
    meaning: 'Address that clients use: issuer and audience of the access tokens',
  }),
  throttlingRateLimit: integer({
    fallback: 1000,
    minimum: 1,
    maximum: 100_000,
    meaning: 'Requests per second that the API takes, on average',
  }),
  throttlingBurstLimit: integer({
    fallback: 2000,
    minimum: 1,
    maximum: 100_000,
    meaning: 'Requests that the API takes at once',
  }),
  reservedConcurrency: oneOf(concurrencyReservations, {
    fallback: 'background',
    meaning:
      'Which functions have Lambda concurrency of their own, 11 in all; `none` for an account whose quota is below 111',
  }),
  supersededRetentionDays: integer({
    fallback: 30,
    minimum: 1,
    maximum: 3650,
    meaning: 'How long replaced content is kept, in days',
  }),
  // Secrets Manager rotates at most every 1,000 days (API reference, RotationRulesType).
  signingKeyRotationDays: integer({
    fallback: 90,
    minimum: 1,
    maximum: 1000,
    meaning: 'How often the signing key changes, in days',
  }),
};

/** A setting that cannot be deployed. Its message is one sentence for the operator. */
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
  return {
    stage: read(node, 'stage'),
    tokenLifetimeSeconds: read(node, 'tokenLifetimeSeconds'),
    uploadUrlLifetimeSeconds: read(node, 'uploadUrlLifetimeSeconds'),
    signingAlgorithm: read(node, 'signingAlgorithm'),
    baseUrl: read(node, 'baseUrl'),
    throttlingRateLimit: read(node, 'throttlingRateLimit'),
    throttlingBurstLimit: read(node, 'throttlingBurstLimit'),
    reservedConcurrency: read(node, 'reservedConcurrency'),
    supersededRetentionDays: read(node, 'supersededRetentionDays'),
    signingKeyRotationDays: read(node, 'signingKeyRotationDays'),
  };
}

function read<Key extends keyof Configuration>(node: Node, key: Key): Configuration[Key] {
  const setting: Setting<Configuration[Key]> = settings[key];
  const given: unknown = node.tryGetContext(key);
  if (given === undefined) return setting.fallback;
  const parsed = setting.parse(given);
  if (parsed === undefined) {
    throw new ConfigurationError(
      `The value ${JSON.stringify(given)} of ${key} is not allowed: it must be ${setting.allowed}.`,
    );
  }
  return parsed.value;
}

/**
 * Keys of the context that look like a setting and are none. The CDK's own keys have a colon or a hyphen
 * (`@aws-cdk/core:checkSecretUsage`, `cli-telemetry`).
 */
export function unknownKeys(node: Node): readonly string[] {
  const context: Readonly<Record<string, unknown>> = node.getAllContext();
  return Object.keys(context).filter((key) => /^\w+$/.test(key) && !(key in settings));
}

/**
 * Context also holds keys of the operator's other projects (`~/.cdk.json`), so an unknown key is no error. One that
 * is almost ours is: ignored, it would deploy something else than was asked for.
 */
function refuseMisspelledKeys(node: Node): void {
  const known = Object.keys(settings);
  const context: Readonly<Record<string, unknown>> = node.getAllContext();
  for (const key of Object.keys(context)) {
    const meant = known.includes(key) ? undefined : known.find((name) => resembles(key, name));
    if (meant !== undefined) {
      throw new ConfigurationError(`The setting ${key} does not exist: did you mean ${meant}?`);
    }
  }
}
