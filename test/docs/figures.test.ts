import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentMaxAgeSeconds, maximumUploadBytes } from '../../contract/limits.ts';
import { keyCacheSeconds } from '../../lambdas/shared/keys/cache.ts';
import { propagationSeconds } from '../../lambdas/signing-keys/key-set-plan.ts';
import { maximumLiveSecrets } from '../../storage/client.ts';
import { propertiesOf, synthesized } from '../support/synthesized.ts';

/** Sentences of the pages that repeat a figure of the code. Who changes the figure is told which sentences to change. */

const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
];
const inWords = (count: number) => numbers[count] ?? String(count);

const cacheMinutes = inWords(keyCacheSeconds / 60);
const propagationMinutes = propagationSeconds / 60;
const bytes = maximumUploadBytes.toLocaleString('en');
const [queue] = propertiesOf<{ readonly MessageRetentionPeriod: number }>(
  synthesized().document,
  'AWS::SQS::Queue',
);
const queueDays = (queue?.MessageRetentionPeriod ?? 0) / 86_400;

test.each([
  ['README.md', `up to 5 GiB (${bytes} bytes)`],
  ['docs/api.md', `at most 5 GiB: ${bytes} bytes`],
  ['docs/architecture.md', `Read the secrets again, within ${cacheMinutes} minutes`],
  ['docs/architecture.md', `within ${propagationMinutes} minutes`],
  ['docs/architecture.md', `at most ${inWords(maximumLiveSecrets)} live client secrets`],
  ['docs/operations.md', `Functions hold keys for at most ${cacheMinutes} minutes`],
  ['docs/operations.md', `Functions stop using the key within ${cacheMinutes} minutes`],
  ['docs/operations.md', `Two rotations within ${propagationMinutes} minutes`],
  ['docs/operations.md', `it signs ${inWords(propagationMinutes)} minutes later`],
  ['docs/operations.md', `**Within ${queueDays} days.** SQS keeps an event for ${queueDays} days`],
  ['docs/operations.md', `a dead letter is deleted after ${queueDays} days`],
  [
    'docs/resource-servers.md',
    `\`max-age=${documentMaxAgeSeconds}\`, ${inWords(documentMaxAgeSeconds / 60)} minutes`,
  ],
  ['docs/resource-servers.md', `at the earliest ${propagationMinutes} minutes after it was published`],
  ['docs/storage.md', `${propagationMinutes} minutes after it was published`],
])('%s says: %s', async (page, sentence) => {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
  expect(text.replaceAll(/\s+/g, ' ')).toContain(sentence);
});
