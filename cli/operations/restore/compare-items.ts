import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../storage/attributes.ts';

/** The names of the attributes that differ between two items, sorted. */
export function changedAttributes(one: Item, other: Item): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name])).toSorted();
}

/** A condition of DynamoDB, with its placeholders. */
export interface ItemCondition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, AttributeValue>;
}

/**
 * The condition that an item still is as it was read: each of its values is the same, and it has none of the further
 * attributes.
 */
export function isStill(item: Item, further: readonly string[]): ItemCondition {
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const nameOf = (name: string) => {
    const placeholder =
      Object.keys(names).find((key) => names[key] === name) ?? `#n${Object.keys(names).length}`;
    names[placeholder] = name;
    return placeholder;
  };
  const placeholderOf = (value: AttributeValue) => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = value;
    return placeholder;
  };
  const same = (path: string, value: AttributeValue): readonly string[] => {
    const parts =
      value.L?.map((part, index) => [`${path}[${index}]`, part] as const) ??
      (value.M && Object.entries(value.M).map(([name, part]) => [`${path}.${nameOf(name)}`, part] as const));
    return parts === undefined
      ? [`${path} = ${placeholderOf(value)}`]
      : [
          `size(${path}) = ${placeholderOf({ N: String(parts.length) })}`,
          ...parts.flatMap(([partPath, part]) => same(partPath, part)),
        ];
  };
  const conditions = Object.entries(item).flatMap(([name, value]) => same(nameOf(name), value));
  const absent = further
    .filter((name) => !(name in item))
    .map((name) => `attribute_not_exists(${nameOf(name)})`);
  return {
    ConditionExpression: [...conditions, ...absent].join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
