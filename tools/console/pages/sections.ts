import type { Hono } from 'hono';
import { clientActions, clientCreation } from '../../operator/clients/actions.ts';
import { getClient } from '../../operator/clients/client.ts';
import { clientList } from '../../operator/clients/list.ts';
import { fileActions, fileCreation } from '../../operator/files/actions.ts';
import { getFile } from '../../operator/files/file.ts';
import { fileList } from '../../operator/files/list.ts';
import { organisationActions } from '../../operator/organisations/actions.ts';
import { getStoredOrganisation } from '../../operator/organisations/organisation.ts';
import { rejections, usage } from '../../operator/requests/count-lists.ts';
import { requestList } from '../../operator/requests/request-list.ts';
import { allKeysActions, signingKeyActions } from '../../operator/signing-keys/actions.ts';
import { getSigningKey } from '../../operator/signing-keys/signing-key.ts';
import { allUploadsActions, uploadActions } from '../../operator/uploads/actions.ts';
import { uploadList } from '../../operator/uploads/list.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { getUpload } from '../../operator/uploads/upload.ts';
import type { Env, PageContext, Section } from '../http/environment.ts';
import { actionPages, showJob } from './action-pages.tsx';
import { showClient, showFile, showOrganisation, showUpload } from './entity-pages.tsx';
import { listPages } from './list-pages.tsx';
import { overview } from './overview/overview.tsx';
import { showRequest } from './requests/show.tsx';
import { searchPage } from './search.tsx';
import { listKeys, listOrganisations } from './short-lists.tsx';
import { sendContent, showGuide, showReference } from './whole-pages.ts';

/**
 * Sections of the console. Sections with a label are in the navigation, in this order. In each section, paths
 * with a word come before paths with an id. Operators choose the ids of files, so an address of all files
 * contains a plus sign, which is not valid in ids.
 */
export const sections: readonly (Section & {
  readonly pages?: readonly Hono<Env>[];
  /** Handlers of single pages, by path. The id is empty for a path without an id. */
  readonly handlers?: Readonly<Record<string, (c: PageContext, id: string) => Response | Promise<Response>>>;
})[] = [
  { path: '/overview', label: 'Overview', pages: [overview] },
  {
    path: '/requests',
    label: 'Requests',
    pages: [listPages({ list: requestList, names: namesFor })],
    handlers: { '/:id': showRequest },
  },
  { path: '/rejections', label: 'Rejections', pages: [listPages({ list: rejections, names: namesFor })] },
  { path: '/usage', label: 'Usage', pages: [listPages({ list: usage, names: namesFor })] },
  {
    path: '/uploads',
    label: 'Uploads',
    pages: [
      listPages({
        list: uploadList,
        actions: allUploadsActions,
        onRows: uploadActions,
        names: namesFor,
        isLive: true,
      }),
      actionPages(uploadActions, getUpload),
    ],
    handlers: { '/:id': showUpload },
  },
  {
    path: '/files',
    label: 'Files',
    pages: [
      listPages({ list: fileList, actions: [fileCreation], onRows: fileActions }),
      actionPages(fileActions, getFile),
    ],
    handlers: { '/:id': showFile, '/:id/content': sendContent },
  },
  {
    path: '/clients',
    label: 'Clients',
    pages: [
      listPages({ list: clientList, actions: [clientCreation], onRows: clientActions }),
      actionPages(clientActions, getClient),
    ],
    handlers: { '/:id': showClient, '/:id/guide': showGuide },
  },
  {
    path: '/organisations',
    label: 'Organisations',
    pages: [actionPages(organisationActions, getStoredOrganisation)],
    handlers: { '': listOrganisations, '/:id': showOrganisation },
  },
  {
    path: '/signing-keys',
    label: 'Keys',
    pages: [actionPages(allKeysActions), actionPages(signingKeyActions, getSigningKey)],
    handlers: { '': listKeys },
  },
  { path: '/reference', label: 'API', handlers: { '': showReference } },
  { path: '/search', handlers: { '': searchPage } },
  { path: '/jobs', handlers: { '/:id': showJob } },
];
