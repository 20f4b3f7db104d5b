import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { createClock } from 'cloud-assembly-emulator';
import { expect, test } from 'vitest';
import { dynamoDBClient, s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { type Kind, kinds } from '../../../tools/operator/deployment/items.ts';
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

/** Runs a stack, copies its uploads, the other tables and its bucket, and stops it. The copy of one object is damaged. */
async function loseStack() {
  const stack = await useRunningStack();
  const { deployment } = stack;
  const user = await createApiUser(stack);
  const [kept, damaged, between, behind, busy] = await Promise.all(Array.from({ length: 5 }, user.newFile));
  const store = async (issued: Awaited<ReturnType<typeof user.issue>>, content: string) => {
    await issued.put(content);
    await stack.eventsSettled();
    return `uploads/${issued.uploadId}`;
  };
  await store(await user.issue(kept), 'kept');
  await store(await user.issue(busy), 'replaced');
  const lost = await store(await user.issue(damaged), 'lost');
  await cancelUpload(deployment, (await user.issue()).uploadId);
  const [inBetween, after] = [await user.issue(between), await user.issue(behind)];

  const database = await dynamoDBClient(deployment);
  const read = async (kind: Kind) => {
    const { Items = [] } = await database.scan({ TableName: deployment.outputs[kinds[kind].table] });
    return [kind, Items] as const;
  };
  const uploads = await read('upload');
  await store(inBetween, 'between');
  const copies = [uploads, await read('organisation'), await read('client'), await read('file')];
  await store(after, 'behind');
  const unknown = await store(await user.issue(kept), 'unknown');

  const s3 = await s3Client(deployment);
  const Bucket = deployment.outputs.BucketName;
  const { Contents = [] } = await s3.listObjectsV2({ Bucket });
  const objects = await Promise.all(
    Contents.map(async ({ Key = '' }) => {
      const { Body } = await s3.getObject({ Bucket, Key });
      const bytes = (await Body?.transformToByteArray()) ?? '';
      return { Key, Body: Key === lost ? 'damaged' : bytes };
    }),
  );
  await stack.close();
  return { user, copies, objects, unknown, damaged, busy, complete: [kept, between, behind, busy] };
}

const chaos = { maxDelayMilliseconds: 0, doubled: 0, dropped: 0 };

/** Replacements of AWS commands, by their first words. The others need no replacement here. */
const standIns: Readonly<
  Record<string, (stack: RunningStack, lost: Awaited<ReturnType<typeof loseStack>>) => Promise<unknown>>
> = {
  'aws backup start-restore-job': async ({ deployment }, { copies }) => {
    for (const [kind, items] of copies) {
      await createCopy(deployment, kinds[kind].key, `${kind}s-copy`, items);
    }
  },
  'aws events disable-rule': async () => {
    chaos.dropped = 1;
  },
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

test('a stack recovers from its copies', async () => {
  const lost = await loseStack();
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
    const [, own = command] = /^npx file-sync-admin (.*)/.exec(command) ?? [];
    const words = own.split(' ', 3).join(' ');
    if (own === command) {
      await standIns[words]?.(stack, lost);
    } else {
      codes[own] = (await adminOf(deployment)(own)).code;
    }
    if (own.includes('files-copy')) {
      await uploadInto(lost.busy, 'fresh');
    }
    ({ message } = await checkContent(deployment, undefined));
    findings[own === command ? words : own] = message.match(/(?<=: )\d+/g)?.map(Number);
  }
  // Files without bytes, files with another version id, and objects without a record or a file.
  expect(findings).toMatchObject({
    'restore --from-table clients-copy --keep-access --yes': undefined,
    'restore --from-table files-copy --yes': [3, 0, 0],
    'aws s3 sync': [1, 2, 3],
    'restore --from-table uploads-copy --yes': [1, 2, 1],
    'restore --from-bucket': [1, 0, 1],
    'upload announce --since 365d --yes': [1, 0, 1],
  });
  const { 'doctor --content': doctor, ...others } = codes;
  expect([doctor, ...new Set(Object.values(others))]).toEqual([1, 0]);
  expect(message).toContain(`bytes: 1 (${lost.damaged}).`);
  expect(message).toContain(`file: 1 (${lost.unknown}).`);

  const contents = lost.complete.map(async (fileId = '') => {
    const { content, body } = await openContent(deployment, fileId);
    const { state, version_id } = { version_id: '', ...(await getUpload(deployment, content.upload_id)) };
    return [await text(body), state, version_id === content.version_id];
  });
  expect(await Promise.all(contents)).toEqual(
    ['kept', 'between', 'behind', 'fresh'].map((body) => [body, 'completed', true]),
  );
});
