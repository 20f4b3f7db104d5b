import { readEmbeddedMetrics } from 'cloud-assembly-emulator';
import { noMetrics } from '../../../contract/internal/environment.ts';
import { createLog } from '../../../lambdas/shared/log/log.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

/** Creates a log whose lines are parsed like CloudWatch parses them. */
function measuredLog(metricsNamespace?: string) {
  const lines: string[] = [];
  const log = createLog({
    write: (line) => lines.push(line),
    now: () => now,
    ...(metricsNamespace !== undefined && { metricsNamespace }),
  });
  const take = () =>
    lines.flatMap((line) => {
      const { data, problem } = readEmbeddedMetrics(JSON.parse(line), now);
      return problem === undefined ? data : expect.fail(problem);
    });
  return { log, take, lines };
}

describe('the metrics in a log line', () => {
  test.for([
    ['the stack has none', undefined, { TokensIssued: 1 }],
    ['the stack is not monitored', noMetrics, { TokensIssued: 1 }],
    ['the line has none', 'stack', undefined],
  ] as const)('are not there if %s', ([, namespace, values]) => {
    const { log, lines } = measuredLog(namespace);
    log('INFO', 'tokenIssued', { client_id: 'acme' }, values);
    const [timestamp, message] = ['2026-11-22T12:00:00.000Z', 'Access token issued'];
    const line = { timestamp, level: 'INFO', message, client_id: 'acme' };
    expect(lines.map((text) => JSON.parse(text))).toEqual([line]);
  });

  test('have units, and those of a rejection are counted by reason too', () => {
    const { log, take, lines } = measuredLog('stack');
    log('INFO', 'tokenIssued', {}, { TokensIssued: 1 });
    log('WARN', 'tokenRejected', {}, { TokensRejected: 1, Reason: 'wrong_secret' });
    log('INFO', 'tokenIssued', {}, { TokensIssued: 1, SigningKeysAge: 2.5 });
    const taken = take();
    expect(taken[0]).toMatchObject({ namespace: 'stack', at: now });
    expect(taken.map(({ name, dimensions, values }) => [name, dimensions, values[0]])).toEqual([
      ['TokensIssued', {}, 1],
      ['TokensRejected', {}, 1],
      ['TokensRejected', { Reason: 'wrong_secret' }, 1],
      ['TokensIssued', {}, 1],
      ['SigningKeysAge', {}, 2.5],
    ]);
    const units = lines.map((line) =>
      JSON.parse(line)._aws.CloudWatchMetrics[0].Metrics.map(({ Unit }: { Unit: string }) => Unit),
    );
    expect(units).toEqual([['Count'], ['Count'], ['Count', 'Seconds']]);
  });
});
