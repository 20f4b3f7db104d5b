import { generalAction } from '../description/action.ts';
import { optionalQuestion } from '../description/question.ts';
import { InvalidInput } from '../errors.ts';
import { readAll } from '../lists/read.ts';
import { parseTime } from '../parse-input.ts';
import { counted } from '../text.ts';
import { reconcileUntilDone, requestsFor, uploadQuestions } from './reconcile.ts';
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
        const total = await reconcileUntilDone(context, requests);
        return {
          message: `${counted(total.announced, 'event')} sent again. An upload of a deleted file has none.`,
          view: { json: total },
        };
      },
    };
  },
});
