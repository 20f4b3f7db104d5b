import { NextPage } from '../../../../tools/console/http/next-page.tsx';
import type { NextStep } from '../../../../tools/operator/description/next-step.ts';
import { missingIn } from '../support/read-page.ts';
import { render } from '../support/render.ts';

describe('the link to the next step', () => {
  test.for<[NextStep, string, string]>([
    [{ do: 'search', text: 'x y' }, 'Search for it', '/search?q=x+y'],
    [{ do: 'check deployment' }, 'Go to the checks', '/overview'],
    [{ noun: 'signing-key', verb: 'list' }, 'Go to the signing keys', '/signing-keys'],
    [{ noun: 'upload', verb: 'list', answers: { file: 'a' } }, 'Go to the uploads', '/uploads?file=a'],
    [{ noun: 'client', verb: 'show', id: 'a/b' }, 'Go to the client', '/clients/a%2Fb'],
    [{ noun: 'file', verb: 'create' }, 'Create', '/files/+create'],
    [
      { noun: 'file', verb: 'disable-sync', id: 'a', answers: { cancelUploads: 'true' } },
      'Disable sync: cancel uploads',
      '/files/a/disable-sync?cancelUploads=true',
    ],
    [
      { noun: 'client', verb: 'remove-secret', id: 'a', answers: { secretId: 's' } },
      'Remove secret: s',
      '/clients/a/remove-secret?secretId=s',
    ],
  ])('for %j is "%s" to %s', ([step, name, address]) => {
    const link = `role=link[name="${name}"][href="${address}"]`;
    expect(missingIn(render(NextPage, { step }), [link])).toEqual([]);
  });

  test('is absent if no page helps', () => {
    const step = { do: 'start local run', stateDirectory: '.local' } as const;
    expect(render(NextPage, { step })).toBe('');
  });
});
