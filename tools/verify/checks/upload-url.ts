import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { type Row, type RowStorage, rows } from '../../../test/upload-url/rows.ts';
import { s3Client } from '../../operator/deployment/aws-clients.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { judge, NotChecked, withoutSecrets } from '../world/outcome.ts';
import type { World } from '../world/world.ts';
import type { Check, CheckOutcome } from './check.ts';

/** Sends every request of docs/generated/upload-url.md to the bucket of the deployment. */
export function uploadUrlRows(deployment: Deployment): Check {
  return {
    name: 'upload-url',
    does: `send the ${rows.length} requests of docs/generated/upload-url.md`,
    look: async (world) => compareRows(rows, await rowStorage(deployment, world)),
  };
}

/** Sends the requests one after the other, and compares their answers with what Amazon documents. */
export async function compareRows(sent: readonly Row[], storage: RowStorage): Promise<CheckOutcome> {
  const results: (Compared & { readonly row: Row })[] = [];
  for (const row of sent) {
    results.push({ row, ...(await compare(row, storage)) });
  }
  const count = (result: Compared['result']) => results.filter((it) => it.result === result).length;
  const details = results.map(
    ({ row, result, came }) =>
      `| ${row.sent.replaceAll('|', '\\|')} | ${shown(row.documented)} | ${came} | ${result} |`,
  );
  const different = results.filter(({ result }) => result === 'differs').map(({ row }) => row.sent);
  const names = different.length === 0 ? '' : ` Different: ${different.join('; ')}.`;
  return {
    ...judge(
      different.length === 0,
      `${count('as documented')} of ${sent.length} requests got the documented answer, ${different.length} another one, ` +
        `and ${count('not checked')} could not be checked.${names}`,
    ),
    details: ['| Request | Documented | Came | Result |', '|---|---|---|---|', ...details],
  };
}

interface Compared {
  readonly result: 'as documented' | 'differs' | 'not checked';
  readonly came: string;
}

async function compare({ act, documented }: Row, storage: RowStorage): Promise<Compared> {
  try {
    const came = await act(storage);
    const same = came.status === documented.status && came.code === documented.code;
    return { result: same ? 'as documented' : 'differs', came: shown(came) };
  } catch (error) {
    const text = withoutSecrets(error instanceof Error ? error.message : String(error));
    return { result: error instanceof NotChecked ? 'not checked' : 'differs', came: text };
  }
}

function shown({ status, code }: { readonly status: number; readonly code?: string }): string {
  return code === undefined ? String(status) : `${status} ${code}`;
}

async function rowStorage(deployment: Deployment, world: World): Promise<RowStorage> {
  const s3 = await s3Client(deployment);
  const { BucketName: bucket } = deployment.outputs;
  const issue = async () => {
    const { url, key } = await world.issue();
    return { url: url.reveal(), key };
  };
  const signed = async (url: string, seconds: number, expiresIn: number) => {
    const presigner = new S3RequestPresigner({
      region: world.operator.region,
      credentials: s3.config.credentials,
      sha256: Hash.bind(null, 'sha256'),
    });
    return presign(presigner, new URL(url), new Date(world.now() - seconds * 1000), expiresIn);
  };
  return {
    bucket,
    s3,
    issue,
    // No clock can be turned here, so the operator signs a URL for the same object with the time of then.
    issuedAgo: async (seconds) => {
      const { url, key } = await issue();
      return { url: await signed(url, seconds, 3600), key };
    },
    afterSession: () => {
      throw new NotChecked('It needs a session that has ended, so an hour of waiting');
    },
    signedAgo: async (seconds, lifetimeSeconds) => signed((await issue()).url, seconds, lifetimeSeconds),
  };
}

async function presign(
  presigner: S3RequestPresigner,
  { protocol, hostname, port, host, pathname }: URL,
  signingDate: Date,
  expiresIn: number,
): Promise<string> {
  const request = new HttpRequest({
    method: 'PUT',
    protocol,
    hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    path: pathname,
    query: { 'If-None-Match': '*' },
    headers: { host },
  });
  const { path, query = {} } = await presigner.presign(request, { expiresIn, signingDate });
  const parameters = Object.entries(query).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll('*', '%2A')}`,
  );
  return `${protocol}//${host}${path}?${parameters.join('&')}`;
}
