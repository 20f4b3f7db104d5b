import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTarget, targetEnvironment } from '../../support/contract-target.ts';
import { chooseTarget, type RunOptions } from './choose-target.ts';

const credentials = { FILE_SYNC_CLIENT_ID: 'client_1', FILE_SYNC_CLIENT_SECRET: 'secret' };

function choose(options: Partial<RunOptions>, environment: NodeJS.ProcessEnv = {}) {
  return chooseTarget({ state: '.local', ...options }, environment);
}

describe('the deployment that the contract suite tests', () => {
  it('is a local run of its own when nothing is given', () => {
    expect(choose({})).toEqual({ ok: true, target: { kind: 'own-run' } });
  });

  it('is not taken from the variables of the upload command', () => {
    expect(readTarget({ ...credentials, FILE_SYNC_BASE_URL: 'https://api.example.com' })).toEqual({
      kind: 'own-run',
    });
  });

  it('is the local run of a state folder', () => {
    const target = { kind: 'local', stateDirectory: resolve('other') };
    expect(choose({ local: true, state: 'other' })).toEqual({ ok: true, target });
  });

  it('is a stack, at an address of its own when one is given', () => {
    expect(choose({ stack: 'file-sync-dev', baseUrl: 'https://api.example.com/' })).toEqual({
      ok: true,
      target: { kind: 'stack', name: 'file-sync-dev', baseUrl: 'https://api.example.com' },
    });
  });

  it('is what a person gives, with what is missing left out', () => {
    const environment = { ...credentials, FILE_SYNC_READER_CLIENT_ID: 'without its secret' };
    expect(choose({ baseUrl: 'https://api.example.com', file: 'orders' }, environment)).toEqual({
      ok: true,
      target: {
        kind: 'given',
        baseUrl: 'https://api.example.com',
        fixtures: { client: { clientId: 'client_1', clientSecret: 'secret' }, file: 'orders' },
      },
    });
  });

  it.each([
    ['two deployments', { local: true, stack: 'file-sync-dev' }, '--local and --stack'],
    ['an address that is none', { baseUrl: 'api.example.com' }, '--base-url api.example.com'],
    ['an address of another kind', { baseUrl: 'ftp://api.example.com' }, '--base-url ftp'],
    ['an address without credentials', { baseUrl: 'https://api.example.com' }, 'FILE_SYNC_CLIENT_ID'],
  ])('is refused with a sentence for %s', (_, options, sentence) => {
    expect(choose(options)).toEqual({ ok: false, problem: expect.stringContaining(sentence) });
  });

  it('reaches the test runner whole', () => {
    const target = { kind: 'stack', name: 'file-sync-dev' } as const;
    expect(readTarget({ ...targetEnvironment(target) })).toEqual(target);
  });
});
