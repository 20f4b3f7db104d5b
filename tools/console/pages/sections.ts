import type { Hono } from 'hono';
import { clientActions, createsClient } from '../../operator/clients/actions.ts';
import { getClient } from '../../operator/clients/client.ts';
import { clientList } from '../../operator/clients/list.ts';
import { createsFile, fileActions } from '../../operator/files/actions.ts';
import { getFile } from '../../operator/files/file.ts';
import { fileList } from '../../operator/files/list.ts';
import { organisationActions } from '../../operator/organisations/actions.ts';
import { getOrganisation } from '../../operator/organisations/organisation.ts';
import { keyWork, signingKeyActions } from '../../operator/signing-keys/actions.ts';
import { getSigningKey } from '../../operator/signing-keys/signing-key.ts';
import { uploadActions, uploadWork } from '../../operator/uploads/actions.ts';
import { uploadList } from '../../operator/uploads/list.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { getUpload } from '../../operator/uploads/upload.ts';
import type { Env, Section } from '../http/environment.ts';
import { actionPages } from './action-pages.tsx';
import { newSecretPages } from './clients/new-secret.tsx';
import { showPages as showClient } from './clients/show.tsx';
import { contentPages } from './files/content.ts';
import { showPages as showFile } from './files/show.tsx';
import { jobPages } from './jobs.tsx';
import { listPages } from './list-pages.tsx';
import { organisationList } from './organisations/list.tsx';
import { showPages as showOrganisation } from './organisations/show.tsx';
import { overview } from './overview/overview.tsx';
import { searchPages } from './search.tsx';
import { listPages as listKeys } from './signing-keys/list.tsx';
import { showPages as showUpload } from './uploads/show.tsx';

/**
 * The pages of the console: where each part begins. Sections with a label are in the navigation, in this order. In each
 * section, paths with a word come before paths with an id. Operators choose the ids of files, so an address of all files
 * has a plus sign, which no id has.
 */
export const sections: readonly (Partial<Section> & {
  readonly path: string;
  readonly pages: readonly Hono<Env>[];
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
        help: 'A time is 2026-01-31T12:00 as this page shows times, or 2h or 7d before now.',
        isLive: true,
      }),
      actionPages(uploadWork),
      actionPages(uploadActions, getUpload),
      showUpload,
    ],
  },
  {
    path: '/files',
    label: 'Files',
    pages: [
      listPages({ list: fileList, actions: [createsFile] }),
      actionPages([createsFile]),
      contentPages,
      actionPages(fileActions, getFile),
      showFile,
    ],
  },
  {
    path: '/clients',
    label: 'Clients',
    pages: [
      listPages({ list: clientList, actions: [createsClient] }),
      actionPages([createsClient]),
      newSecretPages,
      actionPages(clientActions, getClient),
      showClient,
    ],
  },
  {
    path: '/organisations',
    label: 'Organisations',
    pages: [organisationList, actionPages(organisationActions, getOrganisation), showOrganisation],
  },
  {
    path: '/signing-keys',
    label: 'Keys',
    pages: [listKeys, actionPages(keyWork), actionPages(signingKeyActions, getSigningKey)],
  },
  { path: '/search', label: 'Search', class: 'phone-only', pages: [searchPages] },
  { path: '/jobs', pages: [jobPages] },
];
