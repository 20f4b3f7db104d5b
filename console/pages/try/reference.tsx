import { Hono } from 'hono';
import type { ApiDescription, ApiOperation } from '../../../cli/operations/api/api-description.ts';
import { Part } from '../../components/detail.tsx';
import { ActionButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { plainText, Text, Time } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';
import { Prose } from './code.tsx';
import { descriptionOf } from './description.ts';
import { liveToken, memoryOf } from './memory.ts';
import { SchemaView } from './schema-view.tsx';
import { shownToken } from './shown-answer.tsx';

/** The operations of the API, and its schemas. */
export const overviewPages = new Hono<Env>();

overviewPages.get('/', async (c) => {
  const description = await descriptionOf(c);
  const { info } = description.document;
  return page(
    c,
    { title: 'Try it' },
    <>
      {c.var.console.kind === 'local' ? <TokenState c={c} /> : <SendsNothing />}
      {groupsOf(description).map(({ name, text, operations }) => (
        <Part title={plainText(name)}>
          {text !== undefined && <Prose text={text} />}
          <List
            label={`Operations: ${plainText(name)}`}
            columns={[
              {
                heading: 'What it does',
                cell: (operation) => (
                  <a href={path('try', operation.operationId)}>
                    <Text of={operation.summary || operation.operationId} />
                  </a>
                ),
              },
              {
                heading: 'Request',
                cell: ({ method, path: of }) => (
                  <code>
                    {method} {of}
                  </code>
                ),
              },
            ]}
            rows={operations}
          />
        </Part>
      ))}
      <Part title="About this API">
        <p>
          <strong>
            <Text of={info.title} />
          </strong>
          , version <Text of={info.version} />. <a href="/try/schemas">Schemas</a>
        </p>
        <Prose text={info.description} />
      </Part>
    </>,
  );
});

overviewPages.get('/schemas', async (c) => {
  const { document } = await descriptionOf(c);
  return page(
    c,
    { title: 'Schemas' },
    <>
      {Object.entries(document.components.schemas ?? {}).map(([name, schema]) => (
        <section class="part" id={encodeURIComponent(name)}>
          <h2>
            <Text of={name} />
          </h2>
          <SchemaView schema={schema} />
        </section>
      ))}
      <p>
        <a href="/try">All operations</a>
      </p>
    </>,
  );
});

overviewPages.post('/forget', (c) => {
  memoryOf(c).token = undefined;
  c.var.session.flash = { text: 'The token is no longer known here. It stays valid until it expires.' };
  return c.redirect('/try', 303);
});

interface Group {
  readonly name: string;
  readonly text: string | undefined;
  readonly operations: readonly ApiOperation[];
}

/** Operations by their first tag, in the order of the document. */
function groupsOf({ document, operations }: ApiDescription): readonly Group[] {
  const names = [...new Set([...document.tags.map(({ name }) => name), ...operations.map(groupName)])];
  return names
    .map((name) => ({
      name,
      text: document.tags.find((tag) => tag.name === name)?.description,
      operations: operations.filter((operation) => groupName(operation) === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function groupName({ tags }: ApiOperation): string {
  return tags[0] ?? 'Others';
}

/** The token that requests of this session have. */
export function TokenState({ c }: { readonly c: PageContext }) {
  const token = liveToken(c);
  if (token === undefined) {
    return (
      <p class="hint">
        This session has no access token. <a href="/try/createToken">Get one</a> to send requests that need
        it.
      </p>
    );
  }
  return (
    <div class="buttons">
      <span>
        Access token <code>{shownToken(token.value)}</code> with <Text of={token.scope} />, valid until{' '}
        <Time of={new Date(token.expiresAt).toISOString()} />
      </span>
      <ActionButton action="/try/forget" label="Forget the token" />
    </div>
  );
}

/** Why there are no forms. */
export function SendsNothing() {
  return (
    <p class="hint">
      Requests are sent to a local run only, so that nobody tries things on data that counts. Here are the
      reference and the lines for a terminal.
    </p>
  );
}
