import { describe, expect, it } from 'vitest';
import { createCredentialIssuer } from '../../authentication/credentials.ts';

const root = Buffer.alloc(32, 7);
const session = { kind: 'session', roleArn: 'arn:aws:iam::000000000000:role/r', sessionName: 's' } as const;
const now = new Date('2026-01-31T09:00:00Z');

describe('credentials', () => {
  it('mean the same after a restart, for whoever has the root secret', () => {
    const issued = createCredentialIssuer(root).issue(session);
    const again = createCredentialIssuer(Buffer.from(root)).lookUp(
      issued.accessKeyId,
      issued.sessionToken,
      now,
    );
    expect(again).toEqual({ outcome: 'known', credentials: issued, principal: session });
    const foreign = createCredentialIssuer(Buffer.alloc(32, 8)).lookUp(
      issued.accessKeyId,
      issued.sessionToken,
      now,
    );
    expect(foreign.outcome).toBe('invalid-token');
  });

  it('end at their time', () => {
    const issuer = createCredentialIssuer(root);
    const issued = issuer.issue(session, now);
    const at = (offset: number) =>
      issuer.lookUp(issued.accessKeyId, issued.sessionToken, new Date(now.getTime() + offset)).outcome;
    expect(at(-1)).toBe('known');
    expect(at(0)).toBe('expired-token');
  });

  it('of a session are nothing without its token, or with another session\u2019s', () => {
    const issuer = createCredentialIssuer(root);
    const [one, other] = [issuer.issue(session), issuer.issue(session)];
    expect(one.accessKeyId).not.toBe(other.accessKeyId);
    expect(issuer.lookUp(one.accessKeyId, undefined, now).outcome).toBe('unknown-access-key');
    expect(issuer.lookUp(one.accessKeyId, other.sessionToken, now).outcome).toBe('invalid-token');
    expect(issuer.lookUp(one.accessKeyId, 'nonsense', now).outcome).toBe('invalid-token');
  });

  it('of the operator are long-lived', () => {
    const issuer = createCredentialIssuer(root);
    expect(issuer.lookUp(issuer.operator.accessKeyId, undefined, now)).toEqual({
      outcome: 'known',
      credentials: issuer.operator,
      principal: { kind: 'operator' },
    });
    expect(createCredentialIssuer(root).operator).toEqual(issuer.operator);
  });
});
