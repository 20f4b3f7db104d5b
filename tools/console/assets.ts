import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { getMimeType } from 'hono/utils/mime';
import type { Env } from './http/environment.ts';

/** Files of this folder and of packages, by their names here. */
const files: Readonly<Record<string, string>> = {
  'console.css': './assets/console.css',
  'console.js': './assets/console.js',
  'charts.js': './assets/charts.js',
  'icon.svg': './assets/icon.svg',
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
};

const { resolve } = createRequire(import.meta.url);

/** Style sheet, scripts and icon. They contain no data, so they require no session. */
export const assets = new Hono<Env>();

assets.use(etag());
for (const [name, file] of Object.entries(files)) {
  // The browser revalidates each file, so it uses a new version immediately.
  const headers = { 'cache-control': 'no-cache', 'content-type': getMimeType(name) ?? '' };
  assets.get(`/${name}`, async (c) => c.body(await readFile(resolve(file)), 200, headers));
}
