import type { MetricData } from 'cloud-assembly-emulator';
import { readEmbeddedMetrics } from 'cloud-assembly-emulator';
import { describe, expect, test } from 'vitest';
import { noMetrics } from '../../../lambdas/shared/environment.ts';
import { createLog, type Log } from '../../../lambdas/shared/log/log.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

/** A log whose lines are read as CloudWatch reads them. */
function measuredLog(): { readonly log: Log; readonly take: () => readonly MetricData[]; lines: string[] } {
  const lines: string[] = [];
  const log = createLog({
    write: (line) => lines.push(line),
    now: () => now,
    metricsNamespace: 'stack',
  });
  const take = () =>
    lines.splice(0).flatMap((line) => {
      const { data, problem } = readEmbeddedMetrics(JSON.parse(line), now);
      expect(problem).toBeUndefined();
      return data;
    });
  return { log, take, lines };
}

const shown = (data: readonly MetricData[]) =>
  data.map(({ name, dimensions, values, unit }) => [name, dimensions, values[0], unit]);

describe('the metrics in a log line', () => {
  test('are not there when the stack is not monitored, or the line has none', () => {
    for (const [namespace, values] of [
      [{}, { TokensIssued: 1 }],
      [{ metricsNamespace: noMetrics }, { TokensIssued: 1 }],
      [{ metricsNamespace: 'stack' }, undefined],
    ] as const) {
      const lines: string[] = [];
      createLog({ write: (line) => lines.push(line), now: () => now, ...namespace })(
        'INFO',
        'tokenIssued',
        { client_id: 'acme' },
        values,
      );
      const [timestamp, message] = ['2026-11-22T12:00:00.000Z', 'Access token issued'];
      const line = { timestamp, level: 'INFO', message, client_id: 'acme' };
      expect(lines.map((text) => JSON.parse(text))).toEqual([line]);
    }
  });

  test('are those of the line, beside its fields, each with its unit, in the namespace of the stack', () => {
    const { log, take, lines } = measuredLog();
    log('INFO', 'tokenIssued', { client_id: 'acme' }, { TokensIssued: 1, SigningKeysAge: 2.5 });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ client_id: 'acme', TokensIssued: 1 });
    const data = take();
    expect(shown(data)).toEqual([
      ['TokensIssued', {}, 1, 'Count'],
      ['SigningKeysAge', {}, 2.5, 'Seconds'],
    ]);
    expect(data).toMatchObject([
      { namespace: 'stack', at: now },
      { namespace: 'stack', at: now },
    ]);
  });

  test('of a refusal are counted as a whole and by reason, whatever the lines before had', () => {
    const { log, take } = measuredLog();
    log('INFO', 'tokenIssued', {}, { TokensIssued: 1 });
    log('WARN', 'tokenRefused', {}, { TokensRefused: 1, Reason: 'wrong_secret' });
    log('INFO', 'tokenIssued', {}, { TokensIssued: 1, SigningKeysAge: 2.5 });
    expect(shown(take())).toEqual([
      ['TokensIssued', {}, 1, 'Count'],
      ['TokensRefused', {}, 1, 'Count'],
      ['TokensRefused', { Reason: 'wrong_secret' }, 1, 'Count'],
      ['TokensIssued', {}, 1, 'Count'],
      ['SigningKeysAge', {}, 2.5, 'Seconds'],
    ]);
  });
});
