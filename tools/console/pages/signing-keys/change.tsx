import { Hono } from 'hono';
import { OperationError } from '../../../operator/errors.ts';
import { revokeSigningKey } from '../../../operator/revoke-signing-key.ts';
import { describeRevocation, describeRevoked, rotationNote } from '../../../operator/signing-key-texts.ts';
import { getSigningKey, rotateSigningKey, type SigningKey } from '../../../operator/signing-keys.ts';
import { quoted } from '../../../operator/text.ts';
import { Sentence } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { readForm } from '../../http/form.ts';
import { startJob } from '../../http/jobs.ts';
import { confirmPage } from '../../http/respond.tsx';

/** The rotation of the keys, and the revocation of one that has leaked. */
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

changePages.get('/:kid/revoke', async (c) => {
  const key = await getSigningKey(c.var.console.deployment, c.req.param('kid'));
  return confirmPage(
    c,
    {
      title: 'Revoke a signing key',
      label: 'Revoke the key',
      danger: true,
      back,
      fields: { shown: shownOf(key) },
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
  await requireShown(c, key);
  const { kid } = key;
  return startJob(c, { title: `Revoking the key ${quoted(kid)}`, back }, async () =>
    describeRevoked(await revokeSigningKey(deployment, kid)),
  );
});

/** What the confirmation said of the key: which it is, and what it does. */
function shownOf({ kid, state, signs }: SigningKey): string {
  return `${kid} ${state} ${signs}`;
}

/** @throws {OperationError} when a rotation or somebody else has changed the key since the confirmation was shown */
async function requireShown(c: PageContext, key: SigningKey): Promise<void> {
  const { shown } = await readForm(c);
  if (shown?.[0] !== shownOf(key)) {
    throw new OperationError(
      'invalid',
      'The key has changed since the confirmation was shown, so it may no longer be true. Nothing was revoked. ' +
        'Look at the signing keys again.',
    );
  }
}
