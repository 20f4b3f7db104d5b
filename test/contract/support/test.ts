import { test as base } from 'vitest';
import type { Deployment as OperatedDeployment } from '../../../tools/operator/deployment/deployment.ts';
import type { Deployment } from '../../support/deployment.ts';
import { fetchToken } from '../../support/fetch-token.ts';
import { once } from './api.ts';
import { requestUploadUrl } from './sync-request.ts';
import { api, deployment } from './tested.ts';
import type { UploadUrl } from './upload-url.ts';

export { api };

/** Fixtures that a test can name. If the deployment lacks a fixture, the test is skipped with the reason. */
export type Fixtures = Required<
  Pick<
    Deployment,
    | 'client'
    | 'reader'
    | 'revoked'
    | 'elsewhere'
    | 'organisationId'
    | 'file'
    | 'fileNotEnabled'
    | 'fileOfAnother'
    | 'signingKey'
  >
> & {
  /** A token that was issued before its client was revoked. */
  readonly revokedToken: string;
  /** Token of `client` with both scopes. */
  readonly token: string;
  /** Token of `reader`. */
  readonly readerToken: string;
  /** New upload URL for `file`. */
  readonly uploadUrl: UploadUrl;
  /** Operator's rights, on a local run only. */
  readonly operator: OperatedDeployment;
};

type Skip = (note: string) => void;

/**
 * Returns a value that the deployment may lack. In a complete deployment, a missing value fails the test and
 * never skips it.
 */
function present<Value>(value: Value | undefined, what: string, skip: Skip): Value {
  if (value === undefined && !deployment.complete) {
    skip(`needs ${what}`);
  }
  if (value === undefined) {
    throw new Error(`Not provisioned: ${what}`);
  }
  return value;
}

const tokenOfClient = once(() => fetchToken(deployment.baseUrl, deployment.client));
const tokenOfReader = once(async () =>
  deployment.reader === undefined ? undefined : fetchToken(deployment.baseUrl, deployment.reader),
);

type Use<Value> = (value: Value) => Promise<void>;
type Context = { readonly skip: Skip };

/** Returns a fixture from a member of the deployment; the description is the reason of a skip. */
function member<Name extends keyof typeof deployment>(name: Name, what: string) {
  return ({ skip }: Context, use: Use<NonNullable<(typeof deployment)[Name]>>) =>
    use(present(deployment[name] ?? undefined, what, skip) as NonNullable<(typeof deployment)[Name]>);
}

export const test = base.extend<Fixtures>({
  client: member('client', 'a client with both scopes'),
  reader: member('reader', 'a client with volume:read alone'),
  revoked: member('revoked', 'a revoked client'),
  elsewhere: member('elsewhere', 'a client of other addresses'),
  revokedToken: ({ skip }, use) =>
    use(present(deployment.revoked?.earlierToken, 'a token that a client got before it was revoked', skip)),
  token: async ({ skip }, use) => use(present(await tokenOfClient(), 'a token', skip)),
  readerToken: async ({ skip }, use) =>
    use(present(await tokenOfReader(), 'a client with volume:read alone', skip)),
  organisationId: member('organisationId', 'the organisation of the client'),
  file: member('file', 'a file with syncing enabled'),
  fileNotEnabled: member('fileNotEnabled', 'a file with syncing not enabled'),
  fileOfAnother: member('fileOfAnother', 'a file of another organisation'),
  uploadUrl: async ({ token, file }, use) => use(await requestUploadUrl(token, file)),
  operator: async ({ skip }, use) =>
    use({ ...present(deployment.operator, "a local run, for the operator's rights", skip), now: Date.now }),
  signingKey: member('signingKey', 'a local run, to publish a key of the suite'),
});
