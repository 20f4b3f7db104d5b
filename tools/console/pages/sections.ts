import type { Hono } from 'hono';
import type { Noun } from '../../operator/description/noun.ts';
import { operations } from '../../operator/operations.ts';
import { requestCounts } from '../../operator/requests/count-requests.ts';
import { capitalised } from '../../operator/text.ts';
import type { Env, PageContext, Section } from '../http/environment.ts';
import { actionPages, showJob } from './action-pages.tsx';
import { showClient, showFile, showOrganisation, showUpload } from './entity-pages.tsx';
import { listPages } from './list-pages.tsx';
import { overview } from './overview/overview.tsx';
import { showRequest } from './requests/show.tsx';
import { searchPage } from './search.tsx';
import { sendContent, showGuide, showReference } from './whole-pages.ts';

/** Handlers of single pages, by path. The id is empty for a path without an id. */
type Handlers = Readonly<Record<string, (c: PageContext, id: string) => Response | Promise<Response>>>;

interface SectionPages extends Section {
  readonly pages?: readonly Hono<Env>[];
  readonly handlers?: Handlers;
}

/**
 * Creates the section of a noun: the list of all entities, and the pages of the actions.
 *
 * @param handlers pages of one entity
 */
function sectionOf(noun: Noun, handlers: Handlers = {}): SectionPages {
  const plural = `${noun}s`;
  const { lists, actions, find } = operations[noun];
  return {
    path: `/${plural}`,
    label: capitalised(plural),
    pages: [listPages(lists[0], operations[noun]), actionPages(actions, find)],
    handlers,
  };
}

/**
 * Sections of the console. Sections with a label are in the navigation, in this order. In each section, paths
 * with a word come before paths with an id. Operators choose the ids of files, so an address of all files
 * contains a plus sign, which is not valid in ids.
 */
export const sections: readonly SectionPages[] = [
  { path: '/overview', label: 'Overview', pages: [overview] },
  sectionOf('request'),
  { path: '/requests/count', label: 'Counts', pages: [listPages(requestCounts)] },
  { path: '/requests', handlers: { '/:id': showRequest } },
  sectionOf('upload', { '/:id': showUpload }),
  sectionOf('file', { '/:id': showFile, '/:id/content': sendContent }),
  sectionOf('client', { '/:id': showClient, '/:id/guide': showGuide }),
  sectionOf('organisation', { '/:id': showOrganisation }),
  { ...sectionOf('signing-key'), label: 'Keys' },
  { path: '/reference', label: 'API', handlers: { '': showReference } },
  { path: '/search', handlers: { '': searchPage } },
  { path: '/jobs', handlers: { '/:id': showJob } },
];
