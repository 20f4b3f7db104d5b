import { keyWork, signingKeyActions } from '../../../operator/signing-keys/actions.ts';
import { signingKeys } from '../../../operator/signing-keys/fields.ts';
import { type KeyRotation, readKeyRotation } from '../../../operator/signing-keys/rotation.ts';
import { listSigningKeys, type SigningKey } from '../../../operator/signing-keys/signing-key.ts';
import { counted } from '../../../operator/text.ts';
import { ActionButtons, offered } from '../../components/actions.tsx';
import { Notes } from '../../components/detail.tsx';
import { entityColumns } from '../../components/entity.tsx';
import { type Column, List } from '../../components/list.tsx';
import { Time } from '../../components/text.tsx';
import type { PageContext } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

/** The fields of each key, and its actions. */
const columns: readonly Column<SigningKey>[] = [
  ...entityColumns(signingKeys),
  {
    heading: 'Change',
    cell: (key) => <ActionButtons actions={offered(signingKeyActions, key)} id={key.kid} />,
  },
];

/** All keys, and when they rotate. */
export async function listKeys(c: PageContext) {
  const { deployment } = c.var.console;
  const [keys, rotation] = await Promise.all([listSigningKeys(deployment), readKeyRotation(deployment)]);
  const beside = <ActionButtons actions={keyWork} />;
  return page(
    c,
    { title: 'Signing keys', beside },
    <>
      <List label="Published signing keys" columns={columns} rows={keys} />
      <section class="stack">
        <h2>Rotation</h2>
        <Schedule rotation={rotation} />
      </section>
    </>,
  );
}

function Schedule({ rotation: { everyDays, next, underWay } }: { readonly rotation: KeyRotation }) {
  return (
    <>
      {underWay !== undefined && (
        <p role="status">A rotation is under way. Tokens are issued and accepted as usual.</p>
      )}
      {everyDays === undefined ? (
        <Notes
          of={[
            'The keys do not rotate by themselves: there is no schedule. To set the schedule, rotate the key.',
          ]}
        />
      ) : (
        <p>
          The keys rotate by themselves every {counted(everyDays, 'day')}
          {next !== undefined && ', the next time on '}
          {next !== undefined && <Time of={next.toISOString()} />}.
        </p>
      )}
    </>
  );
}
