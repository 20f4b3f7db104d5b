import { Hono } from 'hono';
import { planClientDeletion } from '../../../operator/deletion.ts';
import type { Env } from '../../http/environment.ts';
import { askPage, startDeletion } from '../shared/deletion.tsx';

/** The deletion of a client. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', (c) => askPage(c, 'client', c.req.param('id'), planClientDeletion));

deletePages.post('/:id/delete', (c) => startDeletion(c, 'client', c.req.param('id'), planClientDeletion));
