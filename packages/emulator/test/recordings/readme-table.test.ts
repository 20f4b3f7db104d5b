import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEventPatterns } from './event-patterns.ts';
import { type Recording, readRecordings, recordedServices } from './recording.ts';

/** The table of README.md, with the requests that the emulator rejects or processes differently. */

type Kind = Pick<Recording, 'rejected' | 'differs'>;

const { patterns, unsupported } = readEventPatterns();
const matchers = Object.keys(unsupported).map((matcher) => `\`${matcher}\``);
const rejectedPattern = { rejected: `patterns with ${matchers.join(', ')}` };

const files: readonly (readonly [file: string, recordings: readonly Kind[]])[] = [
  ...recordedServices.map((service) => [service, readRecordings(service)] as const),
  [
    'event-patterns',
    [
      ...Object.keys(patterns).map(() => ({})),
      ...Object.values(unsupported).flatMap((count) => Array(count).fill(rejectedPattern)),
    ],
  ],
];

function rowOf([file, recordings]: (typeof files)[number]): string {
  const rejected = recordings.filter((recording) => recording.rejected !== undefined).length;
  const different = recordings.filter(({ differs }) => differs !== undefined).length;
  const same = recordings.length - rejected - different;
  const cells = [`[${file}](test/recordings/${file}.yaml)`, recordings.length, same, rejected, different];
  return `| ${cells.join(' | ')} |`;
}

/** Joins the distinct texts to one sentence, wrapped like the other lines of the page. */
function sentence(start: string, kind: keyof Kind): string {
  const given = files.flatMap(([, recordings]) => recordings.flatMap((recording) => recording[kind] ?? []));
  return `${start}: ${[...new Set(given)].join('; ')}.`.replace(/(.{1,118})(?: |$)/g, '$1\n');
}

test('README.md counts the recordings, or else run npm run generate', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const lines = [
    '| Recordings | Apply | As AWS | Rejected | Different |',
    '|---|--:|--:|--:|--:|',
    ...files.map(rowOf),
    '',
    sentence('Rejected by name, because no stack here uses them', 'rejected'),
    sentence('Different', 'differs').trimEnd(),
  ];
  const [before = '', after = ''] = readme.split(/\| Recordings \|.*?(?=\n\n## )/s);
  await expect(before + lines.join('\n') + after).toMatchFileSnapshot('../../README.md');
});
