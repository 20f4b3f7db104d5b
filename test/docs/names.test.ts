import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { routeKey, routes } from '../../contract/routes.ts';

/**
 * Names of files, headings and scripts in pages and comments must exist. History (CHANGELOG.md) may name
 * removed ones. Lines of pages are short.
 */

const allPages = filesLike('*.md');
const pages = allPages.filter((page) => page !== 'CHANGELOG.md');
const sources = filesLike('*.ts', '*.tsx', '*.mjs', '*.js', '*.css', '*.sh');
const textOf = (page: string) => readFileSync(page, 'utf8');
const proseOf = (page: string) => textOf(page).replace(/```.*?```/gs, '');

function filesLike(...patterns: readonly string[]): readonly string[] {
  const options = ['--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', ['ls-files', ...options, ...patterns], { encoding: 'utf8' }).split('\n');
  return files.filter((file) => file !== '' && existsSync(file));
}

/** Returns the anchor that GitHub creates for a heading. */
function anchorOf(heading: string): string {
  const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return shown.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}

function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const given = [...textOf(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...headings, ...given]);
}

const withCredentials = Object.values(routes).filter(({ needs }) => needs !== 'nothing');

test.for([
  ['architecture', 'its function'],
  ['cost', 'its rate limit'],
])('docs/%s.md names each route that needs credentials, with %s', ([page]) => {
  const lacking = withCredentials.filter(
    (route) => !textOf(`docs/${page}.md`).includes(`| \`${routeKey(route)}\``),
  );
  expect(lacking).toEqual([]);
});

describe('every page', () => {
  test('links to files and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
        ([link, path = '', anchor]) => {
          const target = path === '' ? page : normalize(join(dirname(page), path));
          const lacksAnchor =
            anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
          return !existsSync(target) || lacksAnchor ? [`${page}: ${link}`] : [];
        },
      ),
    );
    expect(broken).toEqual([]);
  });

  test('names scripts of package.json', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Record<string, string> };
    const unknown = pages.flatMap((page) =>
      [...textOf(page).matchAll(/npm run (?:-s )?([a-z][\w:]*)/g)]
        .filter(([, name = '']) => !(name in scripts))
        .map(([named]) => `${page}: ${named}`),
    );
    expect(unknown).toEqual([]);
  });

  test('names source files that exist', () => {
    const missing = pages.flatMap((page) =>
      [
        ...proseOf(page).matchAll(
          /`((?:bin|contract|storage|lambdas|lib|tools|packages|test)\/[\w./-]+\.tsx?)`/g,
        ),
      ]
        // A page may name a file relative to its own folder; NAME is a placeholder for a name that the reader
        // chooses.
        .filter(([, path = '']) => !/NAME/.test(path) && ![path, join(dirname(page), path)].some(existsSync))
        .map(([named]) => `${page}: ${named}`),
    );
    expect(missing).toEqual([]);
  });

  test('keeps lines to 120 characters, apart from tables and code', () => {
    const withoutCode = (page: string) =>
      textOf(page).replace(/^ *```.*?^ *```/gms, (code) => code.replace(/.+/g, ''));
    const isTooLong = (line: string) => [...line].length > 120 && !/^(?: *\||#+ |!\[)/.test(line);
    const tooLong = allPages
      .filter((page) => !page.startsWith('docs/generated/'))
      .flatMap((page) =>
        withoutCode(page)
          .split('\n')
          .flatMap((line, index) => (isTooLong(line) ? [`${page}:${index + 1} is too long: ${line}`] : [])),
      );
    expect(tooLong).toEqual([]);
  });

  test('cites rules and sections of docs/api.md that exist', () => {
    const numbered = textOf('docs/api.md').matchAll(/^(?:## (\d+)\. |- \*\*(\d+\.\d+)\*\* )/gm);
    const known = new Set([...numbered].map(([, section, rule]) => section ?? rule));
    const list =
      /docs\/api\.md`?(?: only)? \(?(?:sections? )?(\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)/g;
    const wrong = [...pages, ...sources].flatMap((file) =>
      [...textOf(file).matchAll(list)]
        .flatMap(([, numbers = '']) => numbers.match(/\d+(?:\.\d+)?/g) ?? [])
        .filter((number) => !known.has(number))
        .map((number) => `${file}: ${number}`),
    );
    expect(known.size).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });
});

interface NamedFile {
  readonly path: string;
  readonly line: number;
}

/** Returns paths with a folder and an extension, after `//`, `*` or `#` on a line. */
function filesNamedInComments(source: string): readonly NamedFile[] {
  const path = /(?<![\w./:@-])(?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|js|css|sh|md|json|ya?ml)\b/g;
  return textOf(source)
    .split('\n')
    .flatMap((text, index) => {
      const [, comment = ''] = /(?:^|[\s{])(?:\/\/|\/?\*+|#) (.*)/.exec(text) ?? [];
      return [...comment.matchAll(path)].map(([path]) => ({ path, line: index + 1 }));
    });
}

function foldersAbove(path: string): readonly string[] {
  return path === '.' ? [] : [dirname(path), ...foldersAbove(dirname(path))];
}

test('every comment names files that exist', () => {
  const missing = sources.flatMap((source) =>
    filesNamedInComments(source)
      // A path may begin in any folder above the source. NAME is a placeholder for a name that the reader chooses.
      .filter(
        ({ path }) => !/NAME/.test(path) && !foldersAbove(source).some((it) => existsSync(join(it, path))),
      )
      .map(({ path, line }) => `${source}:${line} names ${path}, which does not exist`),
  );
  expect(missing).toEqual([]);
});
