import {
  documentMaxAgeSeconds,
  maximumTokenRequestBytes,
  maximumUploadBytes,
} from '../../contract/limits.ts';
import { answerWithinMilliseconds } from '../../lambdas/shared/aws-clients.ts';
import { keyCacheSeconds } from '../../lambdas/shared/cache.ts';
import { propagationSeconds } from '../../lambdas/signing-keys/key-set-plan.ts';
import { type Stage, stages } from '../../lib/configuration.ts';
import { lifecycleOf } from '../../lib/lifecycle.ts';
import { maximumLiveSecrets } from '../../storage/client.ts';
import { propertiesOf, type TemplateDocument } from '../../test/support/synthesized.ts';
import { alarmCosts, alarmsTable, time } from './alarms-table.ts';
import { withBlock } from './blocks.ts';
import { metricsTable } from './metrics-table.ts';

/** docs/operations.md with the metrics, the alarms and the figures as the template and the code have them. */
export function operationsPage(page: string, template: TemplateDocument): string {
  const blocks = {
    metrics: metricsTable(),
    alarms: alarmsTable(),
    'alarm-costs': alarmCosts(template),
    figures: figuresTable(template).join('\n'),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => withBlock(text, name, block), page);
}

function figuresTable(template: TemplateDocument): readonly string[] {
  const logDays = (stage: Stage) => `${lifecycleOf(stage).logRetention} days (${stage})`;
  const [queue] = propertiesOf<{ readonly MessageRetentionPeriod: number }>(template, 'AWS::SQS::Queue');
  const timeouts = propertiesOf<{ readonly Timeout: number }>(template, 'AWS::Lambda::Function');
  const [behindApi, ...inBackground] = [...new Set(timeouts.map(({ Timeout }) => Timeout))].sort(
    (a, b) => a - b,
  );
  const rows = {
    'Largest file': `5 GiB (${maximumUploadBytes.toLocaleString('en')} bytes)`,
    'Largest request to the token endpoint': `${maximumTokenRequestBytes.toLocaleString('en')} bytes`,
    'Live secrets of one client': `${maximumLiveSecrets}`,
    'Functions use cached keys for': time(keyCacheSeconds),
    'Clients may cache public documents for': time(documentMaxAgeSeconds),
    'A new key signs at the earliest': `${time(propagationSeconds)} after it was published`,
    'A function answers 500 after': `${answerWithinMilliseconds / 1000} s`,
    'A function is stopped after': `${behindApi} s behind the API, ${inBackground.join(' or ')} s in the background`,
    'Dead letters are kept for': time(queue?.MessageRetentionPeriod ?? 0),
    'Logs are kept for': stages.map(logDays).join(', '),
  };
  const cells = Object.entries(rows).map(([what, figure]) => `| ${what} | ${figure} |`);
  return ['| What | Figure |', '|---|---|', ...cells];
}
