import type { Authorize } from './authorize.ts';

/**
 * Refuses every call of a role until a time, as AWS may while a new role is not known everywhere (IAM User Guide,
 * "Changes that I make are not always immediately visible"). Services and the operator are known already.
 *
 * @param until milliseconds since the epoch
 */
export function delayAccess(authorize: Authorize, until: number, now: () => Date): Authorize {
  return (call) => {
    if (call.principal.kind === 'session' && now().getTime() < until) {
      return { allowed: false, reason: 'not-allowed', by: 'the role, which is not known everywhere yet' };
    }
    return authorize(call);
  };
}
