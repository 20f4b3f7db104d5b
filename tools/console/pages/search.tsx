import { Hono } from 'hono';
import { isIdentifier } from '../../../contract/identifiers.ts';
import { uploadIdOf } from '../../../storage/object-key.ts';
import { getClient, readClients } from '../../operator/clients.ts';
import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { messageOf, NotFoundError } from '../../operator/errors.ts';
import { getFile, readFiles } from '../../operator/files.ts';
import { listSigningKeys } from '../../operator/signing-keys.ts';
import { hideSecrets } from '../../operator/text.ts';
import { getUpload, readUploads, type UploadSelection } from '../../operator/uploads.ts';
import { Empty, List } from '../components/list.tsx';
import { Text } from '../components/text.tsx';
import type { ConsoleContext, Env, PageContext } from '../http/environment.ts';
import { page, path, withQuery } from '../http/respond.tsx';

/** Finds what has an id, and clients and files by a part of their name, with the filters of the lists. */
export const searchPages = new Hono<Env>();

/** What was found: what it is, its name or id, and its page. */
type Hit = readonly [what: string, name: string, address: string];

/** As long as people wait for a search. */
const searchMilliseconds = 700;

/** So many of each kind are shown. The lists show the others. */
const enough = 10;

searchPages.get('/', async (c) => {
  const { q = '', secret } = c.req.query();
  const text = q.trim();
  if (secret !== undefined || hideSecrets(text) !== text) {
    // The address is left immediately, so that the secret does not stay in it.
    return secret === undefined ? c.redirect('/search?secret=1', 303) : secretPage(c);
  }
  if (text === '') {
    return page(c, { title: 'Search' }, <Empty title="Enter an id, or a part of a name." />);
  }
  const found = await Promise.allSettled(findersOf(c.var.console, text).map((find) => find()));
  const all = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  // Something can be found by its id and by its name.
  const hits = [...new Map(all.map((hit) => [hit[2], hit])).values()];
  const errors = found.flatMap((result) =>
    result.status === 'rejected' && !(result.reason instanceof NotFoundError) ? [result.reason] : [],
  );
  return page(
    c,
    { title: 'Search' },
    <>
      {hits.length === 0 ? (
        <Empty title="Nothing was found." />
      ) : (
        <List
          label="What was found"
          columns={[
            { heading: 'What', cell: ([what]: Hit) => what },
            {
              heading: 'Name or id',
              cell: ([, name, address]: Hit) => (
                <a href={address}>
                  <Text of={name} />
                </a>
              ),
            },
          ]}
          rows={hits}
        />
      )}
      <p class="hint">
        Look further in the lists of <a href={withQuery('/clients', { q: text })}>clients</a>,{' '}
        <a href={withQuery('/files', { q: text })}>files</a> and{' '}
        <a href={withQuery('/uploads', { request: text })}>uploads of a request</a>.
      </p>
      {errors.map((error) => (
        <p class="problem">
          <Text of={messageOf(explainAwsError(error, c.var.console.env))} />
        </p>
      ))}
    </>,
  );
});

function secretPage(c: PageContext) {
  return page(
    c,
    { title: 'That was a client secret' },
    <p class="problem">
      Do not search for secrets: addresses stay in the history of the browser. Nothing was looked for. If
      others use this browser, change the secret of the client.
    </p>,
  );
}

/** Each looks in one place. What fails, or finds nothing, hides nothing that another finds. */
function findersOf(
  { deployment, now }: ConsoleContext,
  text: string,
): readonly (() => Promise<readonly Hit[]>)[] {
  const endsAt = now() + searchMilliseconds;
  const place = { enough, isTimeUp: () => now() > endsAt };
  const uploadsOf = async (selection: UploadSelection) =>
    (await readUploads(deployment, selection, place)).entries.map(
      ({ upload_id }): Hit => ['upload', upload_id, path('uploads', upload_id)],
    );
  const byText = [
    async () =>
      (await readClients(deployment, { text }, place)).entries.map(
        ({ client_id, name }): Hit => ['client', name, path('clients', client_id)],
      ),
    async () =>
      (await readFiles(deployment, { text }, place)).entries.map(
        ({ file_id, name }): Hit => ['file', name, path('files', file_id)],
      ),
    () => uploadsOf({ requestId: text }),
  ];
  const id = uploadIdOf(text) ?? text;
  return isIdentifier(id) ? [...byIdIn(deployment, id), ...byText] : byText;
}

function byIdIn(deployment: Deployment, id: string): readonly (() => Promise<readonly Hit[]>)[] {
  const [ofOrganisation, one] = [{ organisationId: id }, { enough: 1 }];
  return [
    async () => [['client', (await getClient(deployment, id)).name, path('clients', id)]],
    async () => [['file', (await getFile(deployment, id)).name, path('files', id)]],
    async () => [['upload', (await getUpload(deployment, id)).upload_id, path('uploads', id)]],
    async () => {
      const portions = await Promise.all([
        readClients(deployment, ofOrganisation, one),
        readFiles(deployment, ofOrganisation, one),
        readUploads(deployment, ofOrganisation, one),
      ]);
      const isThere = portions.some(({ entries }) => entries.length > 0);
      return isThere ? [['organisation', id, path('organisations', id)]] : [];
    },
    async () => {
      const isKey = (await listSigningKeys(deployment)).some(({ kid }) => kid === id);
      return isKey ? [['signing key', id, '/signing-keys']] : [];
    },
  ];
}
