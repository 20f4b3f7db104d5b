import { entityAction, entityView, generalAction } from '../description/action.ts';
import { optionalQuestion } from '../description/question.ts';
import { InvalidInput, OperationError } from '../errors.ts';
import { readAll } from '../lists/read.ts';
import { parseTime } from '../parse-input.ts';
import { counted } from '../text.ts';
import { cancelUpload } from './cancel.ts';
import { uploads } from './fields.ts';
import { isOutstanding, outstandingUploads } from './outstanding.ts';
import { foundBy, reconcileAll, requestsFor, uploadQuestions } from './reconcile.ts';
import { replayUploads } from './replay.ts';
import { uploadSource } from './upload.ts';

export const announceAction = generalAction('upload', 'announce', {
  title: 'Send events again',
  about:
    'Send the last events of uploads again, under the same event_id. Every consumer of the bus gets them. Repeating ' +
    'this is safe.',
  example: '--local upload announce --file orders --since 2h',
  isLong: true,
  questions: {
    ...uploadQuestions,
    since: optionalQuestion('Since', 'only uploads with a URL issued since this time: 2h', '<time>'),
  },
  plan: async ({ deployment }, _, { since, ...named }) => {
    const isOne = named.upload !== undefined;
    if (isOne === ((named.file ?? since) !== undefined)) {
      throw new InvalidInput('Name one upload, or choose uploads by their file or time.');
    }
    const from = since && parseTime(since, '--since')(deployment.now());
    const list = readAll(deployment, uploadSource(deployment, { file: named.file, since: from }));
    return {
      question: isOne ? undefined : 'This sends the events of all chosen uploads to every consumer again.',
      run: async (context) => {
        const requests = requestsFor(deployment, named, list, true);
        const total = await reconcileAll(context, requests);
        return {
          message: `${counted(total.announced, 'event')} sent again. Uploads of deleted files, and uploads that are not recorded yet, have none.`,
          view: { json: total },
        };
      },
    };
  },
});

/** Actions on an upload. */
export const uploadActions = [
  entityAction(uploads, 'cancel', {
    title: 'Cancel the upload URL',
    titleOfSeveral: 'Cancel upload URLs',
    about:
      'Cancel an unused upload URL. The URL then responds with 412. This cannot be undone: the client must request a new URL. ' +
      'A URL that expired less than a day ago can be cancelled too: a PUT that is still in progress then gets 412 at its end. Other uploads are rejected with an error.',
    isAvailable: (upload, now) => upload.stored_at === undefined && isOutstanding(upload, now),
    isRisky: true,
    run: async ({ deployment }, id) => ({
      message: 'The upload URL was cancelled. It responds with 412.',
      view: entityView(uploads, await cancelUpload(deployment, id)),
    }),
  }),
];

export const reconcileAction = generalAction('upload', 'reconcile', {
  title: 'Check due uploads now',
  about:
    'Record uploads whose events were lost. The service checks every due upload: it records content that arrived ' +
    'without an event, marks unused upload URLs, and deletes replaced content. The service does so every five ' +
    'minutes. This action does so immediately, and reports the result. It checks named uploads before they are due. Repeating it is safe.',
  isLong: true,
  questions: uploadQuestions,
  run: async (context, _, named) => {
    const { deployment } = context;
    const isNamed = (named.upload ?? named.file) !== undefined;
    const list = outstandingUploads(deployment, { file: named.file });
    const requests = isNamed ? requestsFor(deployment, named, list, false) : undefined;
    const total = await reconcileAll(context, requests);
    const { failed, unfinished } = total;
    return {
      message: `${foundBy(total)}.${unfinished ? ' Some due uploads were not checked: the service continues every five minutes.' : ''}`,
      view: { json: total },
      ...(failed > 0 && {
        failure: new OperationError(
          `${counted(failed, 'upload')} could not be checked, and will be checked again in an hour. Read the log of the reconcile-uploads function, and fix the cause.`,
        ),
      }),
    };
  },
});

/** Actions on all uploads. They are safe to repeat. */
export const allUploadsActions = [
  generalAction('upload', 'replay', {
    title: 'Replay the dead letters',
    about:
      'Send every event in the dead-letter queue to the record-upload function again. Recorded events leave the queue. ' +
      'Failed events stay in the queue, and the action ends with an error. Fix the cause first. Repeating this is safe.',
    isLong: true,
    run: async (context) => {
      const { replayed, failed } = await replayUploads(context);
      return {
        message: `${counted(replayed, 'event')} replayed, ${failed} failed. Events of an interrupted run return to the queue after three minutes.`,
        view: { json: { replayed, failed } },
        ...(failed > 0 && {
          failure: new OperationError(
            `${counted(failed, 'event')} could not be recorded and stayed in the queue. Read the log of the record-upload function, fix the cause and replay the events again.`,
            { noun: 'upload', verb: 'replay' },
          ),
        }),
      };
    },
  }),

  reconcileAction,
  announceAction,
];
