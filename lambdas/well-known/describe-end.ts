import type { Version, VersionEnd } from '../../contract/versions.ts';
import { goneBody } from '../shared/version-end.ts';
import type { Description, Operation, PathItem } from './descriptions.ts';

/**
 * Adds to a description what is announced about the end of its version: the headers of every answer, the 410, and a
 * sentence for people. `deprecated` means that clients should not use an operation any more (OpenAPI 3.1, "Operation
 * Object"), while the header may name a time to come (RFC 9745 section 2.1). So operations are deprecated from that time
 * on, and not before. Operations that belong to no version, such as the token endpoint, stay as they are.
 */
export function describeEnd(
  document: Description,
  version: Version,
  end: VersionEnd,
  isDeprecated: boolean,
): Description {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    path.startsWith(`/${version}/`) ? withEnd(item, end, isDeprecated) : item,
  ]);
  const { info, components } = document;
  return {
    ...document,
    info: { ...info, description: `${info.description}\n\n${sentences(version, end)}` },
    ...(end.notice === undefined
      ? {}
      : { externalDocs: { url: end.notice, description: `The end of ${version}` } }),
    paths: Object.fromEntries(paths),
    components: { ...components, ...addedComponents(version, end, components) },
  };
}

function withEnd(item: PathItem, end: VersionEnd, isDeprecated: boolean): PathItem {
  const headers = Object.fromEntries(
    Object.keys(announcedHeaders(end)).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const operations = Object.entries(item).map(([method, operation]) => {
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      // API Gateway answers 429 itself, without our headers.
      status === '429' ? response : { ...response, headers: { ...Object(response.headers), ...headers } },
    ]);
    const withHeaders: Operation = {
      ...operation,
      ...(isDeprecated ? { deprecated: true } : {}),
      responses: {
        ...Object.fromEntries(responses),
        ...(end.sunsetAt === undefined ? {} : { 410: { $ref: '#/components/responses/Gone' } }),
      },
    };
    return [method, withHeaders];
  });
  return Object.fromEntries(operations);
}

function announcedHeaders({ deprecatedAt, sunsetAt, notice }: VersionEnd) {
  const text = { type: 'string' };
  return {
    ...(deprecatedAt !== undefined && {
      Deprecation: { description: 'When this version is deprecated (RFC 9745)', schema: text },
    }),
    ...(sunsetAt !== undefined && {
      Sunset: { description: 'When this version ends (RFC 8594)', schema: text },
    }),
    ...(notice !== undefined && {
      Link: { description: 'Where to read about the end of this version (RFC 8288)', schema: text },
    }),
  };
}

function addedComponents(version: Version, end: VersionEnd, components: object) {
  const headers = announcedHeaders(end);
  if (end.sunsetAt === undefined) {
    return { headers };
  }
  const references = Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const gone = {
    description: 'This version has ended',
    headers: Object.fromEntries(references),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Gone' },
        example: goneBody(version, end.sunsetAt, end.notice),
      },
    },
  };
  const schemas = 'schemas' in components ? components.schemas : {};
  return { headers, responses: { Gone: gone }, schemas: { ...Object(schemas), Gone: goneJsonSchema } };
}

/** `goneSchema` of contract/bodies.ts, in the form of the other schemas; a test compares them. */
export const goneJsonSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', const: 'gone' },
    error_description: {
      type: 'string',
      description: 'When the version ended, and where to read what to use in its place',
    },
  },
  required: ['error', 'error_description'],
  additionalProperties: false,
} as const;

function sentences(version: Version, { deprecatedAt, sunsetAt, notice }: VersionEnd): string {
  return [
    ...(deprecatedAt === undefined ? [] : [`${version} is deprecated from ${deprecatedAt} on.`]),
    ...(sunsetAt === undefined ? [] : [`${version} ends at ${sunsetAt}: from then on it answers 410.`]),
    ...(notice === undefined ? [] : [`See ${notice}`]),
  ].join(' ');
}
