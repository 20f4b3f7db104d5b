import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { isObject } from './template.ts';

/** A value that cannot be changed without a new resource, and whether that is certain. */
export interface CreateOnlyValue {
  readonly value: unknown;
  readonly certain: boolean;
}

/** Values of a resource that make a new one when they change, by their path: `KeySchema`, `A.B`, `List[0].C`. */
export type CreateOnlyValues = ReadonlyMap<string, CreateOnlyValue>;

/** Reads what CloudFormation's resource schemas say. */
export interface Schemas {
  readonly createOnlyValues: (
    type: string,
    properties: Readonly<Record<string, unknown>>,
  ) => CreateOnlyValues;
}

/** A property as the schemas of `@aws-cdk/aws-service-spec` describe it. */
interface SchemaProperty {
  readonly type: SchemaType;
  readonly causesReplacement?: 'yes' | 'no' | 'maybe';
}

interface SchemaType {
  readonly type: string;
  readonly element?: SchemaType;
  readonly types?: readonly SchemaType[];
  readonly reference?: { readonly $ref: string };
}

type Properties = Readonly<Record<string, SchemaProperty>>;

/**
 * The schemas that CloudFormation publishes, as the CDK packs them for `cdk diff`. They are part of a package, so that no
 * account and no network is needed. Loading them takes about a second.
 */
export function loadSchemas(): Schemas {
  const database = loadAwsServiceSpecSync();
  const definitions = new Map(
    database.all('typeDefinition').map(({ $id, properties }) => [$id, properties as Properties]),
  );
  return {
    createOnlyValues: (type, properties) => {
      const [resource] = database.lookup('resource', 'cloudFormationType', 'equals', type);
      const found = new Map<string, CreateOnlyValue>();
      if (resource !== undefined) {
        collect({ found, definitions, type, path: '' }, resource.properties as Properties, properties);
        for (const path of resource.additionalReplacementProperties ?? []) {
          collectPath(found, path, properties);
        }
      }
      return found;
    },
  };
}

interface Search {
  readonly found: Map<string, CreateOnlyValue>;
  readonly definitions: ReadonlyMap<string, Properties>;
  readonly type: string;
  readonly path: string;
}

function collect(search: Search, schemas: Properties, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    const path = search.path === '' ? name : `${search.path}.${name}`;
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const { causesReplacement = schema === undefined && search.path === '' ? 'maybe' : 'no' } = schema ?? {};
    if (causesReplacement !== 'no') {
      // A property that the schemas do not have yet may be of either kind.
      search.found.set(path, { value, certain: causesReplacement === 'yes' });
    } else if (schema !== undefined) {
      collectWithin({ ...search, path }, schema.type, value);
    }
  }
}

function collectWithin(search: Search, type: SchemaType, value: unknown): void {
  if (type.element !== undefined && Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      collectWithin({ ...search, path: `${search.path}[${index}]` }, type.element, inner);
    }
  }
  for (const option of type.types ?? []) {
    collectWithin(search, option, value);
  }
  const definition = type.reference === undefined ? undefined : search.definitions.get(type.reference.$ref);
  if (definition !== undefined && isObject(value)) {
    collect(search, definition, value);
  }
}

function collectPath(found: Map<string, CreateOnlyValue>, path: readonly string[], values: unknown): void {
  let value = values;
  for (const name of path) {
    value = isObject(value) ? value[name] : undefined;
  }
  if (value !== undefined) {
    found.set(path.join('.'), { value, certain: true });
  }
}
