import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { createClock } from 'cloud-assembly-emulator';
import { dynamoDBClient, s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { checkContent } from '../../../tools/operator/doctor/content.ts';
import { openContent } from '../../../tools/operator/files/download.ts';
import { cancelUpload } from '../../../tools/operator/uploads/cancel.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { createCopy } from '../../docs/support/tables.ts';
import { createApiUser } from '../../support/api-user.ts';
import { fetchToken } from '../../support/fetch-token.ts';
import { adminOf } from '../../support/run-admin.ts';
import type { RunningStack } from '../../support/running-stack.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/**
 * Runs the commands of docs/recovery.md on a second stack, a day after the first was lost. Commands of the product run as
 * written. SDK calls replace those of the AWS CLI.
 */

const page = await readFile('docs/recovery.md', 'utf8');
const [, steps = ''] = /^## Recover\n(.*?)^## /ms.exec(page) ?? [];
const commands = [...steps.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block
    .replaceAll(/ \\\n */g, ' ')
    .trim()
    .split(/\n */),
);

const tables = {
  organisations: ['OrganisationsTableName', 'organisation_id'],
  clients: ['ClientsTableName', 'client_id'],
  files: ['FilesTableName', 'file_id'],
  uploads: ['UploadsTableName', 'upload_id'],
} as const;
type TableName = keyof typeof tables;

/**
 * Runs a stack, copies it, and stops it. One table is copied before the others, the bucket last. One object is lost, or
 * damaged.
 */
async function loseStack(first: TableName) {
  const stack = await useRunningStack();
  const { deployment } = stack;
  const user = await createApiUser(stack);
  const [kept, unreplicated, between, behind, busy] = await Promise.all(
    Array.from({ length: 5 }, user.newFile),
  );
  const store = async (issued: Awaited<ReturnType<typeof user.issue>>, content: string) => {
    await issued.put(content);
    await stack.eventsSettled();
    return `uploads/${issued.uploadId}`;
  };
  await store(await user.issue(kept), 'kept');
  await store(await user.issue(busy), 'replaced');
  const missing = await store(await user.issue(unreplicated), 'missing');
  await cancelUpload(deployment, (await user.issue()).uploadId);
  const [inBetween, after] = [await user.issue(between), await user.issue(behind)];

  const database = await dynamoDBClient(deployment);
  const read = async (name: TableName) => {
    const { Items = [] } = await database.scan({ TableName: deployment.outputs[tables[name][0]] });
    return [name, Items] as const;
  };
  const others = (Object.keys(tables) as TableName[]).filter((name) => name !== first);
  const early = await read(first);
  await store(inBetween, 'between');
  const created = await store(await user.issue(), 'created');
  const copies = [early, ...(await Promise.all(others.map(read)))];
  await store(after, 'behind');
  const unknown = await store(await user.issue(kept), 'unknown');

  const s3 = await s3Client(deployment);
  const Bucket = deployment.outputs.BucketName;
  const { Contents = [] } = await s3.listObjectsV2({ Bucket });
  const replicated = Contents.filter(({ Key }) => Key !== missing || first === 'uploads');
  const objects = await Promise.all(
    replicated.map(async ({ Key = '' }) => {
      const { Body } = await s3.getObject({ Bucket, Key });
      const bytes = (await Body?.transformToByteArray()) ?? '';
      return { Key, Body: Key === missing ? 'damaged' : bytes };
    }),
  );
  await stack.close();
  const strays = first === 'files' ? [created, unknown] : [unknown];
  return { user, copies, objects, strays, unreplicated, complete: { kept, between, behind, busy } };
}

const chaos = { maxDelayMilliseconds: 0, doubled: 0, dropped: 0 };

/** Replacements of AWS commands, by their first words. The test starts the stack itself. */
const standIns: Readonly<
  Record<string, (stack: RunningStack, lost: Awaited<ReturnType<typeof loseStack>>) => Promise<unknown>>
> = {
  'npx cdk': async () => undefined,
  export: async () => undefined,
  'aws backup start-restore-job': async ({ deployment }, { copies }) => {
    for (const [name, items] of copies) {
      await createCopy(deployment, tables[name][1], `${name}-copy`, items);
    }
  },
  'aws dynamodb': async () => undefined,
  'aws events disable-rule': async () => {
    chaos.dropped = 1;
  },
  'aws configure set': async () => undefined,
  'aws s3 sync': async ({ deployment, eventsSettled }, { objects }) => {
    const s3 = await s3Client(deployment);
    const Bucket = deployment.outputs.BucketName;
    await Promise.all(objects.map((object) => s3.putObject({ Bucket, ...object })));
    await eventsSettled();
  },
  'aws events enable-rule': async () => {
    chaos.dropped = 0;
  },
};

test.for([
  ['files', 2, 1, 5],
  ['uploads', 4, 3, 3],
] as const)(
  'a stack recovers, also if the %s were copied first',
  async ([first, withContent, copied, objects]) => {
    const lost = await loseStack(first);
    const strays = lost.strays.length;
    const clock = createClock();
    clock.advance(26 * 3_600_000);
    const stack = await useRunningStack({ clock, eventChaos: chaos });
    const { deployment, baseUrl } = stack;
    const { client_id: clientId, client_secret: clientSecret } = lost.user.client;
    const uploadInto = async (fileId: string | undefined, body: string) => {
      const headers = { authorization: `Bearer ${await fetchToken(baseUrl, { clientId, clientSecret })}` };
      const response = await fetch(`${baseUrl}/v0/files/${fileId}/sync`, { method: 'POST', headers });
      const { data } = (await response.json()) as { readonly data: { readonly upload_url: string } };
      await fetch(data.upload_url, { method: 'PUT', body });
      await stack.eventsSettled();
    };

    const codes: Record<string, number> = {};
    const findings: Record<string, readonly number[] | undefined> = {};
    let message = '';
    for (const command of commands) {
      const [start] = Object.entries(standIns).filter(([words]) => command.startsWith(words));
      const own = command.replace('npx file-sync-admin ', '');
      if (start) {
        await start[1](stack, lost);
      } else {
        codes[own] = (await adminOf(deployment)(own)).code;
      }
      if (own.includes('files-copy')) {
        await uploadInto(lost.complete.busy, 'fresh');
      }
      ({ message } = await checkContent(deployment, undefined));
      findings[start?.[0] ?? own] = message.match(/(?<=: )\d+/g)?.map(Number);
    }
    // Files without bytes, files with another version id, and objects without a record or a file.
    expect(findings).toMatchObject({
      'restore --from-table clients-copy --keep-access --yes': undefined,
      'restore --from-table files-copy --yes': [withContent, 0, 0],
      'aws s3 sync': [1, copied, objects],
      'restore --from-table uploads-copy --yes': [1, copied, strays],
      'restore --from-bucket': [1, 0, strays],
      'upload announce --since 365d --yes': [1, 0, strays],
    });
    const { 'doctor --content': doctor, ...others } = codes;
    expect([doctor, ...new Set(Object.values(others))]).toEqual([1, 0]);
    expect(message).toContain(`bytes: 1 (${lost.unreplicated}).`);
    expect(message).toContain(`file: ${strays} (${lost.strays.join(', ')}).`);

    const contents = Object.entries(lost.complete).map(async ([name, fileId]) => {
      const { content, body } = await openContent(deployment, fileId ?? '');
      const { state, version_id } = { version_id: '', ...(await getUpload(deployment, content.upload_id)) };
      return [name, await text(body), state, version_id === content.version_id];
    });
    expect(await Promise.all(contents)).toEqual([
      ['kept', 'kept', 'completed', true],
      ['between', 'between', 'completed', true],
      ['behind', 'behind', 'completed', true],
      ['busy', 'fresh', 'completed', true],
    ]);
  },
);
