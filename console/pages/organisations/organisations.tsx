import { Hono } from 'hono';
import type { Env } from '../../http/environment.ts';
import { deletePages } from './delete.tsx';
import { showPages } from './show.tsx';

/** The pages of organisations. An organisation has no record of its own: it is what clients and files name. */
export const organisations = new Hono<Env>();

for (const pages of [deletePages, showPages]) {
  organisations.route('/', pages);
}
