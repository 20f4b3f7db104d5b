import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { getMimeType } from 'hono/utils/mime';
import type { Env } from './http/environment.ts';

const names = ['console.css', 'console.js', 'icon.svg', 'htmx.js'];

function fileOf(name: string): URL | string {
  return name === 'htmx.js'
    ? createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')
    : new URL(`./assets/${name}`, import.meta.url);
}

/** Style sheet, scripts and icon. They contain no data, so they require no session. */
export const assets = new Hono<Env>();

assets.use(etag());
for (const name of names) {
  // The browser revalidates each file, so it uses a new version immediately.
  const headers = { 'cache-control': 'no-cache', 'content-type': getMimeType(name) ?? '' };
  assets.get(`/${name}`, async (c) => c.body(await readFile(fileOf(name)), 200, headers));
}
