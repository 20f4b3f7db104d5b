import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { HttpResponse, Question } from './http.ts';

/** Parts of the published description that the suite reads. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description?: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: FormSchema }>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

interface FormSchema {
  readonly properties: Readonly<Record<string, { readonly default?: string }>>;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** Throws if the description does not list the response for the request. */
export type CheckResponse = (question: Question, response: HttpResponse) => void;

/** Checks responses against the description. Responses to unknown paths or methods are not checked. */
export function responseChecker(document: OpenApiDocument): CheckResponse {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  return (question, { status, headers, text }) => {
    const operation = findOperation(document, question);
    if (operation === undefined) {
      return;
    }
    const response = operation.responses[status];
    if (response === undefined) {
      throw new Error(
        `${operation.operationId} responded with ${status}, which its description doesn't list`,
      );
    }
    if (response.content === undefined) {
      return;
    }
    const mediaType = headers['content-type']?.split(';')[0]?.trim() ?? 'none';
    const schema = response.content[mediaType]?.schema;
    if (schema === undefined) {
      throw new Error(`${operation.operationId} responded with ${status} with media type ${mediaType}`);
    }
    // The referenced components must be beside the schema.
    const validate = ajv.compile({ ...schema, components: document.components });
    if (!validate(JSON.parse(text))) {
      throw new Error(
        `${operation.operationId} responded with ${status}: ${ajv.errorsText(validate.errors)}`,
      );
    }
  };
}

function findOperation({ paths }: OpenApiDocument, { method, path }: Question): Operation | undefined {
  const asked = path.split('?')[0] ?? '';
  const template = Object.keys(paths).find((known) =>
    new RegExp(`^${known.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(asked),
  );
  return template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
}
