import { readFileSync } from 'node:fs';
import { readRecordings, recordedServices } from '../../packages/emulator/test/recordings/recording.ts';

const recordings = recordedServices
  .flatMap(readRecordings)
  .map(({ name, recorded = '' }) => ({ name, date: recorded.slice(0, 10) }));

const page = readFileSync('docs/aws-facts.md', 'utf8');
const claims = [...page.matchAll(/^\| `([\w-]+)` .*\bRecording\b.*$/gm)].map(([row, id = '']) => ({
  id,
  row,
}));

test('no claim is missing here', () => expect(claims.length).toBeGreaterThan(9));

test.for(claims)('$id cites recordings to which the emulator responds as AWS', ({ row }) => {
  const cited = [...row.matchAll(/\bof (\d{4}-\d\d-\d\d)[^:]*: (`[\w-]+`(?:, `[\w-]+`)*)/g)].flatMap(
    ([, date, names = '']) => names.split(', ').map((name) => ({ name: name.slice(1, -1), date })),
  );
  expect(cited).not.toEqual([]);
  const found = cited.flatMap(({ name }) => recordings.filter((recording) => recording.name === name));
  expect(found).toEqual(cited);
});
