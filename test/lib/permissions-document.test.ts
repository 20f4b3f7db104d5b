import { expect, it } from 'vitest';
import { synthesized } from '../support/synthesized.ts';
import { permissionsDocument } from './permissions-document.ts';

const page = permissionsDocument(synthesized().document);

it('volumes, sync and well-known can neither get nor decrypt the private signing keys', () => {
  for (const name of ['volumes', 'sync', 'well-known']) {
    expect(page).toContain(`| \`${name}\` | no | no | **yes** |`);
  }
});

it('is docs/generated/permissions.md, or else run npm run generate', async () => {
  await expect(page).toMatchFileSnapshot('../../docs/generated/permissions.md');
});
