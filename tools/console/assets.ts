import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { Env } from './http/environment.ts';

const script = 'text/javascript; charset=utf-8';
const ours = (name: string) => new URL(`./assets/${name}`, import.meta.url);

const files = [
  { name: 'console.css', type: 'text/css; charset=utf-8', path: () => ours('console.css') },
  { name: 'console.js', type: script, path: () => ours('console.js') },
  { name: 'icon.svg', type: 'image/svg+xml', path: () => ours('icon.svg') },
  {
    name: 'htmx.js',
    type: script,
    path: () => createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js'),
  },
];

/** The style sheet, the scripts and the icon. They hold no data, so they need no session. */
export const assets = new Hono<Env>();

assets.use(etag());
for (const { name, type, path } of files) {
  // The browser asks each time whether it still has the right one, so that a new version is used immediately.
  const headers = { 'cache-control': 'no-cache', 'content-type': type };
  assets.get(`/${name}`, async (c) => c.body(await readFile(path()), 200, headers));
}
