import { Hono } from 'hono';
import type { Env } from '../../http/environment.ts';
import { operationPages } from './operation.tsx';
import { overviewPages } from './reference.tsx';
import { uploadPages } from './upload.tsx';

/** The API's reference, and requests to a local run. */
export const tryPages = new Hono<Env>();

// The paths with a word come before those with the id of an operation.
for (const pages of [overviewPages, uploadPages, operationPages]) {
  tryPages.route('/', pages);
}
