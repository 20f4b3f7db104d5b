import type { Hono } from 'hono';
import { clientActions, createsClient } from '../../operator/clients/actions.ts';
import { getClient } from '../../operator/clients/client.ts';
import { clientList } from '../../operator/clients/list.ts';
import { createsFile, fileActions } from '../../operator/files/actions.ts';
import { getFile } from '../../operator/files/file.ts';
import { fileList } from '../../operator/files/list.ts';
import { organisationActions } from '../../operator/organisations/actions.ts';
import { getOrganisation } from '../../operator/organisations/organisation.ts';
import { rejections, usage } from '../../operator/requests/count-lists.ts';
import { keyWork, signingKeyActions } from '../../operator/signing-keys/actions.ts';
import { getSigningKey } from '../../operator/signing-keys/signing-key.ts';
import { uploadActions, uploadWork } from '../../operator/uploads/actions.ts';
import { uploadList } from '../../operator/uploads/list.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { getUpload } from '../../operator/uploads/upload.ts';
import type { Env, PageContext, Section } from '../http/environment.ts';
import { actionPages } from './action-pages.tsx';
import { showClient } from './clients/show.tsx';
import { sendContent } from './files/content.ts';
import { showFile } from './files/show.tsx';
import { showJob } from './jobs.tsx';
import { listPages } from './list-pages.tsx';
import { listOrganisations } from './organisations/list.tsx';
import { showOrganisation } from './organisations/show.tsx';
import { overview } from './overview/overview.tsx';
import { showRequest } from './requests/show.tsx';
import { searchPage } from './search.tsx';
import { listKeys } from './signing-keys/list.tsx';
import { showUpload } from './uploads/show.tsx';

/**
 * Sections of the console. Sections with a label are in the navigation, in this order. In each section, paths
 * with a word come before paths with an id. Operators choose the ids of files, so an address of all files
 * contains a plus sign, which is not valid in ids.
 */
export const sections: readonly (Section & {
  readonly pages?: readonly Hono<Env>[];
  /** Handlers of single pages, by path. The id is empty for a path without an id. */
  readonly shows?: Readonly<Record<string, (c: PageContext, id: string) => Response | Promise<Response>>>;
})[] = [
  { path: '/overview', label: 'Overview', pages: [overview] },
  {
    path: '/uploads',
    label: 'Uploads',
    pages: [
      listPages({
        list: uploadList,
        actions: uploadWork,
        names: namesFor,
        isLive: true,
      }),
      actionPages(uploadActions, getUpload),
    ],
    shows: { '/:id': showUpload },
  },
  {
    path: '/files',
    label: 'Files',
    pages: [listPages({ list: fileList, actions: [createsFile] }), actionPages(fileActions, getFile)],
    shows: { '/:id': showFile, '/:id/content': sendContent },
  },
  {
    path: '/clients',
    label: 'Clients',
    pages: [listPages({ list: clientList, actions: [createsClient] }), actionPages(clientActions, getClient)],
    shows: { '/:id': showClient },
  },
  {
    path: '/organisations',
    label: 'Organisations',
    pages: [actionPages(organisationActions, getOrganisation)],
    shows: { '': listOrganisations, '/:id': showOrganisation },
  },
  {
    path: '/signing-keys',
    label: 'Keys',
    pages: [actionPages(keyWork), actionPages(signingKeyActions, getSigningKey)],
    shows: { '': listKeys },
  },
  { path: '/rejections', pages: [listPages({ list: rejections, names: namesFor })] },
  { path: '/usage', pages: [listPages({ list: usage, names: namesFor })] },
  { path: '/requests', shows: { '/:id': showRequest } },
  { path: '/search', shows: { '': searchPage } },
  { path: '/jobs', shows: { '/:id': showJob } },
];
