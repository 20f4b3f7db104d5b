import { Hono } from 'hono';
import type { Env } from '../../http/environment.ts';
import { changePages } from './change.tsx';
import { createPages } from './create.tsx';
import { deletePages } from './delete.tsx';
import { listPages } from './list.tsx';
import { secretPages } from './secrets.tsx';
import { showPages } from './show.tsx';

/** The pages of clients. Those with a name of their own come before those of one client. */
export const clients = new Hono<Env>();

for (const pages of [listPages, createPages, changePages, secretPages, deletePages, showPages]) {
  clients.route('/', pages);
}
