import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { getMimeType } from 'hono/utils/mime';
import type { Env } from './http/environment.ts';

/** Assets of packages, by their names here. */
const packaged: Readonly<Record<string, string>> = {
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
};

const names = ['console.css', 'console.js', 'charts.js', 'icon.svg', ...Object.keys(packaged)];

function fileOf(name: string): URL | string {
  const source = packaged[name];
  return source === undefined
    ? new URL(`./assets/${name}`, import.meta.url)
    : createRequire(import.meta.url).resolve(source);
}

/** Style sheet, scripts and icon. They contain no data, so they require no session. */
export const assets = new Hono<Env>();

assets.use(etag());
for (const name of names) {
  // The browser revalidates each file, so it uses a new version immediately.
  const headers = { 'cache-control': 'no-cache', 'content-type': getMimeType(name) ?? '' };
  assets.get(`/${name}`, async (c) => c.body(await readFile(fileOf(name)), 200, headers));
}
