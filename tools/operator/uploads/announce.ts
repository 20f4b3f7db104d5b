import * as v from 'valibot';
import { invokeFunction } from '../deployment/invoke-function.ts';
import { generalAction } from '../description/action.ts';
import { OperationError } from '../errors.ts';
import { counted } from '../text.ts';
import { findNamed, uploadQuestions } from './named.ts';
import { lastEvent } from './timeline.ts';

/** Schema of the response of the function (lambdas/reconcile-uploads/announce-again.ts). */
const reportSchema = v.object({ announced: v.number() });

export const announceAction = generalAction('upload', 'announce', {
  title: 'Send events again',
  about:
    'Send the last events of uploads again, for a consumer that did not get them. The event_id stays the same. Every ' +
    'consumer of the bus gets the events, so it must accept repeated events. Repeating this is safe.',
  example: '--local upload announce --file orders --since 2h',
  isLong: true,
  questions: uploadQuestions,
  plan: async (context, _, named) => {
    if (Object.values(named).every((answer) => answer === undefined)) {
      throw new OperationError('Name an upload, or choose uploads by their file or time.');
    }
    const batches = await findNamed(context, named, (upload) => lastEvent(upload) !== undefined);
    const events = counted(batches.flat().length, 'event');
    return {
      question:
        named.upload === undefined
          ? `This sends ${events} again. A consumer that stores the event_id ignores the events that it knows.`
          : undefined,
      run: async ({ deployment, progress }) => {
        let sent = 0;
        for (const uploads of batches) {
          progress(`Sending: ${sent} of ${events}.`);
          const event = { action: 'announce', uploads };
          // One batch after the other: the rate stays far below the quota of PutEvents.
          const { result, problem } = await invokeFunction(
            deployment,
            'ReconcileUploadsFunctionName',
            event,
            reportSchema,
          );
          if (result === undefined) {
            throw new OperationError(
              `${problem} Sent before: ${sent} of ${events}. Send all again: that is safe.`,
            );
          }
          sent += result.announced;
        }
        return {
          message: `${sent} of ${events} sent again. An upload of a deleted file has no event to send.`,
          view: { json: { announced: sent } },
        };
      },
    };
  },
});
