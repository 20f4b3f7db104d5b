import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Code and pages cite the rules of docs/api.md by their numbers. */

const root = new URL('../../', import.meta.url);

const page = await readFile(new URL('docs/api.md', root), 'utf8');

/** Numbers of its sections and of its rules. */
const known = new Set(
  [...page.matchAll(/^(?:## (\d+)\. |- \*\*(\d+\.\d+)\*\* )/gm)].map(
    ([, section, rule]) => section ?? rule ?? '',
  ),
);

it('every citation of docs/api.md names a rule or a section that exists', async () => {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '*.ts', '*.md'], { cwd: root });
  const files = stdout.trim().split('\n');
  const wrong: string[] = [];
  for (const file of files) {
    // A file that is deleted and not committed is not there to be read.
    const text = await readFile(new URL(file, root), 'utf8').catch(() => '');
    for (const number of cited(text)) {
      if (!known.has(number)) {
        wrong.push(`${file}: ${number}`);
      }
    }
  }
  expect(files.length).toBeGreaterThan(100);
  expect(known.size).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

it('finds the numbers of a citation, however many there are', () => {
  expect(cited('See docs/api.md 3.2 to 3.5, 4.5 and 4.6: all.')).toEqual(['3.2', '3.5', '4.5', '4.6']);
  expect(cited('`docs/api.md` (11.8), docs/api.md section 6 and 11.1.')).toEqual(['11.8', '6', '11.1']);
  expect(cited('docs/api.md has 119 rules')).toEqual([]);
});

/** Numbers right after the name of the page: `docs/api.md 4.3`, `docs/api.md sections 3 and 4`. */
function cited(text: string): string[] {
  const lists = text.matchAll(
    /docs\/api\.md`?(?: only)? (\(?(?:sections? )?\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)/g,
  );
  return [...lists].flatMap(([, list = '']) =>
    [...list.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => number),
  );
}
