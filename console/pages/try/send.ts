import * as v from 'valibot';
import {
  type ApiDescription,
  type ApiOperation,
  needsOf,
} from '../../../cli/operations/api/api-description.ts';
import { type ApiAnswer, callApi } from '../../../cli/operations/api/call-api.ts';
import { routeKey, routes } from '../../../contract/routes.ts';
import type { PageContext } from '../../http/environment.ts';
import { liveToken, memoryOf } from './memory.ts';
import { bodyFieldsOf, fieldOf, fixedFieldsOf, isAsked } from './operation-fields.tsx';

type Values = Readonly<Record<string, string>>;

/**
 * Sends a request as its form says, and remembers the answer for this session.
 *
 * @returns what is wrong with the fields; then nothing was sent
 */
export async function sendOperation(
  c: PageContext,
  description: ApiDescription,
  operation: ApiOperation,
  values: Values,
): Promise<Values> {
  const errors = missingOf(operation, values);
  const needs = needsOf(operation, description.document);
  if (needs.client && !values.client_id) {
    errors.client_id = 'Enter the id of a client.';
  }
  if (needs.client && !values.client_secret) {
    errors.client_secret = 'Enter the secret of the client. It is not kept, so it is typed for each token.';
  }
  if (Object.keys(errors).length > 0) {
    return errors;
  }
  const answer = await callApi(c.var.console.deployment, {
    method: operation.method,
    path: pathOf(operation, values),
    ...(needs.scopes === undefined ? {} : { token: liveToken(c)?.value }),
    ...(needs.client ? { client: { id: values.client_id ?? '', secret: values.client_secret ?? '' } } : {}),
    ...(operation.requestBody === undefined ? {} : { form: formOf(operation, values) }),
  });
  memoryOf(c).answers.set(operation.operationId, answer);
  learn(c, operation, values, answer);
  return {};
}

function missingOf(operation: ApiOperation, values: Values): Record<string, string> {
  const asked = [
    ...operation.parameters
      .filter(isAsked)
      .map((one) => ({ field: fieldOf(one), name: one.name, isRequired: one.required === true })),
    ...bodyFieldsOf(operation).map((one) => ({ ...one, field: `body.${one.name}` })),
  ];
  const missing = asked.filter(({ field, isRequired }) => isRequired && !values[field]);
  return Object.fromEntries(missing.map(({ field, name }) => [field, `Enter ${name}.`]));
}

function pathOf({ path, parameters }: ApiOperation, values: Values): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(values[`path.${name}`] ?? ''),
  );
  const query = parameters
    .filter((one) => one.in === 'query' && values[fieldOf(one)])
    .map((one): [string, string] => [one.name, values[fieldOf(one)] ?? '']);
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

function formOf(operation: ApiOperation, values: Values): Values {
  const entered = bodyFieldsOf(operation)
    .map(({ name }): [string, string] => [name, values[`body.${name}`] ?? ''])
    .filter(([, value]) => value !== '');
  return { ...fixedFieldsOf(operation), ...Object.fromEntries(entered) };
}

const tokenSchema = v.object({
  access_token: v.string(),
  expires_in: v.pipe(v.number(), v.minValue(0), v.maxValue(31_536_000)),
  scope: v.optional(v.string(), ''),
});

const uploadSchema = v.object({ data: v.object({ upload_url: v.pipe(v.string(), v.url()) }) });

/** Keeps the token, or the upload URL, of an answer for the next request. */
function learn(c: PageContext, operation: ApiOperation, values: Values, answer: ApiAnswer): void {
  if (answer.status !== 200) {
    return;
  }
  const memory = memoryOf(c);
  const key = routeKey(operation as Pick<typeof routes.token, 'method' | 'path'>);
  if (key === routeKey(routes.token)) {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), tokenSchema), answer.body);
    if (parsed.success) {
      const { access_token: value, expires_in, scope } = parsed.output;
      memory.token = { value, scope, expiresAt: c.var.console.now() + expires_in * 1000 };
    }
  } else if (key === routeKey(routes.sync)) {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), uploadSchema), answer.body);
    if (parsed.success) {
      const url = new URL(parsed.output.data.upload_url);
      memory.upload = { url, fileId: values['path.fileId'] ?? '' };
    }
  }
}
