import { access, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

/** Documents that say which test holds what. A test that was renamed must not leave them behind. */

const root = new URL('../../', import.meta.url);

const read = (path: string) => readFile(new URL(path, root), 'utf8');

it('docs/rfc9700.md names tests that exist, by file and title', async () => {
  const rows = (await read('docs/rfc9700.md')).split('\n').filter((line) => line.startsWith('|'));
  const named = rows.flatMap((row) => [...row.matchAll(/`(test\/[^`]+\.test\.ts)`: (.+?)(?=<br>| \|)/g)]);
  expect(named.length).toBeGreaterThan(20);
  for (const [, file = '', title = ''] of named) {
    const source = (await read(file)).replaceAll("\\'", "'");
    expect([file, title, source.includes(title)]).toEqual([file, title, true]);
  }
});

it.each(['docs/rfc9700.md', 'docs/threat-model.md', 'SECURITY.md'])(
  '%s names files that exist',
  async (page) => {
    const text = await read(page);
    const named = [...text.matchAll(/`((?:test|lambdas|lib|cli|local|docs)\/[\w./-]+\.\w+)`/g)];
    const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
    const folder = new URL(page, root);
    expect(named.length + linked.length).toBeGreaterThan(1);
    for (const [, path = ''] of named) await access(new URL(path, root));
    for (const [, path = ''] of linked) await access(new URL(path, folder));
  },
);

it('SECURITY.md names scripts that exist', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { readonly scripts: Record<string, string> };
  const named = [...(await read('SECURITY.md')).matchAll(/`npm run ([\w:-]+)/g)].map(
    (match) => match[1] ?? '',
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
