import { describe, expect, test } from 'vitest';
import { NextPage } from '../../../../tools/console/http/next-page.tsx';
import type { NextStep } from '../../../../tools/operator/description/next-step.ts';
import { render } from '../support/render.ts';

describe('the link to what helps next', () => {
  test.for<[NextStep, string]>([
    [{ do: 'search', text: 'x y' }, '<a href="/search?q=x+y">Search for it</a>'],
    [{ do: 'check deployment' }, '<a href="/overview">Go to the checks</a>'],
    [{ do: 'start local run', stateDirectory: '.local' }, ''],
    [{ noun: 'signing-key', verb: 'list' }, '<a href="/signing-keys">Go to the signing keys</a>'],
    [
      { noun: 'upload', verb: 'list', answers: { file: 'a' } },
      '<a href="/uploads?file=a">Go to the uploads</a>',
    ],
    [{ noun: 'client', verb: 'show', id: 'a/b' }, '<a href="/clients/a%2Fb">Go to the client</a>'],
    [{ noun: 'file', verb: 'create' }, '<a href="/files/+create">Create</a>'],
    [
      { noun: 'file', verb: 'disable-sync', id: 'a', answers: { cancelUploads: 'true' } },
      '<a href="/files/a/disable-sync?cancelUploads=true">Disable sync: cancel uploads</a>',
    ],
    [
      { noun: 'client', verb: 'remove-secret', id: 'a', answers: { secretId: 's' } },
      '<a href="/clients/a/remove-secret?secretId=s">Remove secret: s</a>',
    ],
  ])('%j is %s', ([step, expected]) => {
    expect(render(NextPage, { step })).toBe(expected);
  });
});
