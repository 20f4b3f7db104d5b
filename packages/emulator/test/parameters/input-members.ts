import { NormalizedSchema } from '@smithy/core/schema';

type Shape = ReturnType<typeof NormalizedSchema.of>;

/** A member of an operation's input, at any depth. */
interface InputMember {
  /** Path such as `Entries.Source`: the member of each item of the list, or value of the map, `Entries`. */
  readonly path: string;
  /** Name on the wire: of a header, of a query parameter, or of the member. */
  readonly wireName: string;
  /** True if the member is a header, which may be in the query of a presigned URL. */
  readonly isHeader: boolean;
  /** Returns the request with this member. */
  readonly within: (request: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** @param operation the schema of an operation, as a client of the SDK exports it */
export function inputMembers(operation: unknown): InputMember[] {
  return membersOf(NormalizedSchema.of(Object(operation)[4]), '', (request, name, value) => ({
    ...request,
    [name]: value,
  }));
}

type Put = (
  request: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
) => Record<string, unknown>;

function membersOf(structure: Shape, prefix: string, put: Put): InputMember[] {
  return [...structure.structIterator()].flatMap(([name, shape]) => {
    const { httpHeader, httpPrefixHeaders, httpQuery } = shape.getMergedTraits();
    const header = httpHeader ?? httpPrefixHeaders;
    const member = {
      path: `${prefix}${name}`,
      wireName: String(header ?? httpQuery ?? name),
      isHeader: header !== undefined,
      within: (request: Readonly<Record<string, unknown>>) => put(request, name, sample(shape)),
    };
    const item = itemOf(shape);
    return item.isStructSchema() && !item.isUnionSchema()
      ? [member, ...membersOf(item, `${member.path}.`, putInto(shape, name, put))]
      : [member];
  });
}

function itemOf(shape: Shape): Shape {
  return shape.isListSchema() || shape.isMapSchema() ? shape.getValueSchema() : shape;
}

/** Adds a member to the structure of another member, or to the first item of its list or map. */
function putInto(shape: Shape, container: string, put: Put): Put {
  return (request, name, value) => {
    const given = request[container] ?? sample(shape);
    const changed = (structure: unknown) => ({ ...Object(structure), [name]: value });
    if (Array.isArray(given)) {
      return put(request, container, [changed(given[0])]);
    }
    const [key, first] = Object.entries(Object(given))[0] ?? ['x', {}];
    return put(request, container, shape.isMapSchema() ? { [key]: changed(first) } : changed(given));
  };
}

/** A structure in a list contains its first member: the query protocol does not send an empty one. */
function sampleItem(shape: Shape): unknown {
  if (!shape.isStructSchema() || shape.isUnionSchema()) {
    return sample(shape);
  }
  const [first] = shape.structIterator();
  return first === undefined ? {} : { [first[0]]: sample(first[1]) };
}

/** Creates the smallest value of a shape. */
function sample(shape: Shape): unknown {
  if (shape.isListSchema()) {
    return [sampleItem(shape.getValueSchema())];
  }
  if (shape.isMapSchema()) {
    return { x: sample(shape.getValueSchema()) };
  }
  if (shape.isUnionSchema()) {
    return { S: 'x' };
  }
  if (shape.isStructSchema()) {
    return {};
  }
  if (shape.isTimestampSchema()) {
    return new Date(0);
  }
  if (shape.isBooleanSchema()) {
    return true;
  }
  if (shape.isNumericSchema()) {
    return 1;
  }
  return shape.isBlobSchema() ? Buffer.from('x') : 'x';
}
