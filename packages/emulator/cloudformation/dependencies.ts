import { isJsonArray, isJsonObject, type Json } from '../shared/json.ts';
import type { TemplateResource } from './template.ts';

/**
 * Logical IDs in the order in which CloudFormation creates them: the resources that a resource refers to, or depends
 * on, come before it. Names that are no resources are ignored here.
 *
 * @throws {Error} naming the resources that wait for each other
 */
export function creationOrder(resources: Readonly<Record<string, TemplateResource>>): string[] {
  const order: string[] = [];
  const done = new Set<string>();
  const visit = (logicalId: string, path: readonly string[]) => {
    const resource = resources[logicalId];
    if (!resource || done.has(logicalId)) {
      return;
    }
    if (path.includes(logicalId)) {
      throw new Error(`circular dependency: ${[...path, logicalId].join(' -> ')}`);
    }
    for (const needed of dependenciesOf(resource)) {
      visit(needed, [...path, logicalId]);
    }
    done.add(logicalId);
    order.push(logicalId);
  };
  for (const logicalId of Object.keys(resources)) {
    visit(logicalId, []);
  }
  return order;
}

/** Names that a resource refers to or depends on; some may be no resources. */
function dependenciesOf(resource: TemplateResource): readonly string[] {
  return [...[resource.DependsOn].flat(), ...references(resource.Properties)];
}

function references(value: Json): string[] {
  if (isJsonArray(value)) {
    return value.flatMap(references);
  }
  if (!isJsonObject(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, argument]) => {
    if (key === 'Ref' && typeof argument === 'string') {
      return [argument];
    }
    if (key === 'Fn::GetAtt') {
      return [firstPart(argument)];
    }
    if (key === 'Fn::Sub') {
      return substituted(argument);
    }
    return references(argument);
  });
}

function firstPart(argument: Json): string {
  const name = isJsonArray(argument) ? argument[0] : argument;
  return typeof name === 'string' ? (name.split('.')[0] ?? '') : '';
}

function substituted(argument: Json): string[] {
  const template = typeof argument === 'string' ? argument : '';
  return [...template.matchAll(/\$\{([^}]*)\}/g)].map((match) => firstPart(match[1] ?? ''));
}
