import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { outputNames } from '../../cli/deployment/stack-outputs.ts';
import { logMessages } from '../../lambdas/shared/log.ts';
import { settings } from '../../lib/configuration.ts';
import { admin } from '../support/run-admin.ts';
import { propertiesOf, synthesized } from '../support/synthesized.ts';

/** Each alarm of the template has its page, and each command of a page is one that exists. */

const folder = fileURLToPath(new URL('../../docs/runbooks/', import.meta.url));
const { document } = synthesized();

const described = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
  propertiesOf<{ readonly AlarmDescription: string }>(document, type).map(
    ({ AlarmDescription }) => /Runbook: docs\/runbooks\/(\w+)\.md$/.exec(AlarmDescription)?.[1],
  ),
);
const names = (await readdir(folder))
  .map((file) => file.replace(/\.md$/, ''))
  .filter((name) => name !== 'README');

async function pageOf(name: string): Promise<string> {
  return readFile(`${folder}${name}.md`, 'utf8');
}

const texts = new Map(await Promise.all(names.map(async (name) => [name, await pageOf(name)] as const)));

/** The command lines of a page, in order. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, command = '']) => command.trim());
}

const commands = [...texts].flatMap(([name, text]) =>
  commandsIn(text).map((command) => [name, command] as const),
);

describe('runbooks', () => {
  it('are there for every alarm of the template, and for nothing else', () => {
    expect(described.length).toBeGreaterThan(20);
    expect([...new Set(described)].sort()).toEqual([...names].sort());
  });

  it.each(names)('%s says what the alarm means, the first three commands, and how it ends', (name) => {
    const text = texts.get(name) ?? '';
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['What it means', 'First three commands', 'How it ends']);
    for (const section of text.split(/^## /m).slice(1)) {
      expect(section.split('\n').slice(1).join('').trim().length).toBeGreaterThan(60);
    }
    expect(commandsIn(text.split('## First three commands')[1] ?? '')).toHaveLength(3);
    expect(commandsIn(text)).toHaveLength(3);
  });

  it('link to files that exist', async () => {
    const all = [...texts, ['README', await pageOf('README')] as const];
    const links = all.flatMap(([name, text]) =>
      [...text.matchAll(/\]\(([^)#]+\.md)(#[\w-]+)?\)/g)].map(([, path = '', anchor]) => ({
        name,
        path,
        anchor,
      })),
    );
    expect(links.length).toBeGreaterThan(30);
    for (const { name, path, anchor } of links) {
      const target = await readFile(new URL(path, new URL('../../docs/runbooks/', import.meta.url)), 'utf8');
      if (anchor !== undefined) {
        const anchors = [...target.matchAll(/^#+ (.*)$/gm)].map(
          ([, heading = '']) =>
            `#${heading
              .toLowerCase()
              .replaceAll(/[^\w\s-]/g, '')
              .replaceAll(' ', '-')}`,
        );
        expect(anchors, `${name}: ${path}${anchor}`).toContain(anchor);
      }
    }
  });

  it('name settings that exist', () => {
    const named = [...texts.values()].flatMap((text) =>
      [...text.matchAll(/`(\w+(?:Limit|Concurrency|Days|Seconds))\b[^`]*`/g)].map(([, name]) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    const others = ['ConcurrentExecutions', 'AccountLimit'];
    expect(named.filter((name) => !(String(name) in settings) && !others.includes(String(name)))).toEqual([]);
  });
});

/** Commands of the AWS CLI that no package of the SDK here knows, with their options (AWS CLI Command Reference). */
const otherCommands: Readonly<Record<string, readonly string[]>> = {
  'logs tail': ['since', 'filter-pattern'],
  'iam get-role': ['role-name'],
  'health describe-events': ['filter'],
  'service-quotas request-service-quota-increase': ['service-code', 'quota-code', 'desired-value'],
};

const globalOptions = ['region', 'query', 'output'];

/** The clients of the SDK, by the name of their service in the AWS CLI. */
const clients: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>> = {
  cloudformation: () => import('@aws-sdk/client-cloudformation'),
  cloudwatch: () => import('@aws-sdk/client-cloudwatch'),
  lambda: () => import('@aws-sdk/client-lambda'),
  s3api: () => import('@aws-sdk/client-s3'),
  sqs: () => import('@aws-sdk/client-sqs'),
};

type Structure = readonly [number, string, string, unknown, readonly string[]];
type Operation = readonly [number, string, string, unknown, () => Structure, () => Structure];

