import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEventLog } from '../../../local/events/event-log.ts';
import { eventOf } from './support.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-event-log-test-'));
  path = join(folder, 'events.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

async function ids(): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8');
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => JSON.parse(line).id);
}

describe('the log of events', () => {
  test('has a line for each event, also of those that come at the same time, and only its owner reads it', async () => {
    const log = await openEventLog(path);
    const names = Array.from({ length: 50 }, (_, index) => `event-${index}`);
    await Promise.all(names.map((name) => log.append(eventOf(name))));
    await log.close();
    expect(await ids()).toEqual(names);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('goes on where an earlier run ended', async () => {
    for (const name of ['first', 'second']) {
      const log = await openEventLog(path);
      await log.append(eventOf(name));
      await log.close();
    }
    expect(await ids()).toEqual(['first', 'second']);
  });

  test.each([
    ['before a whole line', '{"id":"who', ['next']],
    ['after a whole line', `${JSON.stringify({ id: 'whole' })}\n{"id":"ha`, ['whole', 'next']],
  ])('loses the half line that a kill left %s, and nothing else', async (_, text, expected) => {
    await writeFile(path, text);
    const log = await openEventLog(path);
    await log.append(eventOf('next'));
    await log.close();
    expect(await ids()).toEqual(expected);
  });

  test('keeps what somebody else appended while it was closed', async () => {
    const log = await openEventLog(path);
    await log.append(eventOf('first'));
    await log.close();
    await appendFile(path, `${JSON.stringify({ id: 'other' })}\n`);
    const again = await openEventLog(path);
    await again.append(eventOf('last'));
    await again.close();
    expect(await ids()).toEqual(['first', 'other', 'last']);
  });
});
