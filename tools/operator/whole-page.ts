import { createHash } from 'node:crypto';

/** A page as one file, and the Content-Security-Policy that it works with. */
export interface WholePage {
  readonly html: string;
  readonly policy: string;
}

/** Returns the source expression of an inline script or style (CSP Level 3 section 2.3.1). */
export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
