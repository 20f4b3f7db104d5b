import { computeFacts } from './compute-facts.ts';
import type { AwsFact } from './fact.ts';
import { identityFacts } from './identity-facts.ts';
import { storageFacts } from './storage-facts.ts';

/** Every fact about AWS on which code or emulator depends: the rows of docs/aws-facts.md. */
export const awsFacts: readonly AwsFact[] = [...storageFacts, ...identityFacts, ...computeFacts];
