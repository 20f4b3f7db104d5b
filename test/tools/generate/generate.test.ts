import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { documents } from '../../../tools/generate/documents.ts';
import { withMeanings } from '../../../tools/generate/runbooks.ts';

const git = (...words: readonly string[]) =>
  execFileSync('git', words, { encoding: 'utf8' }).trim().split('\n');
const found = [...git('grep', '-l', ':start -->', '*.md'), ...git('ls-files', 'docs/events')];
const paths = new Set([...documents.map(({ path }) => path), ...found]);

test.for([...paths])('%s is up to date with `npm run generate`', (path) => {
  const current = readFileSync(path, 'utf8');
  const unwritten = current.replace(/(<!-- (\w+):start -->\n)[\s\S]*?(?=<!-- \2:end -->)/g, '$1');
  const written = documents.find((one) => one.path === path)?.content(unwritten);
  expect(current, `${path} is not current: run npm run generate`).toBe(written);
});

const runbooks = readFileSync('docs/runbooks.md', 'utf8');

test.for([
  ['a section', runbooks.replace('## ServerErrors\n', ''), "has no section '## ServerErrors'"],
  ['an alarm', `${runbooks}\n## Nothing\n`, "has a section '## Nothing' without an alarm"],
] as const)('the runbooks are rejected when %s is missing', ([, page, says]) => {
  expect(() => withMeanings(page)).toThrow(says);
});
