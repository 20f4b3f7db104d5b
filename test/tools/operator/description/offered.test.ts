import { clientActions } from '../../../../tools/operator/clients/actions.ts';
import type { Client } from '../../../../tools/operator/clients/client.ts';
import { fileActions } from '../../../../tools/operator/files/actions.ts';
import type { File } from '../../../../tools/operator/files/file.ts';

/** Returns the verbs of the actions that are offered for an entity. */
const offered = <Of>(
  actions: readonly { readonly verb: string; readonly isAvailable: (of: Of, now: number) => boolean }[],
  of: object,
) => actions.filter(({ isAvailable }) => isAvailable(of as Of, 0)).map(({ verb }) => verb);

const [one, deleted_at] = [{ secret_id: 'one' }, '2026-01-01T00:00:00.000Z'];
const always = ['rename', 'set-scopes', 'set-addresses', 'add-secret', 'rotate-secret'];

test.for([
  ['active', { status: 'active', secrets: [one] }, [...always, 'revoke', 'delete']],
  [
    'with two secrets',
    { status: 'active', secrets: [one, one] },
    [...always, 'remove-secret', 'revoke', 'delete'],
  ],
  ['revoked', { status: 'revoked', secrets: [one] }, [...always, 'reinstate', 'delete']],
  ['deleted', { status: 'revoked', secrets: [], deleted_at }, ['delete', 'undelete']],
] as const)('a client that is %s is offered the possible actions', ([, client, verbs]) => {
  expect(offered<Client>(clientActions, client)).toEqual(verbs);
});

test.for([
  ['enabled', { sync_enabled: true }, ['rename', 'disable-sync', 'set-expected', 'delete']],
  ['disabled', { sync_enabled: false }, ['rename', 'enable-sync', 'disable-sync', 'set-expected', 'delete']],
  ['deleted in part', { sync_enabled: false, deleted_at }, ['delete', 'undelete']],
  ['deleted', { sync_enabled: false, deleted_at, delete_after: deleted_at }, ['delete', 'undelete']],
  [
    'erased',
    { sync_enabled: false, deleted_at, delete_after: deleted_at, erased_at: deleted_at },
    ['delete'],
  ],
] as const)('a file that is %s is offered the possible actions', ([, file, verbs]) => {
  expect(offered<File>(fileActions, file)).toEqual(verbs);
});
