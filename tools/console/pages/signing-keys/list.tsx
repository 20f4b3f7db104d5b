import { keyWork, signingKeyActions } from '../../../operator/signing-keys/actions.ts';
import { signingKeys } from '../../../operator/signing-keys/fields.ts';
import { listSigningKeys, type SigningKey } from '../../../operator/signing-keys/signing-key.ts';
import { ActionButtons, offered } from '../../components/actions.tsx';
import { entityColumns } from '../../components/entity.tsx';
import { type Column, List } from '../../components/list.tsx';
import type { PageContext } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

/** The fields of each key, and its actions. */
const columnsFor = (c: PageContext): readonly Column<SigningKey>[] => [
  ...entityColumns(signingKeys),
  {
    heading: 'Change',
    cell: (key) => <ActionButtons actions={offered(c, signingKeyActions, key)} id={key.kid} />,
  },
];

/** All keys. The checks of the overview say when the keys rotate. */
export async function listKeys(c: PageContext) {
  const keys = await listSigningKeys(c.var.console.deployment);
  const beside = <ActionButtons actions={keyWork} />;
  return page(
    c,
    { title: 'Signing keys', beside },
    <>
      <List label="Published signing keys" columns={columnsFor(c)} rows={keys} />
      <p>
        <a href="/overview">When the keys rotate: the checks</a>
      </p>
    </>,
  );
}
