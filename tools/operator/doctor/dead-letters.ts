import { countDeadLetters } from '../dead-letters.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { counted } from '../text.ts';
import { failed, type Outcome, ok } from './finding.ts';

/** Whether events of uploads wait in the dead-letter queue. */
export async function checkDeadLetters(deployment: Deployment): Promise<Outcome> {
  const { waiting, received } = await countDeadLetters(deployment);
  const total = waiting + received;
  if (total === 0) {
    return ok('none');
  }
  return failed(
    `${counted(total, 'upload event')} could not be recorded: the bytes are stored, but the uploads are not completed.`,
    'Read the log of the record-upload function and fix the cause. Then replay the events.',
    { do: 'replay uploads' },
  );
}
