import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../errors.ts';
import { quoted } from '../text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The error for an `AWS_PROFILE` that names no profile. The SDK reports that no provider has credentials, or that the
 * region is missing, and does not name the cause.
 *
 * @returns undefined when the variable is not set, or the profile exists
 */
export function missingProfile(env: Environment): CommandError | undefined {
  const profile = env.AWS_PROFILE;
  if (!profile) {
    return undefined;
  }
  const profiles = existingProfiles(env);
  if (profiles.includes(profile)) {
    return undefined;
  }
  const others =
    profiles.length === 0 ? 'There are no profiles.' : `The profiles are ${profiles.join(', ')}.`;
  return new CommandError(
    `There is no AWS profile ${quoted(profile)}. ${others} Check AWS_PROFILE, or make the profile: aws configure sso --profile NAME`,
  );
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html */
function existingProfiles(env: Environment): readonly string[] {
  const folder = join(env.HOME ?? homedir(), '.aws');
  const config = sectionsOf(env.AWS_CONFIG_FILE ?? join(folder, 'config')).flatMap(profileOfConfig);
  const credentials = sectionsOf(env.AWS_SHARED_CREDENTIALS_FILE ?? join(folder, 'credentials'));
  return [...new Set([...config, ...credentials])];
}

/** `default` or `profile NAME`. Sections of other kinds, such as `sso-session NAME`, are no profiles. */
function profileOfConfig(section: string): readonly string[] {
  const [, name] = /^profile\s+["']?(.+?)["']?$/.exec(section) ?? [];
  if (name !== undefined) {
    return [name];
  }
  return section === 'default' ? [section] : [];
}

/** The names in brackets. A file that cannot be read has none. */
function sectionsOf(path: string): readonly string[] {
  try {
    const text = readFileSync(path, 'utf8');
    return [...text.matchAll(/^\s*\[\s*([^\]]+?)\s*\]/gm)].map(([, name = '']) => name);
  } catch {
    return [];
  }
}
