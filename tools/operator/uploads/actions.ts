import { entityAction, entityView, generalAction } from '../description/action.ts';
import { OperationError } from '../errors.ts';
import { counted } from '../text.ts';
import { cancelUpload } from './cancel.ts';
import { uploads } from './fields.ts';
import { isOutstanding } from './outstanding.ts';
import { foundBy, reconcileUntilDone } from './reconcile.ts';
import { replayUploads } from './replay.ts';

/** Actions on an upload. */
export const uploadActions = [
  entityAction(uploads, 'cancel', {
    title: 'Cancel the upload URL',
    about:
      'Cancel an upload URL that was not used yet. The URL then responds with 412. This cannot be undone: the client has to ask for a new URL. For a day, an expired URL can be cancelled too: a PUT ' +
      'that began in time may still be under way, and then gets 412 at its end. An upload that is already completed or ' +
      'cancelled, or expired a day ago, cannot be cancelled: an error says so, and nothing changes.',
    isAvailable: isOutstanding,
    isRisky: true,
    run: async ({ deployment }, id) => ({
      message: 'The upload URL was cancelled. It responds with 412.',
      view: entityView(uploads, await cancelUpload(deployment, id)),
    }),
  }),
];

/** Actions on all uploads. Both are safe to repeat. */
export const allUploadsActions = [
  generalAction('upload', 'replay', {
    title: 'Replay the dead letters',
    about:
      'Send every event in the dead-letter queue to the record-upload function again. Recorded events leave the queue. ' +
      'Failed events stay in the queue, and an error says so. Fix the cause before you replay. Repeating this is safe.',
    isLong: true,
    run: async (context) => {
      const { replayed, failed } = await replayUploads(context);
      return {
        message: `${counted(replayed, 'event')} replayed, ${failed} failed. Events that a stopped run was sending come back after three minutes.`,
        view: { json: { replayed, failed } },
        ...(failed > 0 && {
          failure: new OperationError(
            `${counted(failed, 'event')} could not be recorded and stayed in the queue. ` +
              'Read the log of the record-upload function, fix the cause and replay the events again.',
            { noun: 'upload', verb: 'replay' },
          ),
        }),
      };
    },
  }),

  generalAction('upload', 'reconcile', {
    title: 'Look at due uploads now',
    about:
      'Record uploads whose events were lost. The service looks at every upload that is due: it records content that ' +
      'arrived without an event, marks upload URLs that nobody used, and deletes replaced content. The service does so ' +
      'every five minutes. This action does so now, and says what was found. Repeating it is safe.',
    isLong: true,
    run: async (context) => {
      const total = await reconcileUntilDone(context);
      const { failed, unfinished, runs } = total;
      return {
        message:
          `${foundBy(total)}, in ${counted(runs, 'run')}.` +
          `${unfinished ? ' Some uploads that are due were not looked at: the next run looks at them.' : ''}`,
        view: { json: total },
        ...(failed > 0 && {
          failure: new OperationError(
            `${counted(failed, 'upload')} could not be looked at, and will be looked at again in an hour. ` +
              'Read the log of the reconcile-uploads function, and fix the cause.',
          ),
        }),
      };
    },
  }),
];
