import { Template } from 'aws-cdk-lib/assertions';
import { createApp } from '../../lib/file-sync-app.ts';

/** Prices of an unused stack: US cents a month, by the list prices of US East (N. Virginia). */
const prices: Readonly<Record<string, { readonly name: string; readonly cents: number }>> = {
  'AWS::SecretsManager::Secret': { name: 'Secret', cents: 40 },
  'AWS::KMS::Key': { name: 'KMS key', cents: 100 },
  'AWS::CloudWatch::Alarm': { name: 'Metric that an alarm compares', cents: 10 },
  'AWS::CloudWatch::Dashboard': { name: 'Dashboard', cents: 300 },
};

/**
 * US cents. An account gets three dashboards, and ten metrics that alarms compare, free of charge
 * (CloudWatch, "Pricing"). Stage prod uses one dashboard, and more than ten metrics.
 */
const free = 400;

/** Types without charges if there are no requests, except for stored data. */
const freeWhenIdle =
  /^(Custom::.*|AWS::(ApiGatewayV2|DynamoDB|Events|IAM|Lambda|Logs|S3|SNS|SQS)::\w+|AWS::SecretsManager::ResourcePolicy)$/;

interface Resource {
  readonly Type: string;
  readonly Properties?: { readonly Metrics?: readonly { readonly MetricStat?: unknown }[] };
}

/**
 * Returns the table of docs/cost.md: the cost of a stack of each stage in a month without requests, counted
 * from its template.
 *
 * @throws {Error} if a resource of a template is without a price here and is not known to be free
 */
export function idleCostTable(): string {
  const [prod, dev] = [chargedIn('prod'), chargedIn('dev')];
  const rows = Object.entries(prices).map(
    ([type, { name, cents }]) =>
      `| ${name} | ${dollars(cents)} | ${prod.get(type) ?? 0} | ${dev.get(type) ?? 0} |`,
  );
  return `\
| A month without requests | Each | prod | dev (\`monitoring=none\`) |
|---|--:|--:|--:|
${rows.join('\n')}
| Together | | ${dollars(totalOf(prod))} | ${dollars(totalOf(dev))} |
| After AWS's free tier, if nothing else in the account uses it | | ${dollars(totalOf(prod) - free)} | ${dollars(totalOf(dev))} |`;
}

/** Returns the charged quantity of each type in a stack. */
function chargedIn(stage: 'prod' | 'dev'): ReadonlyMap<string, number> {
  // The code of the functions does not affect prices, so it is not bundled.
  const { stack } = createApp({
    context: { stage, 'aws:cdk:bundling-stacks': [] },
    builtinCloudFormationValidation: false,
  });
  const resources: Readonly<Record<string, Resource>> = Template.fromStack(stack).toJSON().Resources;
  const charged = new Map<string, number>();
  for (const { Type, Properties } of Object.values(resources)) {
    if (prices[Type] === undefined && !freeWhenIdle.test(Type)) {
      throw new Error(
        `${Type} has no price: add a price to tools/generate/idle-cost.ts, or add the type to freeWhenIdle.`,
      );
    }
    // An alarm on an expression is charged for each metric of the expression (CloudWatch, "Pricing").
    const metrics = Properties?.Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length;
    charged.set(Type, (charged.get(Type) ?? 0) + (metrics ?? 1));
  }
  return charged;
}

/** Returns US cents a month. */
function totalOf(charged: ReadonlyMap<string, number>): number {
  return Object.entries(prices).reduce((sum, [type, { cents }]) => sum + cents * (charged.get(type) ?? 0), 0);
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
