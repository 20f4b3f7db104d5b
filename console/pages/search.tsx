import { Hono } from 'hono';
import { explainAwsError } from '../../cli/deployment/aws-errors.ts';
import { messageOf } from '../../cli/errors.ts';
import {
  findById,
  findByName,
  type Hit,
  type IdSearch,
  type NameSearch,
  searchedKinds,
} from '../../cli/operations/search.ts';
import { counted, hideSecrets } from '../../cli/text.ts';
import { Part } from '../components/detail.tsx';
import { Empty, List } from '../components/list.tsx';
import { Id, Text } from '../components/text.tsx';
import type { Env, PageContext } from '../http/environment.ts';
import { page, path, withQuery } from '../http/respond.tsx';

/** The search of the header: an id leads to its page, and anything else to what has it in its name. */
export const search = new Hono<Env>();

/** As long as people wait for a search. */
const searchMilliseconds = 700;

const places = {
  client: 'clients',
  file: 'files',
  upload: 'uploads',
  organisation: 'organisations',
  'signing key': 'signing-keys',
} as const;

search.get('/', async (c) => {
  const text = (c.req.query('q') ?? '').trim();
  if (hideSecrets(text) !== text || c.req.query('secret') !== undefined) {
    return c.req.query('secret') === undefined ? c.redirect('/search?secret=1', 303) : secretPage(c);
  }
  if (text === '') {
    return page(c, { title: 'Search' }, <Empty title="Enter an id, or a part of a name." />);
  }
  const { deployment, now } = c.var.console;
  const byId = await findById(deployment, text);
  const [only] = byId.hits;
  if (only !== undefined && byId.hits.length === 1) {
    return c.redirect(addressOf(only), 303);
  }
  const endsAt = now() + searchMilliseconds;
  const byName = only === undefined ? await findByName(deployment, text, () => now() > endsAt) : undefined;
  return resultPage(c, text, byId, byName);
});

/** The address is left immediately, so that the secret does not stay in it. */
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

function resultPage(c: PageContext, text: string, byId: IdSearch, byName: NameSearch | undefined) {
  const hits = [...byId.hits, ...(byName?.hits ?? [])];
  return page(
    c,
    { title: 'Search' },
    <>
      {hits.length === 0 ? (
        <Empty title="Nothing was found.">
          <p>
            <Text
              of={`No ${searchedKinds.slice(0, -1).join(', ')} or ${searchedKinds.at(-1)} has the id ${text}, and no client or file has it in its name.`}
            />
          </p>
        </Empty>
      ) : (
        <List label="What was found" columns={columns} rows={hits} />
      )}
      {byName !== undefined && <HowFar byName={byName} text={text} />}
      {byId.failures.map(({ kind, error }) => (
        <p class="problem">
          Could not look for it as the id of a {kind}:{' '}
          <Text of={messageOf(explainAwsError(error, c.var.console.env))} />
        </p>
      ))}
      {isRequestId(text) && <RequestHelp id={text} />}
    </>,
  );
}

const columns = [
  {
    heading: 'What',
    cell: (hit: Hit) => (
      <a href={addressOf(hit)}>
        {hit.kind} <Text of={hit.name ?? hit.id} />
      </a>
    ),
  },
  { heading: 'Id', cell: ({ id }: Hit) => <Id of={id} /> },
];

function addressOf({ kind, id }: Hit): string {
  return path(places[kind], id);
}

/** What the search did not see. */
function HowFar({ byName: { read, isAll }, text }: { readonly byName: NameSearch; readonly text: string }) {
  return (
    <p class="hint">
      Ids were looked up exactly. Names were looked for in {counted(read, 'item')}
      {isAll ? ', which is all of them.' : ': there are more, and no index has their names.'}
      {!isAll && (
        <>
          {' '}
          Look in the whole list of <a href={withQuery('/clients', { q: text })}>clients</a> or{' '}
          <a href={withQuery('/files', { q: text })}>files</a>.
        </>
      )}
    </p>
  );
}

/** Ids that API Gateway and Lambda give to requests. They are in logs, not in tables. */
function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9_-]{15}=$/.test(text) || /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text);
}

function RequestHelp({ id }: { readonly id: string }) {
  return (
    <Part title="Is it the id of a request?">
      <p>Requests are in the logs, not in the tables. Search them in CloudWatch Logs Insights with:</p>
      <p>
        <code>
          fields @timestamp, level, message, reason, client_id, error_name, error_message | filter request_id
          = "{id}"
        </code>
      </p>
      <p>The logs of a local run are what npm start prints.</p>
    </Part>
  );
}
