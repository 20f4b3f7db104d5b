import { entityAction } from '../description/action.ts';
import { eraseQuestion, flagQuestion } from '../description/question.ts';
import { quoted } from '../text.ts';
import { planOrganisationDeletion } from './delete.ts';
import { organisations } from './fields.ts';
import type { Organisation } from './organisation.ts';
import { issuedUrlsWork, resumeOrganisation, suspendOrganisation } from './suspend.ts';
import { undeleteOrganisation } from './undelete.ts';

const isLive = ({ deleted_at }: Organisation) => deleted_at === undefined;

/** Actions on an organisation. */
export const organisationActions = [
  entityAction(organisations, 'suspend', {
    title: 'Suspend the organisation',
    about:
      'Stop all clients and files of an organisation for a while. Clients get no tokens, and sync requests get 409. ' +
      'Upload URLs already issued work until they expire, unless you cancel them too. New clients and files are ' +
      'suspended as well. If the action fails or is stopped, repeat it: that is safe.',
    example: '--local organisation suspend acme --cancel-uploads',
    questions: {
      cancelUploads: flagQuestion(
        'Upload URLs',
        'cancel every outstanding upload URL of the organisation as well',
      ),
    },
    isAvailable: isLive,
    isRisky: true,
    isLong: true,
    plan: async (_, id, { cancelUploads }) => ({
      question: `This suspends the organisation ${quoted(id)}. Its clients get no tokens, and 409 for its files. ${cancelUploads ? 'Its upload URLs are cancelled.' : issuedUrlsWork}`,
      run: (context) => suspendOrganisation(context, id, cancelUploads),
    }),
  }),

  entityAction(organisations, 'resume', {
    title: 'Resume the organisation',
    about:
      'Undo a suspension. Clients that were revoked, and files whose syncing was disabled, stay so. Cancelled upload URLs ' +
      'stay cancelled. If the action fails or is stopped, repeat it: that is safe.',
    isAvailable: isLive,
    isLong: true,
    run: resumeOrganisation,
  }),

  entityAction(organisations, 'delete', {
    title: 'Delete the organisation',
    about:
      'Delete every client and every file of an organisation. Its clients first get 404 for every file, and then no ' +
      'tokens. Outstanding upload URLs are cancelled. Until AWS removes the records, the organisation can be undeleted, unless its content is erased. If the deletion fails or is ' +
      'stopped, repeat it: that is safe.',
    questions: { erase: eraseQuestion },
    isRisky: true,
    isLong: true,
    isTyped: true,
    plan: (context, id, { erase }) => planOrganisationDeletion(context, id, erase),
  }),

  entityAction(organisations, 'undelete', {
    title: 'Undelete the organisation',
    about:
      'Undo the deletion of an organisation while its records and its content are kept. The clients and files that it ' +
      'deleted return with their ids, names, scopes and content. Secrets do not return: add one to each client. ' +
      'Cancelled upload URLs stay cancelled. If the action fails or is stopped, repeat it: that is safe.',
    isAvailable: ({ deleted_at, erased_at }) => deleted_at !== undefined && erased_at === undefined,
    isLong: true,
    run: undeleteOrganisation,
  }),
];
