import { Hono } from 'hono';
import { operations } from '../../operator/operations.ts';
import { requestCounts } from '../../operator/requests/count-requests.ts';
import { entityAddress } from '../http/addresses.ts';
import type { Env, PageContext } from '../http/environment.ts';
import { addActionPages } from './action-pages.tsx';
import { showClient, showFile, showOrganisation, showUpload } from './entity-pages.tsx';
import { listPage } from './list-pages.tsx';
import { overview } from './overview/overview.tsx';
import { showRequest } from './requests/show.tsx';
import { searchPage } from './search.tsx';
import { sendContent, showGuide, showReference } from './whole-pages.ts';

/**
 * Handlers of single pages, by path. The id is empty for a path without an id. A path with a word comes before a path
 * with an id.
 */
const handlers: Readonly<Record<string, (c: PageContext, id: string) => Response | Promise<Response>>> = {
  '/requests/count': listPage(requestCounts),
  '/requests/:id': showRequest,
  '/uploads/:id': showUpload,
  '/files/:id': showFile,
  '/files/:id/content': sendContent,
  '/clients/:id': showClient,
  '/clients/:id/guide': showGuide,
  '/organisations/:id': showOrganisation,
  '/reference': showReference,
  '/search': searchPage,
};

/** Pages of the console: the overview, the list and the actions of each noun, and single pages. */
export const pages = new Hono<Env>();

pages.route('/overview', overview);
for (const ofNoun of Object.values(operations)) {
  const [list] = ofNoun.lists;
  pages.get(entityAddress(list.entity.noun), listPage(list, ofNoun));
  addActionPages(pages, ofNoun);
}
for (const [path, show] of Object.entries(handlers)) {
  pages.get(path, (c) => show(c, c.req.param('id') ?? ''));
}
