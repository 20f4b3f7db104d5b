import { getClient } from '../../../operator/clients/client.ts';
import { Empty } from '../../components/list.tsx';
import { CopyButton, Id, Text } from '../../components/text.tsx';
import { path } from '../../http/addresses.ts';
import type { PageContext } from '../../http/environment.ts';
import { goTo, page } from '../../http/respond.tsx';
import type { UnseenSecret } from '../../http/sessions.ts';

/** Goes to the page that shows a new secret. @param of the address of the client's page */
export function showSecretOnce(c: PageContext, of: string, secret: UnseenSecret): Response {
  const address = `${of}${path('secrets', secret.id, 'new')}`;
  c.var.session.unseenSecrets.set(address, secret);
  return goTo(c, address);
}

/** The page of a new secret. The page shows the secret only once. */
export async function showNewSecret(c: PageContext, id: string) {
  const { client_id, name } = await getClient(c.var.console.deployment, id);
  const { unseenSecrets } = c.var.session;
  const secret = unseenSecrets.get(c.req.path);
  unseenSecrets.delete(c.req.path);
  return page(
    c,
    { title: `New secret of ${name}` },
    <>
      {secret === undefined ? (
        <Empty title="The secret was shown before.">
          <p>The secret cannot be shown again. If nobody saved it, add another secret and remove this one.</p>
        </Empty>
      ) : (
        <div class="note warning">
          <p>
            <Text of={secret.says} />
          </p>
          <p>
            <code id="secret" translate="no">
              {secret.value}
            </code>{' '}
            <CopyButton text={secret.value} what="the client secret" />
          </p>
        </div>
      )}
      <p>
        Client ID: <Id of={client_id} copy />
      </p>
      <p>
        <a class="button" href={path('clients', client_id)}>
          Go to the client
        </a>
      </p>
    </>,
  );
}
