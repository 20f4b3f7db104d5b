import { Hono } from 'hono';
import type { Env } from '../../http/environment.ts';
import { contentPages } from './content.ts';
import { createPages } from './create.tsx';
import { deletePages } from './delete.tsx';
import { listPages } from './list.tsx';
import { namePages } from './name.tsx';
import { showPages } from './show.tsx';
import { syncPages } from './sync.tsx';

/**
 * The pages of files. Operators choose the ids of files, so pages that belong to no file have an address that no id can
 * have: it begins with a plus sign.
 */
export const files = new Hono<Env>();

for (const pages of [listPages, createPages, namePages, syncPages, contentPages, deletePages, showPages]) {
  files.route('/', pages);
}
