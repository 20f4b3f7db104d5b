import { Hono } from 'hono';
import { type KeyRotation, readKeyRotation } from '../../../operator/signing-keys/rotation.ts';
import { listSigningKeys, type SigningKey } from '../../../operator/signing-keys/signing-key.ts';
import { counted } from '../../../operator/text.ts';
import { type Column, List } from '../../components/list.tsx';
import { Id, Tag, Text, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

/** All keys, and when they rotate. */
export const listPages = new Hono<Env>();

const columns: readonly Column<SigningKey>[] = [
  {
    heading: 'State',
    cell: ({ state, signs }) => (
      <span>
        <Tag tone={state === 'current' ? 'good' : state === 'next' ? 'info' : 'plain'}>{state}</Tag>{' '}
        {signs && <Tag tone="good">signs</Tag>}
      </span>
    ),
  },
  { heading: 'Key ID', cell: ({ kid }) => <Id of={kid} short copy /> },
  { heading: 'Algorithm', class: 'wide-only', cell: ({ algorithm }) => <Text of={algorithm} /> },
  { heading: 'Since', class: 'wide-only', cell: ({ since }) => <Time of={since} /> },
  { heading: 'May sign from', class: 'wide-only', cell: ({ usable_from }) => <Time of={usable_from} /> },
  { heading: 'Published until', class: 'wide-only', cell: ({ until }) => <Time of={until} /> },
];

listPages.get('/', async (c) => {
  const { deployment } = c.var.console;
  const [keys, rotation] = await Promise.all([listSigningKeys(deployment), readKeyRotation(deployment)]);
  return page(
    c,
    { title: 'Signing keys' },
    <>
      <List label="Published signing keys" columns={columns} rows={keys} />
      <section class="stack">
        <h2>Rotation</h2>
        <Schedule rotation={rotation} />
        <p class="muted">
          The command <code>signing-key rotate</code> rotates them now, and{' '}
          <code>signing-key revoke KEY_ID</code> revokes one that has leaked.
        </p>
      </section>
    </>,
  );
});

function Schedule({ rotation: { everyDays, next, underWay } }: { readonly rotation: KeyRotation }) {
  return (
    <>
      {underWay !== undefined && (
        <p role="status">A rotation is under way. Tokens are issued and accepted as usual.</p>
      )}
      {everyDays === undefined ? (
        <p class="note bad">
          The keys do not rotate by themselves: there is no schedule. The next rotation that you start sets
          it.
        </p>
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
