import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { propertiesOf, resourcesOf, synthesized, type TemplateDocument } from '../support/synthesized.ts';

/** What a stack costs that nobody uses, in cents a month, by the list prices of US East (N. Virginia). */
const prices = { secret: 40, key: 100, alarmMetric: 10, dashboard: 300 };

interface Alarm {
  readonly Metrics: readonly { readonly MetricStat?: unknown }[];
}

function costsOf(document: TemplateDocument) {
  const count = (type: string) => resourcesOf(document, type).length;
  // An alarm on an expression costs as much as alarms on each of its metrics would.
  const alarmMetrics = propertiesOf<Alarm>(document, 'AWS::CloudWatch::Alarm')
    .flatMap(({ Metrics }) => Metrics)
    .filter(({ MetricStat }) => MetricStat !== undefined).length;
  const keys = count('AWS::SecretsManager::Secret') * prices.secret + count('AWS::KMS::Key') * prices.key;
  const alarms = alarmMetrics * prices.alarmMetric;
  const dashboards = count('AWS::CloudWatch::Dashboard') * prices.dashboard;
  return { alarmMetrics, keys, alarms, dashboards, total: keys + alarms + dashboards };
}

/** Types that cost nothing without requests, but for what is stored. */
const freeWhenIdle = /^(Custom::.*|AWS::(ApiGatewayV2|DynamoDB|Events|IAM|Lambda|Logs|S3|SNS|SQS)::\w+)$/;
const counted = [
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::KMS::Key',
  'AWS::SecretsManager::Secret',
];

test('an idle stack costs what docs/cost.md says: prod at most $6.50 a month, dev at most $2', async () => {
  const [prod, dev] = [synthesized().document, synthesized({ stage: 'dev' }).document];
  const types = [prod, dev].flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type));
  expect(types.filter((type) => !freeWhenIdle.test(type) && !counted.includes(type))).toEqual([]);

  const [inProd, inDev] = [costsOf(prod), costsOf(dev)];
  expect(inProd.total).toBeLessThanOrEqual(650);
  expect(inDev.total).toBeLessThanOrEqual(200);
  const dollars = (cents: number) => (cents === 0 ? '' : `$${(cents / 100).toFixed(2)} `);
  const row = (name: string, a: number, b: number) => `| ${name} | ${dollars(a)}| ${dollars(b)}|`;
  const page = await readFile(new URL('../../docs/cost.md', import.meta.url), 'utf8');
  const rows = [
    row('Two secrets and a KMS key', inProd.keys, inDev.keys),
    row(`${inProd.alarmMetrics} metrics that alarms compare`, inProd.alarms, inDev.alarms),
    row('The dashboard', inProd.dashboards, inDev.dashboards),
    row('Together', inProd.total, inDev.total),
  ];
  expect(rows.filter((line) => !page.includes(line))).toEqual([]);
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`prod ${(inProd.total / 100).toFixed(2)}, dev ${(inDev.total / 100).toFixed(2)}`);
});