/** Names of an operation's input, as options of the AWS CLI; undefined when there is no such operation. */
async function optionsOf(service: string, operation: string): Promise<readonly string[] | undefined> {
  const other = otherCommands[`${service} ${operation}`];
  if (other !== undefined) {
    return other;
  }
  const client = await clients[service]?.();
  const className = `${operation.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Command`;
  const Command = client?.[className] as (new (input: object) => { readonly schema: Operation }) | undefined;
  if (Command === undefined) {
    return undefined;
  }
  const [, , , , input] = new Command({}).schema;
  return input()[4].map((member) => member.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase());
}

/** A command without the commands that it takes words from, and those. */
function unnested(command: string): { readonly outer: string; readonly inner: readonly string[] } {
  const inner = [...command.matchAll(/"\$\(([\s\S]*?)\)"(?=\s|$)/g)].map(([, text = '']) => text);
  return { outer: command.replaceAll(/"\$\([\s\S]*?\)"(?=\s|$)/g, 'WORD'), inner };
}

const wordsOf = (line: string) =>
  [...line.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );

describe('a command of a runbook', () => {
  it('is one that a shell can read', () => {
    expect(commands.length).toBe(3 * names.length);
    for (const [name, command] of commands) {
      expect(() => execFileSync('bash', ['-n'], { input: command }), `${name}: ${command}`).not.toThrow();
    }
  });

  const ours = commands.filter(([, command]) => command.startsWith('npm '));
  it.each(ours)('in %s is one that the admin command takes: %s', async (_, command) => {
    const [npm, run, quiet, tool, dashes, ...parameters] = wordsOf(command);
    expect([npm, run, quiet, tool, dashes]).toEqual(['npm', 'run', '-s', 'admin', '--']);
    // On no terminal, a command that asks needs the answer.
    const answered = parameters.includes('rotate') ? [...parameters, '--yes'] : parameters;
    const { code, opened, stderr } = await admin(undefined, answered);
    // Arguments that are wrong give 2, before any deployment is opened. The doctor opens none.
    expect(stderr).not.toMatch(/unknown (command|option)|too many arguments|missing required/);
    expect(code).not.toBe(2);
    const isDoctor = parameters.includes('doctor');
    expect(opened).toEqual(isDoctor ? [] : ['stack file-sync-prod']);
  });

  const ofAws = commands
    .filter(([, command]) => command.startsWith('aws '))
    .flatMap(([name, command]) => {
      const { outer, inner } = unnested(command);
      return [outer, ...inner].map((line) => [name, line] as const);
    });

  it('begins with npm or aws', () => {
    const starts = commands.map(([, command]) => command.split(' ')[0]);
    expect([...new Set(starts)].sort()).toEqual(['aws', 'npm']);
  });

  it.each(ofAws)('in %s is one that the AWS CLI has, with its options: %s', async (_, line) => {
    const [, service = '', operation = '', ...rest] = wordsOf(line);
    const known = await optionsOf(service, operation);
    expect(known, `${service} ${operation}`).toBeDefined();
    const options = rest.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
    expect(options.filter((option) => ![...(known ?? []), ...globalOptions].includes(option))).toEqual([]);
  });

  it('names one resource of the stack, and outputs that exist', () => {
    const all = commands.map(([, command]) => command).join('\n');
    const queries = [
      ...all.matchAll(/starts_with\(LogicalResourceId, '(\w+)'\)(?: && ResourceType=='([\w:]+)')?/g),
    ];
    expect(queries.length).toBeGreaterThan(10);
    for (const [query, prefix = '', type] of queries) {
      const found = Object.entries(document.Resources).filter(
        ([id, { Type }]) => id.startsWith(prefix) && (type === undefined || Type === type),
      );
      expect(found, query).toHaveLength(1);
    }
    const outputs = [...all.matchAll(/OutputKey=='(\w+)'/g)].map(([, name]) => name);
    expect(outputs.length).toBeGreaterThan(3);
    expect(outputs.filter((name) => !outputNames.some((known) => known === name))).toEqual([]);
  });

  it('looks for messages that the functions write', () => {
    const messages = commands.flatMap(([, command]) =>
      [...command.matchAll(/\$\.message = "([^"]*)"/g)].map(([, message = '']) => message),
    );
    expect(messages.length).toBeGreaterThan(3);
    for (const message of messages) {
      const start = message.replace(/\*$/, '');
      expect(
        Object.values(logMessages).filter((known) =>
          start === message ? known === start : known.startsWith(start),
        ),
        message,
      ).toHaveLength(1);
    }
  });
});
