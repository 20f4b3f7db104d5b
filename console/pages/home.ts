import { Hono } from 'hono';
import type { Env } from '../http/environment.ts';

/** The first page. */
export const home = new Hono<Env>();

home.get('/', (c) => c.redirect('/overview', 303));
