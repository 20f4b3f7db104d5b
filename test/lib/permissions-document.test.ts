import { expect, it } from 'vitest';
import { permissionsDocument } from '../../tools/generate/permissions.ts';
import { synthesized } from '../support/synthesized.ts';

const page = permissionsDocument(synthesized().document);

it('volumes, sync and well-known can neither get nor decrypt the private signing keys', () => {
  for (const name of ['volumes', 'sync', 'well-known']) {
    expect(page).toContain(`| \`${name}\` | no | no | **yes** |`);
  }
});
