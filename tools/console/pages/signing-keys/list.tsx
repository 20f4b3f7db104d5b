import { Hono } from 'hono';
import { type KeyRotation, readKeyRotation } from '../../../operator/key-rotation.ts';
import { listSigningKeys, type SigningKey } from '../../../operator/signing-keys.ts';
import { counted } from '../../../operator/text.ts';
import { Part } from '../../components/detail.tsx';
import { type Column, List } from '../../components/list.tsx';
import { Badge, Id, Text, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';

/** All keys, and when they rotate. */
export const listPages = new Hono<Env>();

const columns: readonly Column<SigningKey>[] = [
  { heading: 'Key ID', cell: ({ kid }) => <Id of={kid} /> },
  {
    heading: 'Status',
    cell: ({ state, signs }) => (
      <span class="badges">
        <Badge tone={state === 'retired' ? 'warning' : 'plain'}>{state}</Badge>
        {signs && <Badge tone="good">signs</Badge>}
      </span>
    ),
  },
  { heading: 'Algorithm', cell: ({ algorithm }) => <Text of={algorithm} /> },
  { heading: 'Since', cell: ({ since }) => <Time of={since} /> },
  { heading: 'May sign from', cell: ({ usable_from }) => <Time of={usable_from} /> },
  { heading: 'Published until', cell: ({ until }) => <Time of={until} /> },
  {
    heading: 'If leaked',
    cell: ({ kid }) => <a href={path('signing-keys', kid, 'revoke')}>Revoke</a>,
  },
];

listPages.get('/', async (c) => {
  const { deployment } = c.var.console;
  const [keys, rotation] = await Promise.all([listSigningKeys(deployment), readKeyRotation(deployment)]);
  return page(
    c,
    { title: 'Signing keys' },
    <>
      <List label="Published signing keys" columns={columns} rows={keys} />
      <Part title="Rotation">
        <Schedule rotation={rotation} />
        <p>
          <a class="button" href="/signing-keys/rotate">
            Rotate the keys now
          </a>
        </p>
      </Part>
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
        <p class="problem">
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
