import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { savedQueries } from '../../lib/saved-queries.ts';
import { propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';

interface QueryDefinition {
  readonly Name: string;
  readonly QueryString: string;
  readonly LogGroupNames: readonly unknown[];
}

describe('saved queries', () => {
  const groups = {
    access: '<ApiAccessLog>',
    token: '<TokenLogs>',
    volumes: '<VolumesLogs>',
    sync: '<SyncLogs>',
    'well-known': '<WellKnownLogs>',
    'record-upload': '<RecorderRecordLogs>',
    'reconcile-uploads': '<ReconcilerReconcileLogs>',
  };

  it('are in a folder of the stack, each with the logs that it asks', () => {
    const { document } = synthesized({ stage: 'dev' });
    const found = propertiesOf<QueryDefinition>(document, 'AWS::Logs::QueryDefinition').map(
      ({ Name, QueryString, LogGroupNames }) => [Name, QueryString, LogGroupNames.map(readable)],
    );
    const expected = Object.entries(savedQueries).map(([name, { query, logs }]) => [
      `file-sync-dev/${name}`,
      query.join('\n| '),
      logs.map((log) => groups[log]),
    ]);
    expect(found).toEqual(expected);
  });

  it('are listed in docs/operations.md, each with its question', async () => {
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    for (const [name, { question }] of Object.entries(savedQueries)) {
      expect(page).toContain(`| \`${name}\` | ${question} |`);
    }
  });
});

describe('monitoring=none, the default of dev', () => {
  it('makes nothing that costs something each month: no alarm, dashboard, topic or metric', () => {
    const { document } = synthesized({ stage: 'dev' });
    const types = Object.values(document.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => /^AWS::(CloudWatch|SNS)/.test(type))).toEqual([]);
    expect(document.Outputs).not.toHaveProperty('DashboardName');
    const namespaces = resourcesOf(document, 'AWS::Lambda::Function').map(
      ([, { Properties }]) =>
        (Properties?.Environment as { readonly Variables?: Record<string, unknown> })?.Variables
          ?.METRICS_NAMESPACE,
    );
    expect(new Set(namespaces)).toEqual(new Set(['none', undefined]));
  });
});
