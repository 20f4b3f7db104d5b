/**
 * Lists 200,000 uploads and 100,000 clients in every form, each in a process of its own. Prints the time to the first
 * page and to the end, and the peak memory. Checks that nothing is missing and that the newest comes first:
 *
 *     npm run test:long -- lists [--uploads 200000] [--clients 100000]
 *
 * Takes some minutes. The tables are in the memory of this process.
 */
import '../../support/quiet-sdk.ts';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allOf, mapPages, readPages } from '../../../cli/operations/pages.ts';
import { type FakeAws, startFakeAws } from '../../support/fake-aws.ts';
import { manyClients, manyUploads, writeItems } from '../../support/many-items.ts';

const { values } = parseArgs({
  options: {
    uploads: { type: 'string', default: '200000' },
    clients: { type: 'string', default: '100000' },
  },
});
const uploads = Number(values.uploads);
const clients = Number(values.clients);

interface ListRun {
  readonly output: string;
  /** Milliseconds from the start of the process. */
  readonly firstPage: number;
  readonly end: number;
  readonly peakKiB: number;
}

const program = fileURLToPath(new URL('run-list.ts', import.meta.url));

async function runList(aws: FakeAws, parameters: readonly string[], columns?: number): Promise<ListRun> {
  const startedAt = performance.now();
  const list = spawn(process.execPath, ['--import', 'tsx', program, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DEPLOYMENT: JSON.stringify(aws.deployment),
      ...(columns !== undefined && { COLUMNS: String(columns) }),
    },
  });
  let firstPage = Number.NaN;
  list.stdout.once('data', () => {
    firstPage = performance.now() - startedAt;
  });
  const ended = new Promise<number | null>((resolve) => list.once('close', resolve));
  const [output, errors] = await Promise.all([textOf(list.stdout), textOf(list.stderr)]);
  if ((await ended) !== 0) {
    throw new Error(`${parameters.join(' ')} failed: ${errors}`);
  }
  const peakKiB = Number(errors.trim().split('\n').at(-1));
  return { output, firstPage, end: performance.now() - startedAt, peakKiB };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function report(what: string, { firstPage, end, peakKiB, output }: ListRun): void {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;
  const facts = [seconds(firstPage), seconds(end), megabytes(peakKiB * 1024), megabytes(output.length)];
  process.stdout.write(`${what.padEnd(46)} ${facts.map((fact) => fact.padStart(10)).join(' ')}\n`);
}

/** Checks that a list has so many entries, and that each is as new as the next one. */
function check(what: string, found: readonly string[], expected: number): void {
  const ordered = found.every((time, index) => index === 0 || time <= (found[index - 1] ?? ''));
  if (found.length !== expected || !ordered) {
    process.stdout.write(
      `NOT OK: ${what}: ${found.length} entries, ${ordered ? 'newest first' : 'not in order'}\n`,
    );
    process.exitCode = 1;
  }
}

const timePattern = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split(/\r?\n/).slice(1);
}

/** In each form, what is listed has the time of its beginning as its first time. */
async function listInEveryForm(aws: FakeAws, parameters: readonly string[], count: number): Promise<void> {
  const name = parameters.join(' ');
  const terminal = await runList(aws, parameters, 120);
  report(`${name} (terminal)`, terminal);
  const timesIn = (text: string) => linesOf(text).map((line) => timePattern.exec(line)?.[0] ?? '');
  check(name, timesIn(terminal.output), Math.min(count, 100));

  const pipe = await runList(aws, parameters);
  report(`${name} (pipe)`, pipe);
  check(name, timesIn(pipe.output), count);

  const csv = await runList(aws, [...parameters, '--csv']);
  report(`${name} --csv`, csv);
  check(name, timesIn(csv.output), count);

  const json = await runList(aws, [...parameters, '--json']);
  report(`${name} --json`, json);
  const { data } = JSON.parse(json.output) as { data: { created_at?: string; issued_at?: string }[] };
  check(
    name,
    data.map(({ created_at, issued_at }) => issued_at ?? created_at ?? ''),
    count,
  );
}

/** How much of the time is the tables' own: the pages are read one after the other, and nothing is done with them. */
async function reportReading({ deployment }: FakeAws): Promise<void> {
  const startedAt = performance.now();
  const pages = readPages(deployment, { table: 'UploadsTableName', filter: [] });
  await allOf(mapPages(pages, () => undefined));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`The tables give all uploads in ${seconds} s.\n`);
}

const aws = await startFakeAws();
try {
  const startedAt = performance.now();
  await writeItems(aws, 'uploads', manyUploads(uploads));
  await writeItems(aws, 'clients', manyClients(clients));
  const took = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(`${uploads} uploads and ${clients} clients were written in ${took} s.\n\n`);
  process.stdout.write(`${' '.repeat(46)} first page        end       peak     output\n`);
  report(
    'nothing (upload list of no organisation)',
    await runList(aws, ['upload', 'list', '--organisation', 'none', '--json']),
  );
  await reportReading(aws);
  await listInEveryForm(aws, ['upload', 'list', '--organisation', 'acme'], uploads);
  await listInEveryForm(aws, ['upload', 'list'], uploads);
  await listInEveryForm(aws, ['client', 'list'], clients);
} finally {
  await aws.stop();
}
