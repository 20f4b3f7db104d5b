import type { ApiAnswer } from '../../../cli/operations/api/call-api.ts';
import type { PageContext } from '../../http/environment.ts';
import type { Session } from '../../http/sessions.ts';

/** What a session remembers of its requests. It is in memory alone, and ends with the session. */
export interface TryMemory {
  token: { readonly value: string; readonly expiresAt: number; readonly scope: string } | undefined;
  /** The upload URL that the last sync gave, until something was sent to it. */
  upload: { readonly url: URL; readonly fileId: string } | undefined;
  /** What was last entered for each operation, without secrets. */
  readonly entered: Map<string, Readonly<Record<string, string>>>;
  /** The last answer of each operation. */
  readonly answers: Map<string, ApiAnswer>;
}

const memories = new WeakMap<Session, TryMemory>();

export function memoryOf(c: PageContext): TryMemory {
  const { session } = c.var;
  const memory = memories.get(session) ?? {
    token: undefined,
    upload: undefined,
    entered: new Map(),
    answers: new Map(),
  };
  memories.set(session, memory);
  return memory;
}

/** The token of the session, while it has not expired. */
export function liveToken(c: PageContext): TryMemory['token'] {
  const { token } = memoryOf(c);
  return token !== undefined && token.expiresAt > c.var.console.now() ? token : undefined;
}
