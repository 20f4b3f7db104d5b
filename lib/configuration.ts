import { type Stack, Token } from 'aws-cdk-lib';
import type { Node } from 'constructs';
import leven from 'leven';
import * as v from 'valibot';
import { type Configuration, type Setting, type SettingName, settingNames, settings } from './settings.ts';

/** A setting that cannot be deployed. The message is one sentence for the operator. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads the configuration from the context of a construct tree. Values come as text from the command line
 * (`-c key=value`) and as JSON from `cdk.json`.
 *
 * The context may contain keys of the operator's other projects (`~/.cdk.json`), so an unknown key is not an
 * error. A misspelled setting is an error: otherwise, the stack would be deployed without the setting.
 *
 * @throws {ConfigurationError} naming the key, the value and the allowed values
 */
export function readConfiguration(node: Node): Configuration {
  const problem = contextKeys(node).map(misspelled).find(Boolean);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
  return configurationOf((name) => node.tryGetContext(name));
}

/**
 * Completes settings with their defaults, and checks them. Values may be text, for example from a command
 * line.
 *
 * @throws {ConfigurationError} naming the setting, the value and the allowed values
 */
export function completeConfiguration(given: Partial<Configuration>): Configuration {
  for (const name of Object.keys(given)) {
    if (!(name in settings)) {
      const known = `The setting ${name} does not exist. The settings are: ${settingNames.join(', ')}.`;
      throw new ConfigurationError(misspelled(name) ?? known);
    }
  }
  return configurationOf((name) => given[name]);
}

function configurationOf(given: (name: SettingName) => unknown): Configuration {
  const entries = settingNames.map((name) => [name, checked(name, settings[name], given(name))]);
  const read = Object.fromEntries(entries) as Configuration;
  const configuration = read.stage === 'dev' ? { ...read, ...devDefaults(given) } : read;
  const problem = findEarlySunset(configuration) ?? findUnusedAlarmTarget(configuration);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
  return configuration;
}

/** Returns the settings whose default differs in a dev stack. */
function devDefaults(given: (name: SettingName) => unknown): Partial<Configuration> {
  return {
    ...(given('monitoring') === undefined && { monitoring: 'none' }),
    ...(given('logRetentionDays') === undefined && { logRetentionDays: 7 }),
  };
}

function checked(name: string, { schema, fallback, allowed }: Setting<unknown>, given: unknown): unknown {
  if (given === undefined) {
    return fallback;
  }
  const result = v.safeParse(schema, given);
  if (!result.success) {
    throw new ConfigurationError(
      `The value ${JSON.stringify(given)} of ${name} is not allowed: it must be ${allowed}.`,
    );
  }
  return result.output;
}

/** A `Sunset` must not be earlier than its `Deprecation` (RFC 9745 section 4). */
function findEarlySunset({ v0DeprecatedAt, v0SunsetAt }: Configuration): string | undefined {
  return v0DeprecatedAt !== undefined && v0SunsetAt !== undefined && v0SunsetAt < v0DeprecatedAt
    ? `v0SunsetAt (${v0SunsetAt}) must not be earlier than v0DeprecatedAt (${v0DeprecatedAt}): clients need time to ` +
        'move after v0 is deprecated and before it ends.'
    : undefined;
}

function findUnusedAlarmTarget({ monitoring, alarmEmail, alarmTopicArn }: Configuration): string | undefined {
  const target = Object.entries({ alarmEmail, alarmTopicArn }).find(([, value]) => value !== undefined);
  return monitoring === 'none' && target !== undefined
    ? `The setting ${target[0]} does nothing with monitoring=none, which is without alarms: give monitoring=full, or ` +
        `leave ${target[0]} out.`
    : undefined;
}

/** Returns the Region of a stack; undefined for a stack that is for any Region. */
export function fixedRegionOf({ region }: Stack): string | undefined {
  return Token.isUnresolved(region) ? undefined : region;
}

/**
 * Returns the context keys that could be settings but are unknown. The CDK's own keys are left out: they
 * contain a colon or a hyphen (`@aws-cdk/core:checkSecretUsage`, `cli-telemetry`).
 */
export function unknownKeys(node: Node): readonly string[] {
  return contextKeys(node).filter((key) => /^\w+$/.test(key) && !(key in settings));
}

function contextKeys(node: Node): readonly string[] {
  return Object.keys(node.getAllContext());
}

/** Returns the message for an unknown key that resembles a setting; undefined for any other key. */
function misspelled(key: string): string | undefined {
  const meant = key in settings ? undefined : settingNames.find((name) => resembles(key, name));
  return meant && `The setting ${key} does not exist: did you mean ${meant}?`;
}

const shortestPart = 4;
const maxEdits = 2;

/**
 * True if `given` is probably a misspelling of `known`: one begins with the other, or they differ by at most
 * two letters.
 */
function resembles(given: string, known: string): boolean {
  const [written, meant] = [plain(given), plain(known)];
  const isPart = written.length >= shortestPart && (meant.startsWith(written) || written.startsWith(meant));
  return isPart || leven(written, meant) <= maxEdits;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_]/g, '');
}
