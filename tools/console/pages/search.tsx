import { Hono } from 'hono';
import { isIdentifier } from '../../../contract/identifiers.ts';
import { uploadIdOf } from '../../../storage/object-key.ts';
import { type Client, getClient, readClients } from '../../operator/clients.ts';
import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { isNotFound, messageOf } from '../../operator/errors.ts';
import { type File, getFile, readFiles } from '../../operator/files.ts';
import { listSigningKeys } from '../../operator/signing-keys.ts';
import { hideSecrets } from '../../operator/text.ts';
import { getUpload, readUploads, type Upload } from '../../operator/uploads.ts';
import { Later, Part } from '../components/detail.tsx';
import { SearchField } from '../components/layout.tsx';
import { List, MainLink } from '../components/list.tsx';
import { Id, Text } from '../components/text.tsx';
import type { ConsoleContext, Env } from '../http/environment.ts';
import { goTo, page, path, withQuery } from '../http/respond.tsx';

/** Finds what has an id, and clients and files by a part of their name, with the filters of the lists. */
export const searchPages = new Hono<Env>();

/** What was found: what it is, its name or id, and its page. */
type Hit = readonly [what: string, name: string, address: string];

searchPages.get('/', async (c) => {
  const text = c.req.query('q')?.trim() ?? '';
  if (hideSecrets(text) !== text) {
    // The address is left immediately, so that the secret does not stay in it.
    return goTo(
      c,
      '/search',
      'Do not search for secrets: addresses stay in the history of the browser. Nothing was looked for.',
    );
  }
  const form = (
    <form method="get" class={text === '' ? 'row' : 'row phone-only'}>
      <SearchField id="search-here" value={text} />
      <button type="submit">Search</button>
    </form>
  );
  if (text === '') {
    return page(c, { title: 'Search' }, form);
  }
  const found = await Promise.allSettled(findersOf(c.var.console, text));
  const all = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  // Something can be found by its id and by its name.
  const hits = [...new Map(all.map((hit) => [hit[2], hit])).values()];
  const errors = found.flatMap((result) =>
    result.status === 'rejected' && !isNotFound(result.reason) ? [result.reason] : [],
  );
  return page(
    c,
    { title: 'Search' },
    <>
      {form}
      {hits.length === 0 ? (
        <Part title="Nothing has this id or name. Uploads of the request with this id:">
          <Later id="uploads" address={withQuery('/uploads', { request: text })} />
        </Part>
      ) : (
        <List
          label="What was found"
          columns={[
            { heading: 'What', cell: ([what]) => what },
            { heading: 'Name', cell: ([, name, address]) => <MainLink href={address} of={name} /> },
            { heading: 'Id', class: 'wide-only', cell: ([, , address]) => <Id of={idIn(address)} /> },
          ]}
          rows={hits}
        />
      )}
      <p class="muted">
        Look further in the lists of <a href={withQuery('/clients', { q: text })}>clients</a> and{' '}
        <a href={withQuery('/files', { q: text })}>files</a>.
      </p>
      {errors.map((error) => (
        <p class="note bad">
          <Text of={messageOf(explainAwsError(error, c.var.console.env))} />
        </p>
      ))}
    </>,
  );
});

/** The last part of an address. */
function idIn(address: string): string {
  return decodeURIComponent(address.split('/').at(-1) ?? '');
}

/** As long as people wait for a search. */
const searchMilliseconds = 700;

/** Each looks in one place. What fails, or finds nothing, hides nothing that another finds. */
function findersOf({ deployment, now }: ConsoleContext, text: string): readonly Promise<readonly Hit[]>[] {
  const endsAt = now() + searchMilliseconds;
  // So many of each kind are shown. The lists show the others.
  const place = { enough: 10, isTimeUp: () => now() > endsAt };
  const clientHit = ({ client_id, name }: Client): Hit => ['client', name, path('clients', client_id)];
  const fileHit = ({ file_id, name }: File): Hit => ['file', name, path('files', file_id)];
  const uploadHit = ({ upload_id }: Upload): Hit => ['upload', upload_id, path('uploads', upload_id)];
  const byText = [
    readClients(deployment, { text }, place).then(({ entries }) => entries.map(clientHit)),
    readFiles(deployment, { text }, place).then(({ entries }) => entries.map(fileHit)),
    readUploads(deployment, { requestId: text }, place).then(({ entries }) => entries.map(uploadHit)),
  ];
  const id = uploadIdOf(text) ?? text;
  if (!isIdentifier(id)) {
    return byText;
  }
  return [
    getClient(deployment, id).then((client) => [clientHit(client)]),
    getFile(deployment, id).then((file) => [fileHit(file)]),
    getUpload(deployment, id).then((upload) => [uploadHit(upload)]),
    isOrganisation(deployment, id).then((is) =>
      is ? [['organisation', id, path('organisations', id)]] : [],
    ),
    listSigningKeys(deployment).then((keys) =>
      keys.some(({ kid }) => kid === id) ? [['signing key', id, '/signing-keys']] : [],
    ),
    ...byText,
  ];
}

/** An organisation has no record of its own: it is there when a client or a file names it. */
async function isOrganisation(deployment: Deployment, organisationId: string): Promise<boolean> {
  const found = await Promise.all([
    readClients(deployment, { organisationId }, { enough: 1 }),
    readFiles(deployment, { organisationId }, { enough: 1 }),
  ]);
  return found.some(({ entries }) => entries.length > 0);
}
