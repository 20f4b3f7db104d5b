import { Hono } from 'hono';
import { getFile, renameFile } from '../../../cli/operations/files.ts';
import type { Env } from '../../http/environment.ts';
import { renamePages } from '../shared/rename.tsx';
import { contentPages } from './content.ts';
import { createPages } from './create.tsx';
import { deletePages } from './delete.tsx';
import { listPages } from './list.tsx';
import { showPages } from './show.tsx';
import { syncPages } from './sync.tsx';

const namePages = renamePages({
  noun: 'file',
  section: 'files',
  help: 'Its id, its content and its upload URLs stay as they are.',
  get: getFile,
  rename: renameFile,
});

/**
 * The pages of files. Operators choose the ids of files, so pages that belong to no file have an address that no id can
 * have: it begins with a plus sign.
 */
export const files = new Hono<Env>();

for (const pages of [listPages, createPages, namePages, syncPages, contentPages, deletePages, showPages]) {
  files.route('/', pages);
}
