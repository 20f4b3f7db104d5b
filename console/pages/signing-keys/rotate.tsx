import { Hono } from 'hono';
import { rotationNote } from '../../../cli/operations/signing-key-texts.ts';
import { rotateSigningKey } from '../../../cli/operations/signing-keys.ts';
import { quoted } from '../../../cli/text.ts';
import { Consequences } from '../../components/detail.tsx';
import { Form } from '../../components/form.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';

/** The rotation of the keys. */
export const rotatePages = new Hono<Env>();

const address = '/signing-keys/rotate';

rotatePages.get('/rotate', (c) =>
  page(
    c,
    { title: 'Rotate the signing keys' },
    <Form action={address} label="Rotate the keys" cancel="/signing-keys">
      <Consequences>
        <p>This starts signing with the next key, and creates another next key. {rotationNote}</p>
        <p>A rotation cannot be undone. No token becomes invalid, and clients need not do anything.</p>
      </Consequences>
    </Form>,
  ),
);

rotatePages.post('/rotate', (c) => {
  const { deployment } = c.var.console;
  const job = c.var.session.jobs.start(
    { title: 'Rotating the signing keys', back: '/signing-keys' },
    async (report) => {
      report('Secrets Manager has the keys rotated. That takes seconds, and at most 90 of them.');
      const keys = await rotateSigningKey(deployment);
      return keys.map(
        ({ kid, state, signs, since }) =>
          `${quoted(kid)} is the ${state} key${signs ? ' and signs' : ''}, since ${since}.`,
      );
    },
  );
  return c.redirect(path('jobs', job.id), 303);
});
