import { Hono } from 'hono';
import { planFileDeletion } from '../../../operator/deletion.ts';
import type { Env } from '../../http/environment.ts';
import { askPage, startDeletion } from '../shared/deletion.tsx';

/** The deletion of a file. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', (c) => askPage(c, 'file', c.req.param('id'), planFileDeletion));

deletePages.post('/:id/delete', (c) => startDeletion(c, 'file', c.req.param('id'), planFileDeletion));
