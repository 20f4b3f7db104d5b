import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer, Question } from './http.ts';

/** The published description, as far as the suite reads it. */
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
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Response {
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Reference {
  readonly $ref: string;
}

/** Throws when an answer is not one that the description lists for what was asked. */
export type CheckAnswer = (question: Question, answer: Answer) => void;

/**
 * Checks answers against the description. What is asked of a path or with a method that the description doesn't
 * know is not its matter.
 */
export function answerChecker(document: OpenApiDocument): CheckAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'description');
  return (question, answer) => {
    const found = findOperation(document, question);
    if (found === undefined) {
      return;
    }
    const { response, pointer } = findResponse(document, found, answer.status);
    const mediaTypes = Object.keys(response.content ?? {});
    if (mediaTypes.length === 0) {
      return;
    }
    const mediaType = answer.headers['content-type']?.split(';')[0]?.trim() ?? 'none';
    if (!mediaTypes.includes(mediaType)) {
      throw new Error(`${describe(question, answer)}: media type ${mediaType}`);
    }
    const validate = ajv.compile({ $ref: `description#${pointer}/content/${pointerPart(mediaType)}/schema` });
    if (!validate(JSON.parse(answer.text))) {
      throw new Error(`${describe(question, answer)}: ${ajv.errorsText(validate.errors)}`);
    }
  };
}

interface Found {
  readonly operation: Operation;
  /** JSON pointer (RFC 6901) to the operation. */
  readonly pointer: string;
}

function findOperation(document: OpenApiDocument, question: Question): Found | undefined {
  const path = question.path.split('?')[0] ?? '';
  const method = question.method.toLowerCase();
  for (const [template, item] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
    const operation = item[method];
    if (pattern.test(path) && operation !== undefined) {
      return { operation, pointer: `/paths/${pointerPart(template)}/${method}` };
    }
  }
  return undefined;
}

function findResponse(
  document: OpenApiDocument,
  { operation, pointer }: Found,
  status: number,
): { response: Response; pointer: string } {
  const response = operation.responses[status];
  if (response === undefined) {
    throw new Error(`${operation.operationId} answered ${status}, which its description doesn't list`);
  }
  if (!('$ref' in response)) {
    return { response, pointer: `${pointer}/responses/${status}` };
  }
  return { response: dereference(document, response.$ref), pointer: response.$ref.slice(1) };
}

function dereference(document: OpenApiDocument, reference: string): Response {
  const name = reference.replace('#/components/responses/', '');
  const response = document.components.responses?.[name];
  if (response === undefined) {
    throw new Error(`The description has no ${reference}`);
  }
  return response as Response;
}

/** RFC 6901 section 3, then percent-encoding as a URI fragment (section 6). */
function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function describe(question: Question, answer: Answer): string {
  return `${question.method} ${question.path.split('?')[0]} answered ${answer.status}, not as described`;
}
