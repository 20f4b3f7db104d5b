import { Hono } from 'hono';
import type { Env } from '../../http/environment.ts';
import { cancelPages } from './cancel.tsx';
import { listPages } from './list.tsx';
import { replayPages } from './replay.tsx';
import { showPages } from './show.tsx';

/** The pages of uploads. Those with a name of their own come before those of one upload: ids of uploads are UUIDs. */
export const uploads = new Hono<Env>();

for (const pages of [listPages, replayPages, cancelPages, showPages]) {
  uploads.route('/', pages);
}
