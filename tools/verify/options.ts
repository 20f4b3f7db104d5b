import { resolve } from 'node:path';
import { UsageError } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';
import { type PartName, partNames } from './checks/check.ts';
import { probes } from './probes/probes.ts';

/** Flags as they were typed. */
export interface Flags {
  readonly stack?: string;
  readonly local?: true;
  readonly state: string;
  readonly upgrade?: true;
  readonly app: string;
  readonly baseUrl?: string;
  readonly file?: string;
  readonly fileNotEnabled?: string;
  readonly fileOfAnother?: string;
  readonly report?: string;
  readonly only?: string;
  readonly skip?: string;
  readonly wait?: true;
  readonly yes?: true;
}

/** What is verified, and how. */
export type Target =
  | { readonly kind: 'local'; readonly stateDirectory: string }
  | { readonly kind: 'stack'; readonly name: string };

/** @throws {UsageError} unless one deployment is named */
export function targetOf({ stack, local, state }: Flags): Target {
  if (stack !== undefined && local) {
    throw new UsageError('Choose one deployment: give either --stack or --local.');
  }
  if (stack !== undefined) {
    return { kind: 'stack', name: stack };
  }
  if (!local) {
    throw new UsageError(
      'Name the deployment: give --stack NAME, --local with --state DIR, or --base-url URL.',
    );
  }
  return { kind: 'local', stateDirectory: resolve(state) };
}

/** What is wanted, by names of parts and ids of facts. */
export interface Wanted {
  readonly part: (name: PartName) => boolean;
  readonly fact: (id: string) => boolean;
}

/** @throws {UsageError} naming what is neither a part nor a fact */
export function wantedOf({ only, skip }: Pick<Flags, 'only' | 'skip'>): Wanted {
  const chosen = only === undefined ? undefined : namesIn('--only', only);
  const left = new Set(skip === undefined ? [] : namesIn('--skip', skip));
  const facts = new Set(probes.map(({ fact }) => fact));
  const factsChosen = chosen?.some((name) => facts.has(name)) === true;
  const chosenPart = (name: PartName) =>
    chosen === undefined || chosen.includes(name) || (name === 'facts' && factsChosen);
  const chosenFact = (id: string) => chosen === undefined || chosen.includes('facts') || chosen.includes(id);
  return {
    part: (name) => chosenPart(name) && !left.has(name),
    fact: (id) => chosenFact(id) && !left.has(id),
  };
}

function namesIn(flag: string, text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const known = new Set<string>([...partNames, ...probes.map(({ fact }) => fact)]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `${flag} has ${quoted(unknown)}, which is neither a part nor a fact that is checked. ` +
        `The parts are ${partNames.join(', ')}. docs/aws-facts.md has the ids of the facts.`,
    );
  }
  return names;
}
