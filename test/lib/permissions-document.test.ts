import { expect, it } from 'vitest';
import { permissionsDocument } from '../../scripts/documents/permissions.ts';
import { synthesized } from '../support/synthesized.ts';

const page = permissionsDocument(
  synthesized().document,
  synthesized({ gradualDeployment: 'canary' }).document,
);

it('volumes, sync and well-known can neither get nor decrypt the private signing keys', () => {
  for (const name of ['volumes', 'sync', 'well-known']) {
    expect(page).toContain(`| \`${name}\` | no | no | **yes** |`);
  }
});

it('the roles of gradual deployments are in a list of their own, with what they may do', () => {
  const [before = '', gradual = ''] = page.split('## With `gradualDeployment=canary`');
  expect(before).not.toContain('CodeDeploy');
  expect(gradual).toMatch(/\| CodeDeploy \| .*`token` function: .*`lambda:UpdateAlias`/);
  expect(gradual).toContain('| `alias-removal` | Write its log, and nothing else |');
});
