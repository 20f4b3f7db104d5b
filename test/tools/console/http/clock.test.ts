import { Hono } from 'hono';
import { clockOf, toUtc } from '../../../../tools/console/http/clock.ts';
import type { Env } from '../../../../tools/console/http/environment.ts';
import { timeLimit } from '../../../../tools/operator/deployment/aws-clock.ts';

const page = new Hono<Env>().get('/:entered', (c) => {
  const clock = clockOf(c);
  return c.text(`${toUtc(c.req.param('entered'), clock)} from ${clock.zone}`);
});

/** Returns the time that the console reads from an entered text, and the zone from the browser's cookie. */
async function read(entered: string, zone?: string): Promise<string> {
  const headers = zone === undefined ? {} : { cookie: `file-sync-zone=${zone}` };
  return (await page.request(`/${encodeURIComponent(entered)}`, { headers })).text();
}

describe('an entered time', () => {
  test.for([
    ['2026-01-31', undefined, '2026-01-31T00:00:00.000Z from UTC'],
    ['2026-01-31T12:00', '', '2026-01-31T12:00:00.000Z from UTC'],
    ['2026-01-31 12:00:09', 'Nowhere/Else', '2026-01-31T12:00:09.000Z from UTC'],
    ['2026-01-31T12:00', 'Asia/Calcutta', '2026-01-31T06:30:00.000Z from Asia/Calcutta'],
    ['2026-01-31T20:00', 'America/New_York', '2026-02-01T01:00:00.000Z from America/New_York'],
    // The clocks go forward at 01:00 UTC.
    ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z from Europe/Berlin'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z from Europe/Berlin'],
  ] as const)('%s is in the zone %s of the reader: %s', async ([entered, zone, expected]) => {
    expect(await read(entered, zone)).toBe(expected);
  });

  test.for(['7d', '2026-01-31T12:00Z', '2026-01-31T12:00:00+02:00', '2026-13-01', 'x2026-01-31'])(
    '%s stays as it is',
    async (entered) => {
      expect(await read(entered, 'Asia/Calcutta')).toBe(`${entered} from Asia/Calcutta`);
    },
  );
});

test('a time limit is over after its milliseconds', () => {
  let at = 1000;
  const isTimeUp = timeLimit(() => at, 500);
  at = 1500;
  expect(isTimeUp()).toBe(false);
  at = 1501;
  expect(isTimeUp()).toBe(true);
});
