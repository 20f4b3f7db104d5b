import { clientActions, clientCreation } from './clients/actions.ts';
import { getClient } from './clients/client.ts';
import { clientList } from './clients/list.ts';
import type { Deployment } from './deployment/deployment.ts';
import type { Action } from './description/action.ts';
import type { Noun } from './description/noun.ts';
import { fileActions, fileCreation } from './files/actions.ts';
import { getFile } from './files/file.ts';
import { fileList } from './files/list.ts';
import type { EntityList } from './lists/list.ts';
import { organisationActions } from './organisations/actions.ts';
import { organisationList } from './organisations/list.ts';
import { getStoredOrganisation } from './organisations/organisation.ts';
import { requestCounts } from './requests/count-requests.ts';
import { requestList } from './requests/request-list.ts';
import { allKeysActions, signingKeyActions } from './signing-keys/actions.ts';
import { signingKeyList } from './signing-keys/list.ts';
import { getSigningKey } from './signing-keys/signing-key.ts';
import { allUploadsActions, uploadActions } from './uploads/actions.ts';
import { uploadList } from './uploads/list.ts';
import { getUpload } from './uploads/upload.ts';

/** Lists and actions of a noun. The admin commands and the sections of the console are created from them. */
export interface Operations {
  /** Summary of the commands. */
  readonly summary: string;
  /** The first is the list of all entities. */
  readonly lists: readonly [EntityList, ...EntityList[]];
  /** Actions that are not on one entity. */
  readonly general: readonly Action[];
  /** Actions of other nouns that the console shows above the list. Default: none. */
  readonly first?: readonly Action[];
  /** Actions on one entity. */
  readonly actions: readonly Action[];
  /** Reads an entity for its actions. @throws {OperationError} when there is no entity with this id */
  readonly find?: (deployment: Deployment, id: string) => Promise<object>;
}

/** First actions in an empty deployment. A new client or file creates its organisation. */
export const firstActions = [fileCreation, clientCreation];

export const operations: Readonly<Record<Noun, Operations>> = {
  client: {
    summary: 'manage client applications and their secrets',
    lists: [clientList],
    general: [clientCreation],
    actions: clientActions,
    find: getClient,
  },
  file: {
    summary: 'manage the files that clients sync into',
    lists: [fileList],
    general: [fileCreation],
    actions: fileActions,
    find: getFile,
  },
  organisation: {
    summary: 'list, show, suspend, delete and undelete organisations',
    lists: [organisationList],
    general: [],
    first: firstActions,
    actions: organisationActions,
    find: getStoredOrganisation,
  },
  upload: {
    summary: 'show uploads, cancel upload URLs and record lost uploads',
    lists: [uploadList],
    general: allUploadsActions,
    actions: uploadActions,
    find: getUpload,
  },
  request: {
    summary: 'list and count requests, and explain one',
    lists: [requestList, requestCounts],
    general: [],
    actions: [],
  },
  'signing-key': {
    summary: 'manage the keys that sign access tokens',
    lists: [signingKeyList],
    general: allKeysActions,
    actions: signingKeyActions,
    find: getSigningKey,
  },
};
