import { readFileSync } from 'node:fs';

/** A row of docs/aws-facts.md. */
export interface AwsFact {
  readonly id: string;
  readonly behaviour: string;
  /** Whether the page says that a probe checks it. */
  readonly isProbed: boolean;
}

const page = readFileSync(new URL('../../../docs/aws-facts.md', import.meta.url), 'utf8');

/** The rows of docs/aws-facts.md. */
export const awsFacts: readonly AwsFact[] = [
  ...page.matchAll(/^\| `([a-z0-9-]+)` \| (.+) \| (yes|no|`[a-z-]+`) \|$/gm),
].map(([, id = '', cells = '', probed]) => ({
  id,
  behaviour: cells.split(' | ')[0] ?? '',
  isProbed: probed === 'yes',
}));
