import { readFile } from 'node:fs/promises';
import { logMessages } from '../../contract/internal/log-messages.ts';
import { resourcesOf, synthesized } from '../support/synthesized.ts';

const page = await readFile('docs/runbooks.md', 'utf8');

test('the runbooks name resources of the template, by the start of their logical IDs', () => {
  const { document } = synthesized();
  const groups = [...page.matchAll(/^log (\w+) /gm)].map(([, start = '']) => ['AWS::Logs::LogGroup', start]);
  const others = [...page.matchAll(/\$\(name ([\w:]+) (\w+)\)/g)].map(([, ...named]) => named);
  const found = [...groups, ...others].map(
    ([type = '', start = '']) => resourcesOf(document, type).filter(([id]) => id.startsWith(start)).length,
  );
  expect(found.length).toBeGreaterThan(12);
  expect(new Set(found)).toEqual(new Set([1]));
});

test('the runbooks name messages that functions log', () => {
  const messages = [...page.matchAll(/\$\.message = "(.*?)\*?"/g)].map(([, text = '']) => text);
  const logged = Object.values(logMessages);
  expect(messages.length).toBeGreaterThan(3);
  expect(messages.filter((text) => !logged.some((each) => each.startsWith(text)))).toEqual([]);
});
