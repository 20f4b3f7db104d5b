import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { recordItems } from '../../scripts/upgrade/record-items.ts';
import { readRecorded, recordedFiles, releasedFolder } from '../../scripts/upgrade/stored-items.ts';
import { searchForSecrets } from '../support/search-for-secrets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const versions = await readdir(join(root, releasedFolder));

describe('what released versions stored', () => {
  it('is read by this version, with every value', async () => {
    const { findings, versions: read } = await readRecorded(root);
    expect(findings).toEqual([]);
    expect(read.map(({ version }) => version)).toEqual(versions.sort());
    expect(read.length).toBeGreaterThan(0);
  });

  it.each(versions)('holds items of every kind, and no secret: %s', async (version) => {
    const written = await Promise.all(
      recordedFiles.map(async (name) => ({
        name,
        bytes: await readFile(join(root, releasedFolder, version, name)),
      })),
    );
    for (const { name, bytes } of written) {
      expect(Object.keys(JSON.parse(bytes.toString())).length, name).toBeGreaterThan(0);
    }
    // A stand-in for a private key has the shape of one, and says that it is none.
    const texts = written.map(({ name, bytes }) => ({
      name,
      bytes: Buffer.from(bytes.toString().replaceAll(/"\w+-\d+-not-a-key-[-a-z]*"/g, '""')),
    }));
    expect(searchForSecrets([], texts).leaks).toEqual([]);
  });
});

describe('what this version records', () => {
  it('is the same each time, can be read, and holds every state', async () => {
    const [first, second] = [await recordItems(), await recordItems()];
    expect(second).toEqual(first);
    expect(Object.keys(first)).toEqual([...recordedFiles]);
    const text = JSON.stringify(first);
    for (const name of ['ends_at', 'revoked_at', 'content', 'superseded', 'cancelled_at', 'superseded_at']) {
      expect(text).toContain(`"${name}"`);
    }
    for (const name of ['previous', 'signs_from', 'follows', 'usable_from', 'until', 'RS256']) {
      expect(text).toContain(`"${name}"`);
    }
  });
});

describe('items that cannot be read', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-sync-released-'));
    await cp(join(root, releasedFolder, '0.0.0'), join(folder, releasedFolder, '0.0.0'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function findingsAfter(file: string, edit: (text: string) => string) {
    const path = join(folder, releasedFolder, '0.0.0', file);
    const before = await readFile(path, 'utf8');
    const after = edit(before);
    expect(after).not.toBe(before);
    await writeFile(path, after);
    const { findings } = await readRecorded(folder);
    expect(new Set(findings.map(({ subject }) => subject))).toEqual(
      new Set([`${releasedFolder}/0.0.0/${file}`]),
    );
    return findings.map(({ kind, what }) => `${kind}: ${what}`).join('\n');
  }

  test.each([
    [
      'clients.json',
      '"status"',
      '"state"',
      'The stored client is not as expected at: status. Items: active; with two secrets',
    ],
    ['clients.json', '"ends_at"', '"ended"', 'secrets.0.ended is stored, and lost when it is read.'],
    ['files.json', '"sync_enabled"', '"enabled"', 'The stored file is not as expected at: sync_enabled'],
    ['uploads.json', '"superseded_at"', '"replaced_at"', 'replaced_at is stored, and lost when it is read.'],
    ['tombstones.json', 'tombstone=', 'grave=', 'The tags grave=cancelled no longer mark a tombstone.'],
    ['tombstones.json', 'uploads/', 'content/', 'The object key is no longer that of an upload.'],
    ['signing-keys.json', '"next"', '"second"', 'The stored secret with the signing keys is not as expected'],
    ['key-set.json', '"until"', '"expires"', 'expires is stored, and lost when it is read.'],
  ])('are named with what is wrong: %s without %s', async (file, from, to, what) => {
    expect(await findingsAfter(file, (text) => text.replaceAll(from, to))).toContain(what);
  });
});
