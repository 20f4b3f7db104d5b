import { resolve } from './intrinsics.ts';
import type { TemplateResource } from './template.ts';

/**
 * Returns logical IDs in the order in which CloudFormation creates the resources: a resource follows its
 * references and dependencies. Names without a resource are ignored.
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

/** Names that a resource depends on or refers to. Some are not resources, such as pseudo parameters. */
function dependenciesOf({ DependsOn, Properties }: TemplateResource): readonly string[] {
  const names = [DependsOn].flat();
  const note = (name: string) => {
    names.push(name);
    return '';
  };
  try {
    resolve(Properties, { ref: note, attribute: note });
  } catch {
    // An expression that cannot be resolved is reported when the resource itself is loaded.
  }
  return names;
}
