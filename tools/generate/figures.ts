import { Template } from 'aws-cdk-lib/assertions';
import {
  documentMaxAgeSeconds,
  maximumTokenRequestBytes,
  maximumUploadBytes,
} from '../../contract/limits.ts';
import { answerWithinMilliseconds } from '../../lambdas/shared/aws-clients.ts';
import { keyCacheSeconds } from '../../lambdas/shared/keys/cache.ts';
import { propagationSeconds } from '../../lambdas/signing-keys/key-set-plan.ts';
import { createApp } from '../../lib/file-sync-app.ts';
import { lifecycleOf } from '../../lib/lifecycle.ts';
import { type Stage, stages } from '../../lib/settings.ts';
import { maximumLiveSecrets } from '../../storage/client.ts';

/** The table of figures in docs/operations.md, as the template and the code have them. */
export function figuresTable(): string {
  const logDays = (stage: Stage) => `${lifecycleOf(stage).logRetention} days (${stage})`;
  const { stack } = createApp({
    context: { 'aws:cdk:bundling-stacks': [] },
    builtinCloudFormationValidation: false,
  });
  const template = Template.fromStack(stack);
  const propertyOf = (type: string, name: string) =>
    Object.values(template.findResources(type)).map(({ Properties }) => Number(Properties[name]));
  const [queueSeconds = 0] = propertyOf('AWS::SQS::Queue', 'MessageRetentionPeriod');
  const timeouts = propertyOf('AWS::Lambda::Function', 'Timeout');
  const [behindApi, ...inBackground] = [...new Set(timeouts)].sort((a, b) => a - b);
  const rows = {
    'Largest file': `5 GiB (${maximumUploadBytes.toLocaleString('en')} bytes)`,
    'Largest request to the token endpoint': `${maximumTokenRequestBytes.toLocaleString('en')} bytes`,
    'Live secrets of one client': `${maximumLiveSecrets}`,
    'Functions use cached keys for': time(keyCacheSeconds),
    'Clients may cache public documents for': time(documentMaxAgeSeconds),
    'A new key signs at the earliest': `${time(propagationSeconds)} after it was published`,
    'A function answers 500 after': `${answerWithinMilliseconds / 1000} s`,
    'A function is stopped after': `${behindApi} s behind the API, ${inBackground.join(' or ')} s in the background`,
    'Dead letters are kept for': time(queueSeconds),
    'Logs are kept for': stages.map(logDays).join(', '),
  };
  const cells = Object.entries(rows).map(([what, figure]) => `| ${what} | ${figure} |`);
  return ['| What | Figure |', '|---|---|', ...cells].join('\n');
}

/** A length of time in its greatest whole unit: `5 minutes`, `14 days`. */
function time(seconds: number): string {
  const [unit, size] =
    (
      [
        ['day', 86_400],
        ['hour', 3600],
        ['minute', 60],
      ] as const
    ).find(([, length]) => seconds % length === 0) ?? (['second', 1] as const);
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
