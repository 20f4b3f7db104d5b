import { expect, it } from 'vitest';
import { synthesized } from '../support/synthesized.ts';
import { permissionsDocument } from './permissions-document.ts';

const page = permissionsDocument(synthesized().document);

it('docs/permissions.md says what the template allows', async () => {
  await expect(page).toMatchFileSnapshot('../../docs/permissions.md');
});

it('volumes, sync and well-known can neither get nor decrypt the private signing keys', () => {
  for (const name of ['volumes', 'sync', 'well-known']) {
    expect(page).toContain(`| \`${name}\` | no | no | **yes** |`);
  }
});
