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
import { propertiesOf, resourcesOf, type TemplateDocument } from '../../test/support/synthesized.ts';
import { withBlock } from './blocks.ts';
import { metricsTable } from './metrics-table.ts';

/** docs/operations.md with the metrics, the alarms and the figures as the template and the code have them. */
export function operationsPage(page: string, template: TemplateDocument): string {
  const blocks = {
    metrics: metricsTable(),
    alarms: alarmsTable(template),
    figures: figuresTable(template).join('\n'),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => withBlock(text, name, block), page);
}

interface Alarm {
  readonly Threshold: number;
  readonly Period: number;
}

/** What the table says of an alarm besides its figures. */
const alarms: Readonly<
  Record<string, { readonly counts: string; readonly means: string; readonly todo: string }>
> = {
  UploadsNotRecorded: {
    counts: 'Events in the dead-letter queue',
    means:
      'Uploads arrived and could not be recorded. Their bytes are in the bucket, but the uploads are not `completed` ' +
      'and their files do not point at the new content',
    todo:
      'Find the cause in the log of `record-upload` (message `Upload could not be recorded`), fix it, then replay ' +
      '[in time](#events-that-were-not-recorded)',
  },
  SecondVersions: {
    counts: 'Second versions of uploads',
    means: 'S3 accepted a second PUT to an upload URL. The first is and stays the content',
    todo: '[Remove the second version](#a-second-version-of-an-upload) before the first is deleted',
  },
  ServerErrors: {
    counts: '5xx answers',
    means: 'The API fails',
    todo: 'Look in the functions\' logs for `"level":"ERROR"`',
  },
};

function alarmsTable(template: TemplateDocument): string {
  const rows = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => {
    const name = Object.keys(alarms).find((known) => id.startsWith(`Alarms${known}`));
    const words = alarms[name ?? ''];
    if (words === undefined) {
      throw new Error(`the alarm ${id} has no words in scripts/documents/operations.ts`);
    }
    const { Threshold, Period } = Properties as unknown as Alarm;
    const raised = `${words.counts}: more than ${Threshold} within ${time(Period)}`;
    return `| \`${name}\` | ${raised} | ${words.means} | ${words.todo} |`;
  });
  return ['| Alarm | Raised by | What happened | What to do |', '|---|---|---|---|', ...rows].join('\n');
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

/** A length of time in its greatest whole unit: `5 minutes`, `14 days`. */
export function time(seconds: number): string {
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
