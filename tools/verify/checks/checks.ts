import { readFileSync } from 'node:fs';
import { contractSuite, type SuiteTarget } from '../contract-suite.ts';
import type { Check } from './check.ts';
import { gatewayFacts } from './gateway.ts';
import { keyFacts } from './keys.ts';
import { revocation, rotation } from './rotation.ts';
import { storageFacts } from './storage.ts';
import { recordFacts, uploadParts } from './uploads.ts';

/** The checks of the facts of docs/aws-facts.md. */
export const facts: readonly Check[] = [...storageFacts, ...recordFacts, ...keyFacts, ...gatewayFacts];

/** Everything that is looked at, in this order. */
export function checksOf(target: SuiteTarget): readonly Check[] {
  // A revocation leaves copies of the key behind for minutes, which would disturb whatever comes after it.
  return [contractSuite(target), ...uploadParts, rotation, ...facts, revocation];
}

const page = readFileSync(new URL('../../../docs/aws-facts.md', import.meta.url), 'utf8');

/** The rows of docs/aws-facts.md: the behaviour, and whether the page says that a check of its own looks at it. */
export const awsFacts = [...page.matchAll(/^\| `([a-z0-9-]+)` \| (.+) \| (yes|no|`[a-z-]+`) \|$/gm)].map(
  ([, id = '', cells = '', checked]) => ({
    id,
    behaviour: cells.split(' | ')[0] ?? '',
    isChecked: checked === 'yes',
  }),
);
