import { type Version, type VersionEnd, type VersionEnds, versionNames } from '../contract/versions.ts';
import { page, type Setting, time } from './setting.ts';

const parts = ['DeprecatedAt', 'SunsetAt', 'Notice'] as const;

/** `v0DeprecatedAt`, `v0SunsetAt` and `v0Notice`, and the same for each other version of the API. */
type Name = `${Version}${(typeof parts)[number]}`;

/** The settings with which an operator announces the end of a version. */
export const versionSettings = Object.fromEntries(versionNames.flatMap(settingsOf)) as {
  readonly [Key in Name]: Setting<string | undefined>;
};

function settingsOf(version: Version): readonly (readonly [Name, Setting<string | undefined>])[] {
  return [
    [
      `${version}DeprecatedAt`,
      time({
        meaning: `When \`/${version}\` is deprecated, in the past or the future: answers say so in a header`,
        example: '2030-01-31T00:00:00Z',
      }),
    ],
    [
      `${version}SunsetAt`,
      time({
        meaning: `When \`/${version}\` ends: answers say so in a header, and from then on are 410`,
        example: '2031-01-31T00:00:00Z',
      }),
    ],
    [
      `${version}Notice`,
      page({
        meaning: `Page for developers about the end of \`/${version}\`: answers link to it`,
      }),
    ],
  ];
}

/** The values of these settings. */
export type VersionConfiguration = { readonly [Key in Name]: string | undefined };

/** What is announced, by version; a version without an announcement is left out. */
export function versionEnds(configuration: VersionConfiguration): VersionEnds {
  const ends = versionNames.map((version) => [version, endOf(version, configuration)] as const);
  return Object.fromEntries(ends.filter(([, end]) => Object.keys(end).length > 0));
}

function endOf(version: Version, configuration: VersionConfiguration): VersionEnd {
  const deprecatedAt = configuration[`${version}DeprecatedAt`];
  const sunsetAt = configuration[`${version}SunsetAt`];
  const notice = configuration[`${version}Notice`];
  return {
    ...(deprecatedAt !== undefined && { deprecatedAt }),
    ...(sunsetAt !== undefined && { sunsetAt }),
    ...(notice !== undefined && { notice }),
  };
}

/**
 * What is wrong with the times of a version; undefined when nothing is. A `Sunset` must not be earlier than its
 * `Deprecation` (RFC 9745 section 4), and clients need time between them.
 */
export function findWrongEnd(configuration: VersionConfiguration): string | undefined {
  for (const [version, { deprecatedAt, sunsetAt }] of Object.entries(versionEnds(configuration))) {
    if (deprecatedAt !== undefined && sunsetAt !== undefined && sunsetAt <= deprecatedAt) {
      return (
        `${version}SunsetAt (${sunsetAt}) must be later than ${version}DeprecatedAt (${deprecatedAt}): clients need ` +
        'time to move after a version is deprecated and before it ends.'
      );
    }
  }
  return undefined;
}
