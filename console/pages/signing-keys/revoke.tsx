import { Hono } from 'hono';
import { UsageError } from '../../../cli/errors.ts';
import { revokeSigningKey, revokeSigningKeys } from '../../../cli/operations/revoke-signing-key.ts';
import {
  describeRevocation,
  describeRevoked,
  revokeAllNote,
} from '../../../cli/operations/signing-key-texts.ts';
import { getSigningKey, keysThatSigned, type SigningKey } from '../../../cli/operations/signing-keys.ts';
import { counted, quoted } from '../../../cli/text.ts';
import { Consequences } from '../../components/detail.tsx';
import { Form } from '../../components/form.tsx';
import { Id, Sentence } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { readForm } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';

/** The revocation of keys that have leaked. */
export const revokePages = new Hono<Env>();

const allAddress = '/signing-keys/revoke-all';
const cancel = '/signing-keys';

revokePages.get('/revoke-all', async (c) => {
  const keys = await keysThatSigned(c.var.console.deployment);
  return page(
    c,
    { title: 'Revoke every key that has signed' },
    <Form
      action={allAddress}
      label={`Revoke ${counted(keys.length, 'key')}`}
      danger
      cancel={cancel}
      fields={{ shown: shownOf(keys) }}
    >
      <Consequences>
        <p>{revokeAllNote} This cannot be undone.</p>
        <ul>
          {keys.map(({ kid, state }) => (
            <li>
              <Id of={kid} /> ({state})
            </li>
          ))}
        </ul>
      </Consequences>
    </Form>,
  );
});

revokePages.post('/revoke-all', async (c) => {
  const { deployment } = c.var.console;
  const keys = await keysThatSigned(deployment);
  await requireShown(c, keys);
  const job = c.var.session.jobs.start(
    { title: 'Revoking every key that has signed', back: cancel },
    async () => (await revokeSigningKeys(deployment, keys)).flatMap(describeRevoked),
  );
  return c.redirect(path('jobs', job.id), 303);
});

revokePages.get('/:kid/revoke', async (c) => {
  const key = await getSigningKey(c.var.console.deployment, c.req.param('kid'));
  return page(
    c,
    { title: 'Revoke a signing key' },
    <Form
      action={path('signing-keys', key.kid, 'revoke')}
      label="Revoke the key"
      danger
      cancel={cancel}
      fields={{ shown: shownOf([key]) }}
    >
      <Consequences>
        <p>
          <Sentence of={describeRevocation(key)} />
        </p>
        <p>
          Whoever verifies tokens refuses those of this key within minutes, as soon as they have read the key
          set again. This cannot be undone.
        </p>
      </Consequences>
    </Form>,
  );
});

revokePages.post('/:kid/revoke', async (c) => {
  const { deployment } = c.var.console;
  const key = await getSigningKey(deployment, c.req.param('kid'));
  await requireShown(c, [key]);
  const { kid } = key;
  const job = c.var.session.jobs.start({ title: `Revoking the key ${quoted(kid)}`, back: cancel }, async () =>
    describeRevoked(await revokeSigningKey(deployment, kid)),
  );
  return c.redirect(path('jobs', job.id), 303);
});

/** What the confirmation said of the keys: which they are, and what they do. */
function shownOf(keys: readonly SigningKey[]): string {
  return keys.map(({ kid, state, signs }) => `${kid} ${state} ${signs}`).join(', ');
}

/** @throws {UsageError} when a rotation or somebody else has changed the keys since the confirmation was shown */
async function requireShown(c: PageContext, keys: readonly SigningKey[]): Promise<void> {
  const { shown } = await readForm(c);
  if (shown?.[0] !== shownOf(keys)) {
    throw new UsageError(
      'The keys have changed since the confirmation was shown, so it may no longer be true. Nothing was revoked. ' +
        'Look at the signing keys again.',
    );
  }
}
