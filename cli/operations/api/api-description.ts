import * as v from 'valibot';
import { routes } from '../../../contract/routes.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError } from '../../errors.ts';
import { callApi } from './call-api.ts';

/** A schema of the document: the members that the reference shows. */
export interface ApiSchema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly items?: ApiSchema | undefined;
  readonly properties?: Readonly<Record<string, ApiSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
}

const text = v.optional(v.string());
const number = v.optional(v.number());

const schemaSchema: v.GenericSchema<ApiSchema> = v.object({
  $ref: text,
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  description: text,
  format: text,
  pattern: text,
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  minLength: number,
  maxLength: number,
  minimum: number,
  maximum: number,
  items: v.optional(v.lazy(() => schemaSchema)),
  properties: v.optional(v.lazy(() => v.record(v.string(), schemaSchema))),
  required: v.optional(v.array(v.string())),
});

const contentSchema = v.record(
  v.string(),
  v.object({ schema: v.optional(schemaSchema), example: v.optional(v.unknown()) }),
);

/** Names of fields in a form of the console. */
export const apiNamePattern = /^[A-Za-z0-9_.-]{1,64}$/;

const parameterSchema = v.object({
  name: v.pipe(v.string(), v.regex(apiNamePattern)),
  in: v.picklist(['path', 'query', 'header', 'cookie']),
  required: v.optional(v.boolean()),
  description: text,
  schema: v.optional(schemaSchema),
  example: v.optional(v.unknown()),
});

/** The id is part of addresses of the console. */
const operationId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/));

const operationSchema = v.object({
  operationId,
  tags: v.optional(v.array(v.string()), []),
  summary: v.optional(v.string(), ''),
  description: text,
  security: v.optional(v.array(v.record(v.string(), v.array(v.string()))), []),
  parameters: v.optional(v.array(parameterSchema), []),
  requestBody: v.optional(v.object({ description: text, content: contentSchema })),
  responses: v.record(
    v.string(),
    v.object({
      description: v.optional(v.string(), ''),
      headers: v.optional(v.record(v.string(), v.object({ description: text })), {}),
      content: v.optional(contentSchema, {}),
    }),
  ),
});

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const pathSchema = v.object(v.entriesFromList(methods, v.optional(operationSchema)));

const documentSchema = v.object({
  openapi: v.pipe(v.string(), v.regex(/^3\./)),
  info: v.object({ title: v.string(), version: v.string(), description: text }),
  tags: v.optional(v.array(v.object({ name: v.string(), description: text })), []),
  paths: v.record(v.pipe(v.string(), v.regex(/^\/[A-Za-z0-9._~{}/-]{0,200}$/)), pathSchema),
  components: v.optional(
    v.object({
      schemas: v.optional(v.record(v.string(), schemaSchema), {}),
      securitySchemes: v.optional(
        v.record(v.string(), v.object({ type: v.string(), scheme: text, description: text })),
        {},
      ),
    }),
    {},
  ),
});

export type ApiDocument = v.InferOutput<typeof documentSchema>;
export type ApiParameter = v.InferOutput<typeof parameterSchema>;
export type ApiContent = v.InferOutput<typeof contentSchema>;

/** One operation, with where it is. */
export interface ApiOperation extends v.InferOutput<typeof operationSchema> {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
}

export interface ApiDescription {
  readonly document: ApiDocument;
  readonly operations: readonly ApiOperation[];
}

/**
 * Reads the OpenAPI document of a deployment from its API. Members that are not known here are left out.
 *
 * @throws {CommandError} when it cannot be read, or is not as expected
 */
export async function readApiDescription(deployment: Pick<Deployment, 'outputs'>): Promise<ApiDescription> {
  const { method, path } = routes.openapi;
  const { status, body } = await callApi(deployment, { method, path });
  const url = `${deployment.outputs.BaseUrl}${path}`;
  if (status !== 200) {
    throw new CommandError(
      `${url} answered ${status} instead of the API's description. Run doctor:`,
      undefined,
      [['doctor']],
    );
  }
  const document = parseApiDocument(body);
  if (document === undefined) {
    throw new CommandError(
      `${url} answered something else than an OpenAPI document of version 3. Check what the base URL points at.`,
    );
  }
  return { document, operations: operationsOf(document) };
}

/** The document of a text, or undefined when it is none. A text that is nested too deeply is none. */
function parseApiDocument(body: string): ApiDocument | undefined {
  try {
    const parsed = v.safeParse(documentSchema, JSON.parse(body));
    return parsed.success ? parsed.output : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function operationsOf({ paths }: ApiDocument): readonly ApiOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ ...operation, method: method.toUpperCase(), path }];
    }),
  );
}

/** What an operation needs of its caller. */
export interface ApiNeeds {
  /** Client id and secret. */
  readonly client: boolean;
  /** An access token with these scopes. Undefined: none. */
  readonly scopes: readonly string[] | undefined;
}

export function needsOf({ security }: ApiOperation, { components }: ApiDocument): ApiNeeds {
  const named = security.flatMap((one) => Object.entries(one));
  const typeOf = (name: string) => components.securitySchemes?.[name]?.type;
  const token = named.find(([name]) => typeOf(name) === 'oauth2');
  return { client: named.some(([name]) => typeOf(name) === 'http'), scopes: token?.[1] };
}
