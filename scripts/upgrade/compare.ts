import type { Finding } from './finding.ts';
import { protectionFindings } from './protections.ts';
import { type Replacement, replacements } from './replacements.ts';
import { heldBy, isClassified } from './resource-classes.ts';
import type { Schemas } from './schemas.ts';
import { tableFindings } from './tables.ts';
import { type Resource, referencesIn, type SynthesizedStack, type Template } from './template.ts';

/** What an update of a deployed stack to another version would lose. */
export function compareStacks(
  from: SynthesizedStack,
  to: SynthesizedStack,
  schemas: Schemas,
): readonly Finding[] {
  if (from.name !== to.name) {
    return [renamed(from.name, to.name)];
  }
  return [
    ...(from.terminationProtection && !to.terminationProtection ? [unprotected(from.name)] : []),
    ...compareTemplates(from.template, to.template, schemas),
  ];
}

/** What an update of a template would lose. */
export function compareTemplates(from: Template, to: Template, schemas: Schemas): readonly Finding[] {
  const replaced = replacements(from, to, schemas);
  return [
    ...Object.entries(from.Resources).flatMap(([id, before]) => {
      const now = to.Resources[id];
      return now === undefined
        ? removedFindings(id, before, { from, to })
        : keptFindings(id, { before, now }, replaced.get(id));
    }),
    ...Object.entries(from.Outputs).flatMap(([name]) => outputFindings(name, from, to)),
    ...unclassified([from, to]),
  ];
}

function renamed(from: string, to: string): Finding {
  return {
    kind: 'stack renamed',
    subject: from,
    what: `The stack is called ${to}.`,
    why: `A deployment makes a second stack, with empty tables and another address. ${from} stays as it is, and is never updated again.`,
    next: `Keep the name ${from}.`,
  };
}

function unprotected(name: string): Finding {
  return {
    kind: 'protection weaker',
    subject: name,
    what: 'The stack loses its termination protection.',
    why: 'From this update on, one command deletes the stack.',
    next: 'Keep terminationProtection.',
  };
}

function removedFindings(
  id: string,
  before: Resource,
  { from, to }: { readonly from: Template; readonly to: Template },
): readonly Finding[] {
  const holds = heldBy(before);
  if (holds === undefined) {
    return [];
  }
  const successors = Object.entries(to.Resources)
    .filter(([other, { Type }]) => Type === before.Type && from.Resources[other] === undefined)
    .map(([other]) => other);
  const retained = before.DeletionPolicy !== undefined && before.DeletionPolicy !== 'Delete';
  const empty =
    successors.length === 0
      ? ''
      : ` The stack uses ${successors.join(', ')} in its place, which starts empty.`;
  return [
    {
      kind: 'resource removed',
      subject: id,
      what: `The new version has no ${before.Type} with this logical ID.`,
      why: retained
        ? `It holds ${holds}. It is retained in the account, but the stack no longer has it.${empty}`
        : `It holds ${holds}. CloudFormation deletes it.${empty}`,
      next: 'Keep its logical ID: undo the change of its construct, or of the ids around it, or call overrideLogicalId.',
    },
  ];
}

interface Versions {
  readonly before: Resource;
  readonly now: Resource;
}

function keptFindings(
  id: string,
  { before, now }: Versions,
  replacement: Replacement | undefined,
): readonly Finding[] {
  const holds = heldBy(before);
  if (holds === undefined) {
    return [];
  }
  return [
    ...(replacement === undefined ? [] : [replacedFinding(id, holds, before, replacement)]),
    ...tableFindings(id, before, now),
    ...protectionFindings(id, before, now),
  ];
}

function replacedFinding(id: string, holds: string, before: Resource, replacement: Replacement): Finding {
  const retained = before.UpdateReplacePolicy !== undefined && before.UpdateReplacePolicy !== 'Delete';
  const old = retained
    ? 'The old one is retained in the account, but the stack no longer has it.'
    : 'The old one is deleted.';
  return {
    kind: replacement.certain ? 'resource replaced' : 'resource may be replaced',
    subject: id,
    what: `${capitalised(replacement.because)}.`,
    why: `It holds ${holds}. CloudFormation ${replacement.certain ? 'makes' : 'may make'} a new one, which lacks that. ${old}`,
    next: 'Keep the property. What must be different belongs into a second resource, beside this one.',
  };
}

function capitalised(text: string): string {
  // Names of properties are capitalised already.
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function outputFindings(name: string, from: Template, to: Template): readonly Finding[] {
  const now = to.Outputs[name];
  if (now === undefined) {
    return [
      {
        kind: 'output removed',
        subject: name,
        what: 'The new version has no output of this name.',
        why: 'Commands of the old version, and whatever else reads the outputs of the stack, no longer find it.',
        next: 'Keep the output. A new name can stand beside it.',
      },
    ];
  }
  const refersTo = referencesIn(now.Value);
  return [...referencesIn(from.Outputs[name]?.Value)]
    .filter((id) => isStateful(from, id) && to.Resources[id] !== undefined && !refersTo.has(id))
    .map((id) => ({
      kind: 'output moved' as const,
      subject: name,
      what: `It no longer names ${id}.`,
      why: `Commands and scripts that read the output leave ${id} and all that it holds, without a word.`,
      next: `Keep the output on ${id}. Give what is new an output of its own.`,
    }));
}

function isStateful(template: Template, id: string): boolean {
  const resource = template.Resources[id];
  return resource !== undefined && heldBy(resource) !== undefined;
}

function unclassified(templates: readonly Template[]): readonly Finding[] {
  const types = templates.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type));
  return [...new Set(types)]
    .filter((type) => !isClassified(type))
    .map((type) => ({
      kind: 'type not classified' as const,
      subject: type,
      what: 'The lists of types do not have it.',
      why: 'Nobody has said whether a resource of this type holds something that an update could lose.',
      next: 'Put it into one of the two lists in scripts/upgrade/resource-classes.ts.',
    }));
}
