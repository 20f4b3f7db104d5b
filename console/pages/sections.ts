import type { Hono } from 'hono';
import type { Env } from '../http/environment.ts';
import { clients } from './clients/clients.tsx';
import { files } from './files/files.tsx';
import { home } from './home.ts';
import { jobPages } from './jobs.tsx';
import { organisations } from './organisations/organisations.tsx';
import { overview } from './overview/overview.tsx';
import { search } from './search.tsx';
import { signingKeys } from './signing-keys/signing-keys.tsx';
import { uploads } from './uploads/uploads.tsx';

/** The pages of the console: where each part begins. Those with a label are in the navigation, in this order. */
export const sections: readonly {
  readonly path: string;
  readonly label?: string;
  readonly pages: Hono<Env>;
}[] = [
  { path: '/', pages: home },
  { path: '/overview', label: 'Overview', pages: overview },
  { path: '/clients', label: 'Clients', pages: clients },
  { path: '/files', label: 'Files', pages: files },
  { path: '/uploads', label: 'Uploads', pages: uploads },
  { path: '/organisations', pages: organisations },
  { path: '/signing-keys', label: 'Signing keys', pages: signingKeys },
  { path: '/search', pages: search },
  { path: '/jobs', pages: jobPages },
];
