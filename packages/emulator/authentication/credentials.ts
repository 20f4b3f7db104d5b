import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Principal, RoleSession } from '../iam/principal.ts';
import { writeFileAtomically } from '../shared/files.ts';
import { brokenState, readStateText } from '../shared/state-file.ts';

/** Credentials in the form of the SDK's environment variables. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Result of checking an access key and its token. */
export type CredentialLookup =
  | { readonly outcome: 'unknown-access-key' }
  | { readonly outcome: 'invalid-token' }
  | { readonly outcome: 'expired-token' }
  | {
      readonly outcome: 'known';
      readonly credentials: Credentials;
      readonly principal: Exclude<Principal, { kind: 'service' }>;
    };

/**
 * Issues and recognizes credentials without storing them. A session token is the encrypted name of its owner.
 * The secret access key is derived from the access key ID. A presigned URL therefore stays valid after a
 * restart, as in AWS.
 */
export interface CredentialIssuer {
  readonly operator: Credentials;
  readonly issue: (session: RoleSession, expiresAt?: Date) => Credentials;
  readonly lookUp: (accessKeyId: string, sessionToken: string | undefined, now: Date) => CredentialLookup;
}

interface TokenPayload extends RoleSession {
  readonly accessKeyId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
}

const tokenCipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

const rootSecretRemedy =
  'Move it away: the next start creates a new one. Earlier upload URLs then stop working.';

/**
 * Reads the root secret from the state folder. The first start creates the root secret.
 *
 * @throws {StartProblem} when the file is damaged
 */
export async function openCredentialIssuer(stateDirectory: string): Promise<CredentialIssuer> {
  const path = join(stateDirectory, 'root-secret');
  const stored = await readStateText(path, rootSecretRemedy);
  if (stored !== undefined && !/^[0-9a-f]{64}\n?$/.test(stored)) {
    throw brokenState(path, 'it is not a number of 64 hexadecimal digits', rootSecretRemedy);
  }
  const root = stored === undefined ? randomBytes(32) : Buffer.from(stored.trim(), 'hex');
  if (stored === undefined) {
    await writeFileAtomically(path, `${root.toString('hex')}\n`);
  }
  const operatorKeyId = `AKIA${keyIdCharacters(createHash('sha256').update(root).update('operator').digest())}`;
  const operator = { accessKeyId: operatorKeyId, secretAccessKey: secretFor(root, operatorKeyId) };
  return {
    operator,
    issue: (session, expiresAt) => issue(root, session, expiresAt),
    lookUp: (accessKeyId, sessionToken, now) => {
      if (sessionToken !== undefined) {
        return lookUpSession(root, accessKeyId, sessionToken, now);
      }
      if (accessKeyId !== operatorKeyId) {
        return { outcome: 'unknown-access-key' };
      }
      return { outcome: 'known', credentials: operator, principal: { kind: 'operator' } };
    },
  };
}

function issue(root: Buffer, session: RoleSession, expiresAt: Date | undefined): Credentials {
  const accessKeyId = `ASIA${keyIdCharacters(randomBytes(16))}`;
  const sessionToken = writeToken(root, { ...session, accessKeyId, expiresAt: expiresAt?.getTime() });
  return { accessKeyId, secretAccessKey: secretFor(root, accessKeyId), sessionToken };
}

function lookUpSession(root: Buffer, accessKeyId: string, token: string, now: Date): CredentialLookup {
  const payload = readToken(root, token);
  if (payload === undefined || payload.accessKeyId !== accessKeyId) {
    return { outcome: 'invalid-token' };
  }
  if (payload.expiresAt !== undefined && payload.expiresAt <= now.getTime()) {
    return { outcome: 'expired-token' };
  }
  const { roleArn, sessionName, sessionPolicy } = payload;
  return {
    outcome: 'known',
    credentials: { accessKeyId, secretAccessKey: secretFor(root, accessKeyId), sessionToken: token },
    principal: { kind: 'session', roleArn, sessionName, sessionPolicy },
  };
}

/**
 * Writes a token of the length that AWS uses, in base64 with `+`, `/` and `=`: a presigned URL is longer than
 * 1,800 characters (https://github.com/aws/aws-sdk-java-v2/issues/4014).
 */
function writeToken(root: Buffer, payload: TokenPayload): string {
  const text = JSON.stringify(payload);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(tokenCipher, tokenKey(root), iv);
  // A multiple of 3: the base64 of the whole token then ends with `==`.
  const padded = text.padEnd(3 * Math.ceil(Math.max(text.length, 1020) / 3));
  const encrypted = Buffer.concat([cipher.update(padded), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64');
}

/** @returns undefined for a token that no emulator with this root secret wrote */
function readToken(root: Buffer, token: string): TokenPayload | undefined {
  const bytes = Buffer.from(token, 'base64');
  if (bytes.length < ivBytes + tagBytes) {
    return undefined;
  }
  const decipher = createDecipheriv(tokenCipher, tokenKey(root), bytes.subarray(0, ivBytes));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const text = decipher.update(bytes.subarray(ivBytes + tagBytes));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  // An emulator with this root secret wrote the text, so its shape needs no check.
  return JSON.parse(text.toString('utf8')) as TokenPayload;
}

function tokenKey(root: Buffer): Buffer {
  return createHmac('sha256', root).update('session-token').digest();
}

function secretFor(root: Buffer, accessKeyId: string): string {
  const mac = createHmac('sha256', root).update(`secret-access-key:${accessKeyId}`).digest('base64');
  return mac.slice(0, 40);
}

function keyIdCharacters(bytes: Buffer): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return Array.from(bytes.subarray(0, 16), (byte) => alphabet.charAt(byte % 32)).join('');
}
