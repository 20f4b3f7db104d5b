import { Hono } from 'hono';
import { UsageError } from '../../../operator/errors.ts';
import { revokeSigningKey, revokeSigningKeys } from '../../../operator/revoke-signing-key.ts';
import {
  describeRevocation,
  describeRevoked,
  revokeAllNote,
  rotationNote,
} from '../../../operator/signing-key-texts.ts';
import {
  getSigningKey,
  keysThatSigned,
  rotateSigningKey,
  type SigningKey,
} from '../../../operator/signing-keys.ts';
import { counted, quoted } from '../../../operator/text.ts';
import { Id, Sentence } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { readForm } from '../../http/form.ts';
import { startJob } from '../../http/jobs.ts';
import { confirmPage } from '../../http/respond.tsx';

/** The rotation of the keys, and the revocation of those that have leaked. */
export const changePages = new Hono<Env>();

const back = '/signing-keys';

changePages.get('/rotate', (c) =>
  confirmPage(
    c,
    { title: 'Rotate the signing keys', label: 'Rotate the keys', back },
    <>
      <p>This starts signing with the next key, and creates another next key. {rotationNote}</p>
      <p>A rotation cannot be undone. No token becomes invalid, and clients need not do anything.</p>
    </>,
  ),
);

changePages.post('/rotate', (c) => {
  const { deployment } = c.var.console;
  return startJob(c, { title: 'Rotating the signing keys', back }, async (report) => {
    report('Secrets Manager has the keys rotated. That takes seconds, and at most 90 of them.');
    const keys = await rotateSigningKey(deployment);
    return keys.map(
      ({ kid, state, signs, since }) =>
        `${quoted(kid)} is the ${state} key${signs ? ' and signs' : ''}, since ${since}.`,
    );
  });
});

changePages.get('/revoke-all', async (c) => {
  const keys = await keysThatSigned(c.var.console.deployment);
  return confirmPage(
    c,
    {
      title: 'Revoke every key that has signed',
      label: `Revoke ${counted(keys.length, 'key')}`,
      danger: true,
      back,
      fields: { shown: shownOf(keys) },
    },
    <>
      <p>{revokeAllNote} This cannot be undone.</p>
      <ul>
        {keys.map(({ kid, state }) => (
          <li>
            <Id of={kid} /> ({state})
          </li>
        ))}
      </ul>
    </>,
  );
});

changePages.post('/revoke-all', async (c) => {
  const { deployment } = c.var.console;
  const keys = await keysThatSigned(deployment);
  await requireShown(c, keys);
  return startJob(c, { title: 'Revoking every key that has signed', back }, async () =>
    (await revokeSigningKeys(deployment, keys)).flatMap(describeRevoked),
  );
});

changePages.get('/:kid/revoke', async (c) => {
  const key = await getSigningKey(c.var.console.deployment, c.req.param('kid'));
  return confirmPage(
    c,
    {
      title: 'Revoke a signing key',
      label: 'Revoke the key',
      danger: true,
      back,
      fields: { shown: shownOf([key]) },
    },
    <>
      <p>
        <Sentence of={describeRevocation(key)} />
      </p>
      <p>
        Whoever verifies tokens refuses those of this key within minutes, as soon as they have read the key
        set again. This cannot be undone.
      </p>
    </>,
  );
});

changePages.post('/:kid/revoke', async (c) => {
  const { deployment } = c.var.console;
  const key = await getSigningKey(deployment, c.req.param('kid'));
  await requireShown(c, [key]);
  const { kid } = key;
  return startJob(c, { title: `Revoking the key ${quoted(kid)}`, back }, async () =>
    describeRevoked(await revokeSigningKey(deployment, kid)),
  );
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
