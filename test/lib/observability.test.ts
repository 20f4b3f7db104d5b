import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { savedQueries } from '../../lib/saved-queries.ts';
import { propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';
import { permissionsByRole } from './policies.ts';

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

describe('traces', () => {
  const functionsIn = (context: Readonly<Record<string, string>>) =>
    resourcesOf(synthesized(context).document, 'AWS::Lambda::Function').map(
      ([id, { Properties }]) => [id.replace(/Function[0-9A-F]{8}$/, ''), Properties?.TracingConfig] as const,
    );
  const tracing = ['xray:PutTelemetryRecords on *', 'xray:PutTraceSegments on *'];

  it('are not sent by default', () => {
    expect(functionsIn({}).map(([, config]) => config)).toEqual(functionsIn({}).map(() => undefined));
    const permissions = permissionsByRole(synthesized().document);
    expect(JSON.stringify(permissions)).not.toContain('xray');
    expect(functionsIn({ tracing: 'none' })).toEqual(functionsIn({}));
  });

  it('are sent of every function when the setting says so, by its own role', () => {
    const traced = functionsIn({ tracing: 'xray' });
    expect(traced.map(([name]) => name)).toEqual(functionsIn({}).map(([name]) => name));
    for (const [name, config] of traced) {
      expect([name, config]).toEqual([name, { Mode: 'Active' }]);
    }
    const [before, after] = [{}, { tracing: 'xray' }].map((context) =>
      permissionsByRole(synthesized(context).document),
    );
    for (const [role, actions] of Object.entries(after ?? {})) {
      const added = actions.filter((action) => !before?.[role]?.includes(action));
      const isOfFunction = traced.some(([name]) => role === `<${name}Role>`);
      expect([role, added]).toEqual([role, isOfFunction ? tracing : []]);
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
