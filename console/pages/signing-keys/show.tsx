import { Hono } from 'hono';
import { type KeyRotation, readKeyRotation } from '../../../cli/operations/key-rotation.ts';
import { describeRevocation } from '../../../cli/operations/signing-key-texts.ts';
import { getSigningKey, listSigningKeys, type SigningKey } from '../../../cli/operations/signing-keys.ts';
import { counted } from '../../../cli/text.ts';
import { Details, Live, Part } from '../../components/detail.tsx';
import { type Column, List } from '../../components/list.tsx';
import { useRequest } from '../../components/request.ts';
import { Badge, Id, Sentence, Text, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';
import { Age } from '../shared/age.tsx';

/** All keys, and one. */
export const showPages = new Hono<Env>();

showPages.get('/', async (c) => {
  const { deployment } = c.var.console;
  const [keys, rotation] = await Promise.all([listSigningKeys(deployment), readKeyRotation(deployment)]);
  const shown = <KeysNow keys={keys} rotation={rotation} />;
  return page(
    c,
    { title: 'Signing keys' },
    <>
      {rotation.underWay === undefined ? (
        <div id="keys">{shown}</div>
      ) : (
        <Live id="keys" address="/signing-keys" everySeconds={3}>
          {shown}
        </Live>
      )}
      <p>
        <a href="/signing-keys/revoke-all">Revoke every key that has signed</a>
      </p>
    </>,
  );
});

showPages.get('/:kid', async (c) => {
  const key = await getSigningKey(c.var.console.deployment, c.req.param('kid'));
  return page(
    c,
    { title: 'Signing key' },
    <>
      <Details
        rows={[
          ['Key ID', <Id of={key.kid} copy />],
          ['State', <KeyState keyOf={key} />],
          ['Algorithm', <Text of={key.algorithm} />],
          ['Since', <Since keyOf={key} />],
          ['May sign from', key.usable_from && <Time of={key.usable_from} />],
          ['Published until', key.until && <Time of={key.until} />],
        ]}
      />
      <Part title="If it has leaked">
        <p>
          <Sentence of={describeRevocation(key)} />
        </p>
        <p>
          <a class="button" href={path('signing-keys', key.kid, 'revoke')}>
            Revoke this key
          </a>
        </p>
      </Part>
      <p>
        <a href="/signing-keys">All signing keys</a>
      </p>
    </>,
  );
});

function KeysNow(props: { readonly keys: readonly SigningKey[]; readonly rotation: KeyRotation }) {
  const { keys, rotation } = props;
  return (
    <>
      <List label="Published signing keys" columns={columns} rows={keys} />
      <Part title="Rotation">
        <Schedule rotation={rotation} />
        {rotation.underWay === undefined && (
          <p>
            <a class="button" href="/signing-keys/rotate">
              Rotate the keys now
            </a>
          </p>
        )}
      </Part>
    </>
  );
}

function Schedule({ rotation: { everyDays, next, underWay } }: { readonly rotation: KeyRotation }) {
  return (
    <>
      {underWay !== undefined && (
        <p role="status">
          A rotation is under way{underWay.since !== undefined && ' since '}
          {underWay.since !== undefined && <Time of={underWay.since.toISOString()} />}. Tokens are issued and
          accepted as usual.
        </p>
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

/** What a key does. */
export function KeyState({ keyOf: { state, signs } }: { readonly keyOf: SigningKey }) {
  return (
    <span>
      <Badge tone={state === 'retired' ? 'warning' : 'plain'}>{state}</Badge>{' '}
      {signs && <Badge tone="good">signs</Badge>}
    </span>
  );
}

function Since({ keyOf: { since } }: { readonly keyOf: SigningKey }) {
  return (
    <span>
      <Time of={since} /> <Age since={Date.parse(since)} now={useRequest().now} />
    </span>
  );
}

const columns: readonly Column<SigningKey>[] = [
  {
    heading: 'Key ID',
    cell: ({ kid }) => (
      <a href={path('signing-keys', kid)}>
        <Id of={kid} />
      </a>
    ),
  },
  { heading: 'State', cell: (key) => <KeyState keyOf={key} /> },
  { heading: 'Algorithm', cell: ({ algorithm }) => <Text of={algorithm} /> },
  { heading: 'Since', cell: (key) => <Since keyOf={key} /> },
  { heading: 'Until', cell: ({ until }) => <Time of={until} /> },
  {
    heading: 'If leaked',
    cell: ({ kid }) => <a href={path('signing-keys', kid, 'revoke')}>Revoke</a>,
  },
];
