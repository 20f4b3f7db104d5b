import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedVersions } from 'cloud-assembly-emulator/test/stored-versions';
import type { ClientCredentials } from '../../support/deployment.ts';
import { fetchToken } from '../../support/fetch-token.ts';
import { provision } from '../../support/provision.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** A client application, and a token that it got. */
export interface AttackedClient extends ClientCredentials {
  readonly token: string;
}

/** A service to attack: where it is, what an attacker may have, and what it wrote down. */
export type AttackedService = Awaited<ReturnType<typeof startAttackedService>>;

export async function startAttackedService() {
  const stack = await useRunningStack();
  const { deployment, baseUrl } = stack;
  const { fixtures } = await provision(deployment, baseUrl);
  const withToken = async (client: ClientCredentials): Promise<AttackedClient> => ({
    ...client,
    token: await fetchToken(baseUrl, client),
  });
  const { client, reader, revoked } = fixtures;
  return {
    ...fixtures,
    /** The base URL of the API, which is also the issuer and audience of its tokens. */
    baseUrl,
    /** Where upload URLs point. */
    storageOrigin: stack.awsEndpoint,
    client: await withToken(client),
    reader: await withToken(reader),
    revoked: { ...revoked, token: revoked.earlierToken },
    /** Every line that access log and functions wrote so far. */
    logLines: async () => {
      const folder = join(stack.stateDirectory, 'logs');
      const names = await readdir(folder);
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
      return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
    },
    /** Keys of the stored objects. */
    storedKeys: async () => {
      const { BucketName } = deployment.outputs;
      const versions = await storedVersions(join(stack.stateDirectory, 'aws'), BucketName);
      return versions.map(({ key }) => key);
    },
  };
}
