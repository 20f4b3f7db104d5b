import { readFile } from 'node:fs/promises';
import { startAws } from '../support/aws.ts';
import { manyClients } from '../support/many-items.ts';
import { adminOf } from '../support/run-admin.ts';

// docs/cost.md has the units of 200 times as many clients.
const { deployment, calls, units } = await startAws({ clients: [...manyClients(1000)] });

test.for([
  ['client list --csv', { Query: 5, BatchGetItem: 10 }, () => 200 * units.taken],
  // The emulator counts half of the units of a consistent scan.
  ['client list --name x', { Scan: 4 }, () => 400 * units.taken],
  // A page of a scan has at most 1 MB.
  ['doctor', { Scan: 16 }, () => 16 * 256],
] as const)('%s costs as much as on the page', async ([words, expected, counted]) => {
  calls.clear();
  units.taken = 0;
  await adminOf(deployment)(words);
  expect(Object.fromEntries(calls)).toMatchObject(expected);
  const page = await readFile('docs/cost.md', 'utf8');
  expect(page).toContain(`| \`${words}\` | ${counted().toLocaleString('en')} |`);
});
