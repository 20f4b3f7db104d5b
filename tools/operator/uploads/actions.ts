import { onAll, one, onOne } from '../description/action.ts';
import { OperationError } from '../errors.ts';
import { counted, printable, quoted } from '../text.ts';
import { cancelUpload, requireUnused } from './cancel.ts';
import { uploads } from './fields.ts';
import { reconcileUploads } from './reconcile.ts';
import { replayUploads } from './replay.ts';
import { getUpload } from './upload.ts';

/** Everything that can be done to an upload. */
export const uploadActions = [
  onOne(uploads, 'cancel', {
    title: 'Cancel the upload',
    about:
      'Cancel an upload URL that was not used yet. The URL then answers 412. An expired URL can be cancelled too: a PUT ' +
      'that began in time may still be under way, and then gets 412 at its end. If the upload is already completed or ' +
      'cancelled, nothing changes, and the command fails.',
    isOffered: ({ state }) => state === 'issued' || state === 'expired',
    isRisky: true,
    warns: async (deployment, id) => {
      const upload = await getUpload(deployment, id);
      requireUnused(upload);
      const { client_id, file_id, state, expires_at } = upload;
      return (
        `This cancels the upload URL that was issued to the client ${quoted(client_id)} for the file ${quoted(file_id)}, and ` +
        `${state === 'expired' ? 'expired' : 'expires'} ${expires_at}. A PUT to it then gets 412, also one that is under ` +
        'way. This cannot be undone: the client has to ask for a new URL. If the content has arrived already, nothing is changed.'
      );
    },
    does: async ({ deployment }, id) => ({
      says: 'The upload was cancelled. Its URL answers 412.',
      shows: one(uploads, await cancelUpload(deployment, id)),
    }),
  }),
];

/** What can be done for all uploads. Both are safe to repeat. */
export const uploadWork = [
  onAll('upload', 'replay', {
    title: 'Replay the dead letters',
    about:
      'Send every event in the dead-letter queue to the record-upload function again. Recorded events leave the queue. If ' +
      'an event fails, it stays in the queue and the command fails. Run it after the cause is fixed. You can repeat it safely.',
    isLong: true,
    does: async ({ deployment, note }) => {
      const { replayed, failed } = await replayUploads(deployment, ({ message_id, reason }) =>
        note(`${printable(message_id)} failed: ${printable(reason)}`),
      );
      const failure = new OperationError(
        'failed',
        `${counted(failed, 'event')} could not be recorded and stayed in the queue. ` +
          'Read the log of the record-upload function, fix the cause and replay again.',
        { noun: 'upload', verb: 'replay' },
      );
      return {
        says: `${counted(replayed, 'event')} replayed, ${failed} failed.`,
        shows: { json: { replayed, failed } },
        ...(failed > 0 && { failure }),
      };
    },
  }),

  onAll('upload', 'reconcile', {
    title: 'Look at due uploads now',
    about:
      'Record uploads whose events were lost. It looks at every upload that is due: what arrived in the bucket without an ' +
      'event is recorded, what nobody used is marked, and replaced content is deleted. The service does so by itself every ' +
      'five minutes: this runs it now, and says what it found. You can repeat it safely.',
    isLong: true,
    does: async ({ deployment }) => {
      const report = await reconcileUploads(deployment);
      const { recorded, expired, failed, unfinished } = report;
      const failure = new OperationError(
        'failed',
        `${counted(failed, 'upload')} could not be looked at, and will be looked at again in an hour. ` +
          'Read the log of the reconcile-uploads function, and fix the cause.',
      );
      return {
        says:
          `${counted(recorded, 'upload')} recorded, ${expired} found unused.` +
          `${unfinished ? ' Not all that is due was looked at: the next run goes on.' : ''}`,
        shows: { json: report },
        ...(failed > 0 && { failure }),
      };
    },
  }),
];
