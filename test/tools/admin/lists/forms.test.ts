import { startAws } from '../../../support/aws.ts';
import { admin, adminOf } from '../../../support/run-admin.ts';
import { clientItem, fileItem, uploadIdOf, uploadItem } from '../items.ts';

const longId = (kind: string, letter: string) => `${kind}_${letter.repeat(26)}`;

const [file_id, client_id] = [longId('file', 'a'), longId('client', 'a')];
const from = { requested_from: '192.0.2.1', uploaded_from: '2001:db8::1' };
const aws = await startAws({
  clients: [
    {
      ...clientItem(client_id, 0, { name: 'Nightly export of all the orders' }),
      allow_from: { L: [{ S: '203.0.113.0/24' }, { S: '192.0.2.1/32' }] },
    },
    clientItem(longId('client', 'b'), 1, { name: '注文データの夜間エクスポート処理' }),
    clientItem(longId('client', 'c'), 2, { name: 'דוח לילי', status: 'revoked' }),
  ],
  files: [
    fileItem(file_id, 0, { name: 'orders of the whole year, by branch.csv' }),
    fileItem(longId('file', 'b'), 1, { name: '=cmd|"calc"!A1' }),
    fileItem('report', 2, { name: 'a\u001b[31m\u202e\u200f👩‍👩‍👧' }),
  ],
  uploads: [
    uploadItem(0, { file_id, client_id }),
    uploadItem(1, { file_id, client_id, state: 'issued' }),
    uploadItem(2, { file_id: 'report', client_id, ...from }),
  ],
});

const run = adminOf(aws.deployment);

describe('a table fits its terminal', () => {
  const shownAt = async (words: string, columns: number) => {
    const { stdout, stderr } = await admin(
      aws.deployment,
      ['--local', ...words.split(' ')],
      { NO_COLOR: '1' },
      { columns },
    );
    return `\n${stdout}${stderr}`;
  };

  test('client list', async () => {
    expect(await shownAt('client list', 80)).toMatchInlineSnapshot(`
      "
      CLIENT ID  STATUS   NAME                              ORGANISATION  SCOPES     …
      aaaa…aaaa  active   Nightly export of all the orders  acme          volume:read…
      bbbb…bbbb  active   注文データの夜間エクスポート処理  acme          volume:read…
      cccc…cccc  revoked  דוח לילי                          acme          volume:read…
      3 clients
      "
    `);
  });

  test('upload list', async () => {
    expect(await shownAt('upload list', 200)).toMatchInlineSnapshot(`
      "
      UPLOAD ID                             STATE      FILE                                     ISSUED                   SIZE  CLIENT                            ORGANISATION
      019ca945-0a00-7000-8000-000000000000  completed  orders of the whole year, by branch.csv  2026-03-01T12:00:00Z  1.5 KiB  Nightly export of all the orders  acme
      019ca90e-1b80-7008-8101-010101010101  expired    orders of the whole year, by branch.csv  2026-03-01T11:00:00Z        -  Nightly export of all the orders  acme
      019ca8d7-2d00-7010-8202-020202020202  completed  a�[31m��👩‍👩‍👧                               2026-03-01T10:00:00Z  1.5 KiB  Nightly export of all the orders  acme
      3 uploads
      "
    `);
  });

  test('and a pipe gets all of it', async () => {
    expect((await run('file list --organisation acme')).stdout).toMatchInlineSnapshot(`
      "FILE ID                          SYNCING   NAME                                     ORGANISATION  SIZE  UPLOADED  ARRIVAL  CREATED
      file_aaaaaaaaaaaaaaaaaaaaaaaaaa  enabled   orders of the whole year, by branch.csv  acme             -  -         -        2026-03-01T12:00:00Z
      file_bbbbbbbbbbbbbbbbbbbbbbbbbb  disabled  =cmd|"calc"!A1                           acme             -  -         -        2026-03-01T11:00:00Z
      report                           enabled   a�[31m��👩‍👩‍👧                               acme             -  -         -        2026-03-01T10:00:00Z
      "
    `);
  });
});

describe('CSV', () => {
  test.for([
    [
      'client list',
      'client_id,organisation_id,name,scopes,status,created_at,revoked_at,deleted_at,delete_after,created_by,updated_at,updated_by,secret_ends_at,allow_from',
      `${client_id},acme,Nightly export of all the orders,volume:read sync:create,active,2026-03-01T12:00:00.000Z,,,,,,,,203.0.113.0/24 192.0.2.1/32`,
    ],
    [
      'file list',
      'file_id,organisation_id,name,sync_enabled,created_at,updated_at,content_upload_id,content_key,content_version_id,content_size,content_etag,content_completed_at,deleted_at,delete_after,content_checksum_crc64nvme,created_by,updated_by,erased_at,expected_state,expected_by',
      `${file_id},acme,"orders of the whole year, by branch.csv",true,2026-03-01T12:00:00.000Z,2026-03-01T12:00:00.000Z,,,,,,,,,,,,,,`,
    ],
    [
      'upload list --file report',
      'upload_id,file_id,organisation_id,client_id,key,issued_at,expires_at,state,size,etag,version_id,completed_at,cancelled_at,superseded_at,deleted_at,delete_after,request_id,expired_at,checksum_crc64nvme,requested_from,uploaded_from,updated_at,updated_by,announced_at',
      `${uploadIdOf(2)},report,acme,${client_id},uploads/${uploadIdOf(2)},2026-03-01T10:00:00.000Z,2026-03-01T11:00:00.000Z,completed,1536,0123456789abcdef,v1,2026-03-01T10:00:05.000Z,,,,,,,1BGd19PD4OU=,192.0.2.1,2001:db8::1,,,`,
    ],
  ] as const)('of %s has a header line and all attributes', async ([words, header, first]) => {
    const lines = (await run(`${words} --csv`)).stdout.split('\r\n');
    expect([lines[0], lines[1], lines.at(-1)]).toEqual([header, first, '']);
  });

  test('of nothing is the header line', async () => {
    expect((await run('client list --organisation nobody --csv')).stdout).toMatch(/^client_id,[^\n]*\r\n$/);
  });
});

test('JSON of nothing is an empty array', async () => {
  const none = await run('client list --organisation nobody --json');
  expect(none).toMatchObject({ code: 0, stdout: '{"data":[]}\n', stderr: '' });
});
