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
  test('are not there when the stack is not monitored', () => {
    const lines: string[] = [];
    const log = createLog({
      write: (line) => lines.push(line),
      now: () => now,
      metricsNamespace: noMetrics,
    });
    log('INFO', 'tokenIssued', { client_id: 'acme' }, { TokensIssued: 1 });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.not.objectContaining({ _aws: expect.anything() }),
    ]);
  });

  test('are those of the line, each with its unit and its dimensions, in the namespace of the stack', () => {
    const { log, take } = measuredLog();
    log('INFO', 'tokenIssued', { client_id: 'acme' }, { TokensIssued: 1, SigningKeysAge: 2.5 });
    const data = take();
    expect(shown(data)).toEqual([
      ['TokensIssued', {}, 1, 'Count'],
      ['SigningKeysAge', {}, 2.5, 'Seconds'],
    ]);
    expect(data.map(({ namespace, at }) => [namespace, at])).toEqual([
      ['stack', now],
      ['stack', now],
    ]);
  });

  test('of a refusal are counted as a whole and by reason', () => {
    const { log, take } = measuredLog();
    log('WARN', 'tokenRefused', {}, { TokensRefused: 1, Reason: 'wrong_secret' });
    expect(shown(take())).toEqual([
      ['TokensRefused', {}, 1, 'Count'],
      ['TokensRefused', { Reason: 'wrong_secret' }, 1, 'Count'],
    ]);
  });

  test('are those of each line, whatever the lines before had', () => {
    const { log, take } = measuredLog();
    log('INFO', 'tokenIssued', {}, { TokensIssued: 1 });
    log('WARN', 'tokenRefused', {}, { TokensRefused: 1, Reason: 'wrong_secret' });
    log('INFO', 'tokenIssued', {}, { TokensIssued: 1, SigningKeysAge: 2.5 });
    expect(shown(take()).map(([name]) => name)).toEqual([
      'TokensIssued',
      'TokensRefused',
      'TokensRefused',
      'TokensIssued',
      'SigningKeysAge',
    ]);
  });

  test('stand beside the fields of the line, and a line without metrics has none', () => {
    const { log, lines } = measuredLog();
    log('INFO', 'tokenIssued', { client_id: 'acme' }, { TokensIssued: 1 });
    log('INFO', 'keysEnsured', { kid: 'k' });
    const [first, second] = lines.map((line) => JSON.parse(line));
    expect(first).toMatchObject({ message: 'Access token issued', client_id: 'acme', TokensIssued: 1 });
    expect(second).toEqual({
      timestamp: '2026-11-22T12:00:00.000Z',
      level: 'INFO',
      message: 'Signing keys exist',
      kid: 'k',
    });
  });
});
