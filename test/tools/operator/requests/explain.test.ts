import type { NextStep } from '../../../../tools/operator/description/next-step.ts';
import { explain } from '../../../../tools/operator/requests/explain.ts';
import type { LogMembers } from '../../../../tools/operator/requests/logs.ts';
import { startAws } from '../../../support/aws.ts';
import { clientItem, fileItem } from '../../admin/items.ts';

const other = { organisation_id: 'umbrella' };
const deleted_at = '2026-03-01T13:00:00.000Z';
const { deployment } = await startAws({
  clients: [clientItem('gone', 0, { deleted_at })],
  files: [fileItem('own', 0), fileItem('other', 0, other), fileItem('gone', 0, { ...other, deleted_at })],
});

describe('a rejection has its reason and the next step', () => {
  const scopes: NextStep = { noun: 'client', verb: 'show', id: 'c' };

  const resume: NextStep = { noun: 'organisation', verb: 'resume', id: 'o' };

  test.for<readonly [LogMembers['rejection'], string, ...NextStep[]]>([
    ['wrong_secret', 'create a new one.', { noun: 'client', verb: 'rotate-secret', id: 'c' }],
    ['ended_secret', 'such as a new one.', { noun: 'client', verb: 'rotate-secret', id: 'c' }],
    ['revoked_client', 'Reinstate the client', { noun: 'client', verb: 'reinstate', id: 'c' }],
    ['suspended_client', 'Resume its organisation', resume],
    ['suspended_file', 'The organisation is suspended', resume],
    ['insufficient_scope', 'Set all scopes', scopes],
    ['invalid_scope', 'or the client needs more.', scopes],
    ['address_not_allowed', 'Change the addresses', scopes],
    ['sync_not_enabled', 'Enable syncing if', { noun: 'file', verb: 'enable-sync', id: 'f' }],
    ['no_token', 'The application must send its access token'],
  ])('%s', async ([rejection, advice, ...next]) => {
    const facts = {
      status: 400,
      rejection,
      reason: 'It is so',
      client_id: 'c',
      file_id: 'f',
      organisation_id: 'o',
    };
    const why = expect.stringMatching(`^It is so\\. .*${advice}`);
    expect(await explain(deployment, facts)).toEqual({ why, next });
  });

  test.for<readonly [LogMembers, string]>([
    [{ rejection: 'expired_token' }, 'The token has expired. The client must request a new one.'],
    [{ token_problem: 'wrong_claim', claim: 'iss' }, 'The iss of the token is wrong: this deployment'],
    [{ token_problem: 'wrong_signature' }, 'The signature is wrong: '],
    [{ token_problem: 'unpublished_key' }, 'No published key has the kid of the token: '],
    // The sentence follows from the code alone: the reason may be any text.
    [{ token_problem: 'missing_claim' }, 'It is: so. The client must send the token as it was issued.'],
  ])('%j', async ([facts, why]) => {
    const rejected = { status: 401, rejection: 'invalid_token', reason: 'It is: so', ...facts } as const;
    expect(await explain(deployment, rejected)).toEqual({ why: expect.stringContaining(why) });
  });
});

test.for([
  ['own', 'The file exists now: it was created at 2026-03-01T12:00:00.000Z.'],
  ['other', 'The file belongs to the organisation umbrella.'],
  ['gone', 'The file was deleted at 2026-03-01T13:00:00.000Z.'],
  ['nowhere', 'No file has the id in the request.'],
  [undefined, 'No file has the id in the request.'],
] as const)('a 404 for the file %s is explained to operators', async ([file_id, reason]) => {
  const facts = { status: 404, rejection: 'not_found', organisation_id: 'acme', file_id } as const;
  const { why } = await explain(deployment, facts);
  expect(why).toContain(reason);
  expect(why).toContain('The application must use the id of a file of its organisation.');
});

const route = (path: string) => ({ route: `POST ${path}` });
const [token, sync] = [route('/oauth/token'), route('/v0/files/{fileId}/sync')];

test.for<readonly [string, LogMembers]>([
  ['The request succeeded.', { status: 399 }],
  [
    'The service failed: TimeoutError: slow. The client may retry.',
    { status: 500, error_name: 'TimeoutError', error_message: 'slow' },
  ],
  ['The service failed: TimeoutError. The', { status: 500, error_name: 'TimeoutError' }],
  ['No function responded in time (no reason is known).', { status: 503 }],
  ['No function responded in time (throttled).', { status: 503, integration_error: 'throttled' }],
  ['The API has no such method and path', { status: 404, ...route('/nowhere') }],
  ['The body is too large for the API.', { status: 413, ...token }],
  ['the rate limit of this route (the setting tokenRateLimit). The', { status: 429, ...token }],
  ['the rate limit of this route (the setting syncRateLimit). The', { status: 429, ...sync }],
  ['the rate limit of this route. The', { status: 429, route: 'GET /v0/volumes' }],
  ['The function sync rejected the request. Its log', { status: 499, ...sync }],
])('a response without a rejection is explained: %s', async ([sentence, facts]) => {
  const { why, next = [] } = await explain(deployment, facts);
  expect(why).toContain(sentence);
  expect(next).toEqual((facts.status ?? 0) < 500 ? [] : [{ do: 'check deployment' }]);
});
