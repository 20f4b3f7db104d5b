import type { ApiNeeds, ApiOperation } from '../../../cli/operations/api/api-description.ts';
import { shellWord } from '../../../cli/text.ts';
import { fixedFieldsOf } from './operation-fields.tsx';

/** The same request in a terminal. What is secret is in variables, so that it is in no history. */
export function curlOf(baseUrl: string, operation: ApiOperation, needs: ApiNeeds): string {
  const { method, path } = operation;
  // A POST without a body needs a Content-Length of 0, which curl sends with an empty body.
  const body = operation.requestBody === undefined ? (method === 'POST' ? ["-d ''"] : []) : formOf(operation);
  return [
    'curl -i',
    ...(method === 'GET' || method === 'POST' ? [] : [`-X ${method}`]),
    ...(needs.client ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...(needs.scopes === undefined ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...body,
    shellWord(`${baseUrl}${path}`),
  ].join(' \\\n  ');
}

function formOf(operation: ApiOperation): readonly string[] {
  return Object.entries(fixedFieldsOf(operation)).map(
    ([name, value]) => `-d ${shellWord(`${name}=${value}`)}`,
  );
}
