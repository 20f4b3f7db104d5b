import type { Hono } from 'hono';
import type { Env, Section } from '../http/environment.ts';
import { changePages as changeClient } from './clients/change.tsx';
import { createPages as createClient } from './clients/create.tsx';
import { deletePages as deleteClient } from './clients/delete.tsx';
import { clientList } from './clients/list.tsx';
import { secretPages } from './clients/secrets.tsx';
import { showPages as showClient } from './clients/show.tsx';
import { changePages as changeFile } from './files/change.tsx';
import { contentPages } from './files/content.ts';
import { createPages as createFile } from './files/create.tsx';
import { deletePages as deleteFile } from './files/delete.tsx';
import { fileList } from './files/list.tsx';
import { showPages as showFile } from './files/show.tsx';
import { jobPages } from './jobs.tsx';
import { deletePages as deleteOrganisation } from './organisations/delete.tsx';
import { organisationList } from './organisations/list.tsx';
import { showPages as showOrganisation } from './organisations/show.tsx';
import { overview } from './overview/overview.tsx';
import { searchPages } from './search.tsx';
import { listPages as listKeys } from './signing-keys/list.tsx';
import { cancelPages } from './uploads/cancel.tsx';
import { uploadList } from './uploads/list.tsx';
import { showPages as showUpload } from './uploads/show.tsx';

/**
 * The pages of the console: where each part begins. Those with a label are in the navigation, in this order. In each part,
 * paths with a word come before those with an id. Operators choose the ids of files, so the pages of no file have a plus
 * sign in their address, which no id has.
 */
export const sections: readonly (Partial<Section> & {
  readonly path: string;
  readonly pages: readonly Hono<Env>[];
})[] = [
  { path: '/overview', label: 'Overview', pages: [overview] },
  { path: '/uploads', label: 'Uploads', pages: [uploadList, cancelPages, showUpload] },
  {
    path: '/files',
    label: 'Files',
    pages: [fileList, createFile, changeFile, contentPages, deleteFile, showFile],
  },
  {
    path: '/clients',
    label: 'Clients',
    pages: [clientList, createClient, changeClient, secretPages, deleteClient, showClient],
  },
  {
    path: '/organisations',
    label: 'Organisations',
    pages: [organisationList, deleteOrganisation, showOrganisation],
  },
  { path: '/signing-keys', label: 'Keys', pages: [listKeys] },
  { path: '/search', label: 'Search', class: 'phone-only', pages: [searchPages] },
  { path: '/jobs', pages: [jobPages] },
];
