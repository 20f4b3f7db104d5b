import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { logMessages } from '../../contract/internal/log-messages.ts';
import { resourcesOf, synthesized } from '../support/synthesized.ts';

const page = await readFile('docs/runbooks.md', 'utf8');

test('the runbooks name log groups of the template', () => {
  const { document } = synthesized();
  const groups = resourcesOf(document, 'AWS::Logs::LogGroup').map(([id]) => id.replace(/.{8}$/, ''));
  const named = [...page.matchAll(/^log (\w+) /gm)].map(([, group = '']) => group);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((group) => !groups.includes(group))).toEqual([]);
});

test('the runbooks name messages that functions log', () => {
  const messages = [...page.matchAll(/\$\.message = "(.*?)\*?"/g)].map(([, text = '']) => text);
  const logged = Object.values(logMessages);
  expect(messages.length).toBeGreaterThan(3);
  expect(messages.filter((text) => !logged.some((each) => each.startsWith(text)))).toEqual([]);
});
