import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { textOf } from './files.ts';

/** What is proposed as an update, and what never is: `renovate.json`. */

const rules = v.parse(
  v.object({
    packageRules: v.array(
      v.object({
        description: v.array(v.pipe(v.string(), v.minLength(20))),
        groupName: v.optional(v.string()),
        matchPackageNames: v.optional(v.array(v.string()), []),
        allowedVersions: v.optional(v.pipe(v.string(), v.regex(/^\/\^.+\/$/))),
      }),
    ),
  }),
  JSON.parse(await textOf('renovate.json')),
).packageRules;

const { dependencies, devDependencies } = JSON.parse(await textOf('package.json'));
const installed: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };

const isNamed = (name: string) => (pattern: string) =>
  pattern.endsWith('/**') ? name.startsWith(pattern.slice(0, -2)) : pattern === name;

describe('updates', () => {
  it.each([
    ['aws-cdk', ['2.1148.2'], ['2.1149.0', '3.0.0']],
    ['vitest', ['4.9.0'], ['5.0.0']],
    ['commander', ['14.1.0'], ['15.0.0']],
    ['@sparticuz/chromium', ['147.0.0'], ['147.0.1', '148.0.0']],
    ['@types/node', ['20.20.0'], ['22.0.0', '24.0.0']],
  ])('of %s stay where the design needs it', (name, allowed, refused) => {
    const [rule, ...others] = rules.filter(
      ({ matchPackageNames, allowedVersions }) =>
        allowedVersions !== undefined && matchPackageNames.includes(name),
    );
    expect(others).toEqual([]);
    const pattern = new RegExp(rule?.allowedVersions?.slice(1, -1) ?? 'none');
    expect([installed[name], ...allowed].filter((version = '') => !pattern.test(version))).toEqual([]);
    expect(refused.filter((version) => pattern.test(version))).toEqual([]);
  });

  it('of what must have one version come together', () => {
    const groupOf = (name: string) =>
      rules.find(({ matchPackageNames, groupName }) => groupName && matchPackageNames.some(isNamed(name)))
        ?.groupName;
    const sdk = Object.keys(installed).filter((name) => /^@(aws-sdk|smithy|aws-crypto)\//.test(name));
    expect(sdk.length).toBeGreaterThan(5);
    expect(new Set(sdk.map(groupOf))).toEqual(new Set(['AWS SDK']));
    expect(new Set(['aws-cdk-lib', 'constructs', 'cdk-nag'].map(groupOf))).toEqual(new Set(['AWS CDK']));
  });

  it('are ruled for packages that the project has', () => {
    const names = rules.flatMap(({ matchPackageNames }) => matchPackageNames);
    expect(names.filter((name) => !Object.keys(installed).some((one) => isNamed(one)(name)))).toEqual([]);
  });
});
