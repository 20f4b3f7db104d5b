import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { documents } from '../../../tools/generate/documents.ts';
import { withMeanings } from '../../../tools/generate/runbooks.ts';

const textOf = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Pages with marked texts, and files whose folder is generated. */
async function generatedPaths(): Promise<readonly string[]> {
  const paths = await readdir('docs', { recursive: true });
  const pages = ['README.md', ...paths.filter((path) => path.endsWith('.md')).map((path) => `docs/${path}`)];
  const marked = await Promise.all(pages.map(async (path) => (await textOf(path)).includes(':start -->')));
  const schemas = paths.filter((path) => path.startsWith('events/')).map((path) => `docs/${path}`);
  return [...pages.filter((_, index) => marked[index]), ...schemas];
}

const paths = [...new Set([...documents.map(({ path }) => path), ...(await generatedPaths())])];

test.for(paths)('%s is what `npm run generate` writes', async (path) => {
  const current = await textOf(path);
  const unmarked = current.replace(/(<!-- (\w+):start -->\n)[\s\S]*?(?=<!-- \2:end -->)/g, '$1');
  const document = documents.find((one) => one.path === path);
  expect(current, `${path} is not current: run npm run generate`).toBe(document?.content(unmarked));
});

describe('the runbooks are not generated', async () => {
  const page = await textOf('docs/runbooks.md');

  test.for([
    ['an alarm has no section', page.replace('## ServerErrors\n', ''), "has no section '## ServerErrors'"],
    ['a section has no alarm', `${page}\n## Nothing\n`, "has a section '## Nothing' without an alarm"],
  ] as const)('when %s', ([, changed, says]) => {
    expect(() => withMeanings(changed)).toThrow(says);
  });
});
