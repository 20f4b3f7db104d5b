import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import type { Scope } from '../../contract/scopes.ts';
import { createClient, revokeClient } from '../../tools/operator/clients.ts';
import { createFile } from '../../tools/operator/files.ts';
import type { ClientCredentials } from './deployment.ts';
import { fetchToken } from './fetch-token.ts';
import { startRunningStack } from './running-stack.ts';

/** A client application, and a token that it got. */
export interface AttackedClient extends ClientCredentials {
  readonly token: string;
}

/** A service to attack: where it is, what an attacker may have, and what it wrote down. */
export interface AttackedService {
  /** Of the API, and issuer and audience of its tokens. */
  readonly baseUrl: string;
  /** Where upload URLs point. */
  readonly storageOrigin: string;
  /** Holds both scopes. */
  readonly client: AttackedClient;
  /** Holds `volume:read` alone. */
  readonly reader: AttackedClient;
  readonly revoked: AttackedClient;
  /** Of the client's organisation, syncing enabled. */
  readonly file: string;
  readonly fileNotEnabled: string;
  /** Of another organisation, syncing enabled. */
  readonly fileOfAnother: string;
  /** Every line that access log and functions wrote so far. */
  readonly logLines: () => Promise<readonly string[]>;
  /** Keys of the stored objects. */
  readonly storedKeys: () => Promise<readonly string[]>;
  readonly close: () => Promise<unknown>;
}

export async function startAttackedService(): Promise<AttackedService> {
  const stack = await startRunningStack();
  const { deployment, baseUrl } = stack;
  const makeClient = async (name: string, scopes: readonly Scope[]): Promise<AttackedClient> => {
    const made = await createClient(deployment, { organisationId: 'acme', name, scopes });
    const credentials = { clientId: made.client_id, clientSecret: made.client_secret };
    return { ...credentials, token: await fetchToken(baseUrl, credentials) };
  };
  const makeFile = async (organisationId: string, syncEnabled: boolean) =>
    (await createFile(deployment, { organisationId, name: 'attacked.bin', syncEnabled })).file_id;
  const revoked = await makeClient('Revoked', ['volume:read', 'sync:create']);
  await revokeClient(deployment, revoked.clientId);
  return {
    baseUrl,
    storageOrigin: stack.awsEndpoint,
    client: await makeClient('Client', ['volume:read', 'sync:create']),
    reader: await makeClient('Reader', ['volume:read']),
    revoked,
    file: await makeFile('acme', true),
    fileNotEnabled: await makeFile('acme', false),
    fileOfAnother: await makeFile('umbrella', true),
    logLines: async () => {
      const folder = join(stack.stateDirectory, 'logs');
      const names = await readdir(folder);
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
      return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
    },
    storedKeys: async () => {
      const s3 = new S3Client({ ...deployment.awsConfig, forcePathStyle: true });
      const keys = new Set<string>();
      let markers: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
      while (markers !== undefined) {
        const list = new ListObjectVersionsCommand({ Bucket: deployment.outputs.BucketName, ...markers });
        const page: ListObjectVersionsCommandOutput = await s3.send(list);
        for (const { Key = '' } of page.Versions ?? []) {
          keys.add(Key);
        }
        const { NextKeyMarker = '', NextVersionIdMarker = '' } = page;
        markers = page.IsTruncated
          ? { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker }
          : undefined;
      }
      s3.destroy();
      return [...keys];
    },
    close: stack.close,
  };
}
