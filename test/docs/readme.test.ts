import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { settings } from '../../lib/configuration.ts';

test('the README documents every setting as the stack reads it: default, allowed values, meaning', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const documented = /<!-- settings:start -->\n(.*?)\n<!-- settings:end -->/s.exec(readme)?.[1];
  expect(documented).toBe(settingsTable());
});

function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([key, { fallbackText, allowed, meaning }]) =>
      `| \`${key}\` | ${fallbackText} | ${allowed} | ${meaning} |`,
  );
  return ['| Key | Default | Allowed | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
