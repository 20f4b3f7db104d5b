import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import type { Env } from './http/environment.ts';

const ours = (name: string) => fileURLToPath(new URL(`./assets/${name}`, import.meta.url));

interface Asset {
  readonly type: string;
  readonly path: () => string;
}

const files: Readonly<Record<string, Asset>> = {
  'console.css': { type: 'text/css; charset=utf-8', path: () => ours('console.css') },
  'console.js': { type: 'text/javascript; charset=utf-8', path: () => ours('console.js') },
  'icon.svg': { type: 'image/svg+xml', path: () => ours('icon.svg') },
  'htmx.js': {
    type: 'text/javascript; charset=utf-8',
    path: () => createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js'),
  },
};

/** The style sheet, the scripts and the icon. They hold no data, so they need no session. */
export const assets = new Hono<Env>();

assets.get('/:name', async (c) => {
  const asset = Object.hasOwn(files, c.req.param('name')) ? files[c.req.param('name')] : undefined;
  if (asset === undefined) {
    return c.notFound();
  }
  const body = await readFile(asset.path());
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  // The browser asks each time whether it still has the right one, so that a new version is used immediately.
  const headers = { 'cache-control': 'no-cache', etag: tag, 'content-type': asset.type };
  return c.req.header('if-none-match') === tag ? c.body(null, 304, headers) : c.body(body, 200, headers);
});
