import { fileFromItem, updateFileName } from '../../../storage/file.ts';
import { changeItem } from '../deployment/items.ts';
import {
  type ActionContext,
  type ActionResult,
  entityAction,
  entityView,
  generalAction,
  type Plan,
} from '../description/action.ts';
import {
  eraseQuestion,
  flagQuestion,
  nameQuestion,
  organisationQuestion,
  textQuestion,
} from '../description/question.ts';
import { whileSuspended } from '../organisations/suspend.ts';
import { durationText, parseGrace, parseInterval, parseNewIdentifier } from '../parse-input.ts';
import { counted, quoted } from '../text.ts';
import { cancelOutstanding } from '../uploads/cancel.ts';
import { countOutstanding, describeUrls } from '../uploads/outstanding.ts';
import { planFileDeletion, undeleteFile } from './deletion.ts';
import { expectedText, files, type ShownFile } from './fields.ts';
import { createFile, getFile, type NewFile, setExpected, setSyncEnabled } from './file.ts';
import { waitForLastIssue } from './last-issue.ts';

const isNotDeleted = ({ deleted_at }: ShownFile) => deleted_at === undefined;

export const fileCreation = generalAction('file', 'create', {
  title: 'Create a file',
  about: 'Create a file for an organisation.',
  example: '--local file create --organisation acme --name orders.csv --id orders --sync-enabled',
  questions: {
    organisation: organisationQuestion,
    name: nameQuestion,
    id: {
      ...textQuestion(
        'File ID',
        'the file id that clients send in requests: 1 to 128 characters of A-Z a-z 0-9 . _ - ~ (default: a random id)',
        (text) => (text === '' ? undefined : parseNewIdentifier(text, 'file')),
        '<file-id>',
      ),
      isRequired: false,
    },
    syncEnabled: flagQuestion('Syncing', 'let clients request upload URLs for the file immediately'),
  },
  run: async ({ deployment }, _, { organisation: organisationId, id: fileId, ...answers }) => {
    // The type rejects a question without an attribute. A spread alone would drop its answer.
    const others: Pick<NewFile, keyof typeof answers> = answers;
    const file = await createFile(deployment, { organisationId, fileId, ...others });
    const message = `The file ${quoted(file.file_id)} was created.`;
    return whileSuspended(file, { message, view: entityView(files, file) });
  },
});

/** Actions on a file, in display order. */
export const fileActions = [
  entityAction(files, 'rename', {
    title: 'Rename the file',
    about: 'Change the display name of a file. Its id, its content and its upload URLs stay as they are.',
    questions: { name: nameQuestion },
    initialValues: ({ name }) => ({ name: [name] }),
    isAvailable: isNotDeleted,
    run: async ({ deployment }, id, { name }) => {
      const { item } = await changeItem(deployment, 'file', id, updateFileName(id, name));
      return { message: 'The file was renamed.', view: entityView(files, fileFromItem(item)) };
    },
  }),

  entityAction(files, 'enable-sync', {
    title: 'Enable syncing',
    titleOfSeveral: 'Enable syncing of files',
    about: 'Let clients request upload URLs for a file.',
    isAvailable: (file) => isNotDeleted(file) && !file.sync_enabled,
    run: async ({ deployment }, id) => {
      const { item, changed } = await setSyncEnabled(deployment, id, true);
      const file = fileFromItem(item);
      return whileSuspended(file, {
        message: changed
          ? 'Syncing is enabled for this file.'
          : `Syncing was already enabled for ${quoted(id)}. Nothing was changed.`,
        view: entityView(files, file),
      });
    },
  }),

  entityAction(files, 'disable-sync', {
    title: 'Disable syncing',
    titleOfSeveral: 'Disable syncing of files',
    about:
      'Stop issuing upload URLs for a file. Upload URLs already issued still work until they expire, unless you cancel ' +
      'them too. A cancelled URL responds with 412. If the action fails or is stopped, repeat it: that is safe.',
    example: '--local file disable-sync orders --cancel-uploads',
    questions: {
      cancelUploads: flagQuestion('Upload URLs', 'cancel every outstanding upload URL of the file as well'),
    },
    isAvailable: isNotDeleted,
    isLong: true,
    plan: async (context, id, { cancelUploads }) =>
      cancelUploads ? planDisableAndCancel(context, id) : { run: (running) => disableSync(running, id) },
  }),

  entityAction(files, 'set-expected', {
    title: 'Watch for content',
    about:
      'Set the interval at which content of a file must arrive. The deadline is the interval and the grace time after the last content. Without content before the deadline, the file is overdue: the stack sends the event File Overdue, once in each interval, and raises an alarm until content arrives. ' +
      'The first interval starts now. While the file is disabled, suspended or deleted, the watch pauses. Afterwards, a new interval starts.',
    example: '--local file set-expected orders --every 24h --grace 2h',
    questions: {
      every: textQuestion(
        'Interval',
        'interval at which content must arrive, such as 24h (15m to 400d), or never to end the watch',
        parseInterval,
        '<time>',
      ),
      grace: textQuestion(
        'Grace time',
        'additional time before the file is overdue, such as 2h (0s to 400d)',
        parseGrace,
        '<time>',
        '1h',
      ),
    },
    initialValues: ({ expected }) =>
      expected === undefined
        ? {}
        : { every: [durationText(expected.every_seconds)], grace: [durationText(expected.grace_seconds)] },
    isAvailable: isNotDeleted,
    run: async ({ deployment }, id, { every, grace }) => {
      const expected = every === undefined ? every : { every_seconds: every, grace_seconds: grace };
      const file = fileFromItem((await setExpected(deployment, id, expected)).item);
      const message =
        expected === undefined ? 'The file is not watched.' : `Content is expected ${expectedText(file)}.`;
      return whileSuspended(file, { message, view: entityView(files, file) });
    },
  }),

  entityAction(files, 'delete', {
    title: 'Delete the file',
    about:
      'Delete a file, its content and its uploads. Clients get 404 for the file immediately. Its outstanding upload URLs ' +
      'are cancelled and then respond with 412. AWS removes the content and the records after the days of the ' +
      'setting supersededRetentionDays. Until then, the file can be undeleted, unless its content is erased. If the deletion fails or is stopped, repeat it: that is safe.',
    questions: { erase: eraseQuestion },
    isRisky: true,
    isLong: true,
    plan: (context, id, { erase }) => planFileDeletion(context, id, erase),
  }),

  entityAction(files, 'undelete', {
    title: 'Undelete the file',
    about:
      'Undo the deletion of a file while its record and its content are kept. The file returns with its id, name, content ' +
      'and uploads. Cancelled upload URLs stay cancelled. If the action fails or is stopped, repeat it: that is safe.',
    isAvailable: ({ deleted_at, erased_at }) => deleted_at !== undefined && erased_at === undefined,
    isLong: true,
    run: undeleteFile,
  }),
];

