import type { ApiSchema } from '../../../cli/operations/api/api-description.ts';
import { plainText, Text } from '../../components/text.tsx';

/** The name of a schema that others refer to. */
export function nameOfReference(reference: string): string | undefined {
  return /^#\/components\/schemas\/([^/]{1,100})$/.exec(reference)?.[1];
}

/** The address of a named schema. */
function schemaAddress(name: string): string {
  return `/try/schemas#${encodeURIComponent(name)}`;
}

/** Deeper ones are in schemas of their own: only a hostile document has more. */
const deepest = 6;

/** A schema in words, with its properties. */
export function SchemaView({ schema, depth = 0 }: { readonly schema: ApiSchema; readonly depth?: number }) {
  const { properties, items, required = [], description } = schema;
  return (
    <>
      <SchemaType schema={schema} />
      {description !== undefined && (
        <>
          {' '}
          <Text of={description} />
        </>
      )}
      {items !== undefined && depth < deepest && (
        <div class="nested">
          each: <SchemaView schema={items} depth={depth + 1} />
        </div>
      )}
      {properties !== undefined && depth < deepest && (
        <ul class="nested">
          {Object.entries(properties).map(([name, property]) => (
            <li>
              <code>{plainText(name)}</code> {required.includes(name) ? '' : '(may be absent) '}
              <SchemaView schema={property} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function SchemaType({ schema }: { readonly schema: ApiSchema }) {
  const name = schema.$ref === undefined ? undefined : nameOfReference(schema.$ref);
  if (name !== undefined) {
    return (
      <a href={schemaAddress(name)}>
        <Text of={name} />
      </a>
    );
  }
  return (
    <span class="hint">
      <Text of={describeType(schema)} />
    </span>
  );
}

function describeType(schema: ApiSchema): string {
  const { type, format, pattern, minLength, maxLength, minimum, maximum } = schema;
  const names = typeof type === 'string' ? [type] : (type ?? []);
  return [
    ...names,
    ...(format === undefined ? [] : [`(${format})`]),
    ...(schema.const === undefined ? [] : [`always ${JSON.stringify(schema.const)}`]),
    ...(schema.enum === undefined
      ? []
      : [`one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}`]),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`up to ${maximum}`]),
    ...(pattern === undefined ? [] : [`matching ${pattern}`]),
  ].join(' ');
}
