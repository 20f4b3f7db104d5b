import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { importJWK, jwtVerify } from 'jose';

/** Input of a peer: an event of API Gateway with a form in base64, or with a bearer token. */
export interface PeerEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly pathParameters?: { readonly fileId?: string };
}

/** Returns an environment variable that the benchmark sets. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`Missing environment variable: ${name}`);
  }
  return value;
}

/** Reads a JSON secret, once for each process. */
export async function readSecret(variable: string) {
  const read = new GetSecretValueCommand({ SecretId: setting(variable) });
  const { SecretString: text = '' } = await new SecretsManagerClient().send(read);
  return JSON.parse(text);
}

/** Returns a function that verifies the bearer token of an event with one `jwtVerify`. */
export async function verifier() {
  const { keys } = await readSecret('KEY_SET_SECRET_ARN');
  const key = await importJWK(keys[0].jwk, keys[0].jwk.alg);
  const baseUrl = setting('BASE_URL');
  const expected = { issuer: baseUrl, audience: baseUrl, typ: 'at+jwt' };
  return ({ headers }: PeerEvent) =>
    jwtVerify(headers.authorization?.slice('Bearer '.length) ?? '', key, expected);
}

/** Returns the form of a token request. */
export function formOf({ body = '' }: PeerEvent): URLSearchParams {
  return new URLSearchParams(Buffer.from(body, 'base64').toString());
}
