import { allKeysActions, signingKeyActions } from '../../operator/signing-keys/actions.ts';
import { signingKeys } from '../../operator/signing-keys/fields.ts';
import { listSigningKeys, type SigningKey } from '../../operator/signing-keys/signing-key.ts';
import { ActionButtons, availableActions } from '../components/actions.tsx';
import { entityColumns } from '../components/entity.tsx';
import { type Column, List } from '../components/list.tsx';
import type { PageContext } from '../http/environment.ts';
import { page } from '../http/respond.tsx';

/** Returns columns for the fields and the actions of each key. */
const columnsFor = (c: PageContext): readonly Column<SigningKey>[] => [
  ...entityColumns(signingKeys),
  {
    heading: 'Actions',
    cell: (key) => <ActionButtons actions={availableActions(c, signingKeyActions, key)} id={key.kid} />,
  },
];

/** All keys. The checks of the overview show the next rotation. */
export async function listKeys(c: PageContext) {
  const keys = await listSigningKeys(c.var.console.deployment);
  const beside = <ActionButtons actions={allKeysActions} />;
  return page(
    c,
    { title: 'Signing keys', beside },
    <>
      <List label="Published signing keys" columns={columnsFor(c)} rows={keys} />
      <p>
        <a href="/overview">Next rotation: see the checks</a>
      </p>
    </>,
  );
}
