import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { awsFacts } from './facts.ts';
import { renderFacts } from './render.ts';

/** The facts of docs/aws-facts.md: each has an id of its own, a basis, and a test that exists. */

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');

it('have an id of their own, in words that a report can quote', () => {
  const ids = awsFacts.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(id))).toEqual([]);
});

const held = awsFacts.flatMap(({ id, heldBy }) => (heldBy === undefined ? [] : [{ id, ...heldBy }]));

it.each(held)('$id is held by a test that exists', async ({ file, title }) => {
  const source = (await read(file)).replaceAll("\\'", "'");
  const titles = [...source.matchAll(/\b(?:it|test)(?:\.\w+)?\(\s*(['"`])(.+?)\1,/g)].map(
    (match) => match[2] ?? '',
  );
  const ofTables = [...source.matchAll(/\)\(\s*(['"`])(.+?)\1,/g)].map((match) => match[2] ?? '');
  expect([...titles, ...ofTables].filter((known) => known.includes(title))).not.toEqual([]);
});

it('name the date of a recording, and an address of Amazon for a page', () => {
  for (const { id, basis } of awsFacts) {
    if (basis.kind === 'recording') {
      expect([id, basis.recorded]).toEqual([id, expect.stringMatching(/^20\d\d-[01]\d-[0-3]\d$/)]);
      expect([id, basis.test]).toEqual([id, expect.stringMatching(/^[\w/]+\.py::[\w:[\].-]+$/)]);
    }
    if (basis.kind === 'page') {
      expect([id, basis.url]).toEqual([id, expect.stringMatching(/^https:\/\/docs\.aws\.amazon\.com\/\S+$/)]);
    }
  }
});

it('say why they do not matter when they rest on nothing', () => {
  const harmless = awsFacts.flatMap(({ basis }) => (basis.kind === 'nothing' ? [basis.harmless] : []));
  expect(harmless.filter((reason) => reason.split(' ').length < 4)).toEqual([]);
});

it('are what docs/aws-facts.md shows', async () => {
  const isCurrent = (await read('docs/aws-facts.md')) === renderFacts(awsFacts);
  expect(isCurrent, 'stale: run npm run generate').toBe(true);
});
