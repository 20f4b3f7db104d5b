import { Hono } from 'hono';
import type { Env } from '../../http/environment.ts';
import { revokePages } from './revoke.tsx';
import { rotatePages } from './rotate.tsx';
import { showPages } from './show.tsx';

/** The signing keys: what each does, and what changes them. */
export const signingKeys = new Hono<Env>();

// The paths with a word come before those with the id of a key.
for (const pages of [rotatePages, revokePages, showPages]) {
  signingKeys.route('/', pages);
}
