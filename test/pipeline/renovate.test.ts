import * as v from 'valibot';
import { expect, it } from 'vitest';
import { textOf } from './files.ts';

/** What is proposed as an update, and what never is: `renovate.json`. */

const rules = v.parse(
  v.object({
    packageRules: v.array(
      v.object({
        matchPackageNames: v.optional(v.array(v.string()), []),
        allowedVersions: v.optional(v.pipe(v.string(), v.regex(/^\/\^.+\/$/))),
      }),
    ),
  }),
  JSON.parse(await textOf('renovate.json')),
).packageRules;

const { dependencies, devDependencies } = JSON.parse(await textOf('package.json'));
const installed: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };

it('keeps the versions that Node.js 20 and the CDK need', () => {
  const bounds = rules.flatMap(({ matchPackageNames: [name = ''], allowedVersions }) =>
    allowedVersions === undefined ? [] : [[name, new RegExp(allowedVersions.slice(1, -1))] as const],
  );
  const refused = { 'aws-cdk': '3.0.0', vitest: '5.0.0', commander: '15.0.0', '@types/node': '22.0.0' };
  expect(bounds.filter(([name, bound]) => !bound.test(installed[name] ?? ''))).toEqual([]);
  for (const [name, version] of Object.entries(refused)) {
    expect(bounds.find(([other]) => other === name)?.[1].test(version), name).toBe(false);
  }
});

it('names packages that the project has', () => {
  const isNamed = (name: string) => (pattern: string) =>
    pattern.endsWith('/**') ? name.startsWith(pattern.slice(0, -2)) : pattern === name;
  const names = rules.flatMap(({ matchPackageNames }) => matchPackageNames);
  expect(names.filter((name) => !Object.keys(installed).some((one) => isNamed(one)(name)))).toEqual([]);
});