/** Disables syncing for a file, and reports the number of upload URLs that still work. */
async function disableSync({ deployment }: ActionContext, fileId: string): Promise<ActionResult> {
  const { item, changed } = await setSyncEnabled(deployment, fileId, false);
  const file = fileFromItem(item);
  const uploads = await countOutstanding(deployment, { file: fileId });
  const message = changed
    ? 'Syncing is disabled. Clients get no upload URL for this file from now on.'
    : `Syncing was not enabled for ${quoted(fileId)}. Nothing was changed.`;
  const view = entityView(files, file, { ...file, uploads });
  if (uploads.outstanding === 0) {
    return { message: `${message} No upload URL of this file is outstanding.`, view };
  }
  return {
    message: `${message} Bytes may still arrive through ${counted(uploads.outstanding, 'upload URL')} until ${uploads.until}. A PUT that begins before then may end later.`,
    view,
    next: [{ noun: 'file', verb: 'disable-sync', id: fileId, answers: { cancelUploads: 'true' } }],
  };
}

/**
 * Counts the outstanding upload URLs of a file, and plans to disable syncing and to cancel these URLs. The
 * plan cancels the existing URLs first, then the URLs of sync requests that were in progress. A repeat is
 * safe after a crash at any point.
 *
 * @throws {OperationError} when there is no such file. The plan fails when URLs may still work
 */
async function planDisableAndCancel({ deployment }: ActionContext, fileId: string): Promise<Plan> {
  await getFile(deployment, fileId);
  const selection = { file: fileId };
  const { outstanding } = await countOutstanding(deployment, selection);
  return {
    question:
      `This disables syncing for ${quoted(fileId)} and cancels ${describeUrls(outstanding)}. A cancelled URL responds ` +
      'with 412. Clients get new URLs only after syncing is enabled again.',
    run: async (context) => {
      const file = fileFromItem((await setSyncEnabled(deployment, fileId, false)).item);
      const first = await cancelOutstanding(context, selection);
      // A new name changes `updated_at` too. The wait is then longer than necessary.
      await waitForLastIssue(file.updated_at, context);
      const second = await cancelOutstanding(context, selection);
      const cancelled = first.cancelled + second.cancelled;
      return {
        message: `Syncing is disabled, and ${counted(cancelled, 'upload URL')} cancelled.`,
        view: entityView(files, file, { ...file, uploads: { cancelled } }),
      };
    },
  };
}
