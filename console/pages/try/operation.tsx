import { Hono } from 'hono';
import {
  type ApiContent,
  type ApiDescription,
  type ApiOperation,
  needsOf,
} from '../../../cli/operations/api/api-description.ts';
import { Part } from '../../components/detail.tsx';
import { Form, FormErrors } from '../../components/form.tsx';
import { Badge, plainText, Text } from '../../components/text.tsx';
import { type Env, type PageContext, Refusal } from '../../http/environment.ts';
import { readForm } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';
import { Code, Prose } from './code.tsx';
import { curlOf } from './curl.ts';
import { descriptionOf } from './description.ts';
import { memoryOf } from './memory.ts';
import { Next } from './next.tsx';
import { OperationFields } from './operation-fields.tsx';
import { SendsNothing, TokenState } from './reference.tsx';
import { SchemaView } from './schema-view.tsx';
import { sendOperation } from './send.ts';
import { Answer } from './shown-answer.tsx';

/** One operation: its reference, its form and its last answer. */
export const operationPages = new Hono<Env>();

type Values = Readonly<Record<string, string>>;

operationPages.get('/:operation', async (c) => {
  const description = await descriptionOf(c);
  const operation = findOperation(description, c.req.param('operation'));
  // An address can hold values, but never a secret.
  const values = { ...memoryOf(c).entered.get(operation.operationId), ...withoutSecret(c.req.query()) };
  return operationPage(c, description, operation, values, {});
});

operationPages.post('/:operation', async (c) => {
  const { kind } = c.var.console;
  if (kind !== 'local') {
    throw new Refusal(
      403,
      'Requests are for a local run',
      'The console sends requests to a local run only. Nothing was sent. Use the line for a terminal.',
    );
  }
  const description = await descriptionOf(c);
  const operation = findOperation(description, c.req.param('operation'));
  const given = await readForm(c);
  const values = Object.fromEntries(Object.entries(given).map(([name, all]) => [name, all?.[0] ?? '']));
  const errors = await sendOperation(c, description, operation, values);
  const kept = withoutSecret(values);
  memoryOf(c).entered.set(operation.operationId, kept);
  return Object.keys(errors).length > 0
    ? operationPage(c, description, operation, kept, errors)
    : c.redirect(`${path('try', operation.operationId)}#answer`, 303);
});

/** A secret is typed again: it must not be on a page. */
function withoutSecret({ client_secret: _, token: __, ...rest }: Values): Values {
  return rest;
}

function findOperation({ operations }: ApiDescription, id: string): ApiOperation {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) {
    throw new Refusal(
      404,
      'Not found',
      'The API has no such operation. Go to Try it, which lists all of them.',
    );
  }
  return operation;
}

function operationPage(
  c: PageContext,
  description: ApiDescription,
  operation: ApiOperation,
  values: Values,
  errors: Values,
) {
  const { deployment, kind } = c.var.console;
  const needs = needsOf(operation, description.document);
  const answer = memoryOf(c).answers.get(operation.operationId);
  const action = path('try', operation.operationId);
  return page(
    c,
    { title: operation.summary || operation.operationId, status: Object.keys(errors).length > 0 ? 422 : 200 },
    <>
      <p>
        <Badge>{operation.method}</Badge> <code>{plainText(operation.path)}</code>
      </p>
      <Prose text={operation.description} />
      <Needs client={needs.client} scopes={needs.scopes} />
      {kind === 'local' ? (
        <Part title="Send a request">
          <FormErrors errors={errors} />
          {needs.scopes !== undefined && <TokenState c={c} />}
          <Form action={action} label="Send the request">
            <OperationFields operation={operation} needs={needs} values={values} errors={errors} />
          </Form>
        </Part>
      ) : (
        <SendsNothing />
      )}
      <div id="answer">
        {answer !== undefined && (
          <Answer answer={answer}>
            <Next c={c} description={description} operation={operation} />
          </Answer>
        )}
      </div>
      <Part title="In a terminal">
        <Code text={curlOf(deployment.outputs.BaseUrl, operation, needs)} label="Line for a terminal" copy />
      </Part>
      <Answers operation={operation} />
      <p>
        <a href="/try">All operations</a>
      </p>
    </>,
  );
}

function Needs({
  client,
  scopes,
}: {
  readonly client: boolean;
  readonly scopes: readonly string[] | undefined;
}) {
  if (client) {
    return <p>Needs: client id and client secret.</p>;
  }
  return scopes === undefined ? (
    <p>Needs: nothing. Anybody may ask.</p>
  ) : (
    <p>
      Needs: an access token{scopes.length > 0 && ' with the scope '}
      {scopes.length > 0 && <Text of={scopes.join(', ')} />}.
    </p>
  );
}

/** What the API may answer, by status. */
function Answers({ operation }: { readonly operation: ApiOperation }) {
  return (
    <Part title="What it answers">
      {Object.entries(operation.responses).map(([status, { description, headers, content }]) => (
        <details open={status.startsWith('2')}>
          <summary>
            <Badge tone={status.startsWith('2') ? 'good' : 'plain'}>{plainText(status)}</Badge>{' '}
            <Text of={description} />
          </summary>
          {Object.keys(headers).length > 0 && (
            <p class="hint">
              Headers: <Text of={Object.keys(headers).join(', ')} />
            </p>
          )}
          <Content content={content} what={`${status} of ${operation.operationId}`} />
        </details>
      ))}
    </Part>
  );
}

function Content({ content, what }: { readonly content: ApiContent; readonly what: string }) {
  return (
    <>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <>
          <div>
            <code>{plainText(type)}</code> {schema !== undefined && <SchemaView schema={schema} />}
          </div>
          {example !== undefined && (
            <Code text={JSON.stringify(example, undefined, 2)} label={`Example: ${plainText(what)}`} />
          )}
        </>
      ))}
    </>
  );
}
