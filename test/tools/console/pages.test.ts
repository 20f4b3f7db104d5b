import { expect, test } from 'vitest';
import { missingIn } from './support/read-page.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';
import { seedWorld } from './support/world.ts';

const console = await startConsoleWithAws();
const { uploads, ...clients } = await seedWorld(console);
const ids = Object.entries({ ...uploads, ...clients });
const visitor = await enter(console);

/** Replaces placeholders like `ID(clientId)` with ids of the seeded world. */
const withIds = (text: string) =>
  ids.reduce((filled, [name, id]) => filled.replaceAll(`ID(${name})`, id), text);

/** Test case of a page: its behaviour, its address, and the parts that the page must contain. */
type Case = readonly [does: string, address: string, ...parts: readonly string[]];

const overview: readonly Case[] = [
  [
    'the overview shows the last day',
    '/overview?last=year',
    'href="/overview?last=hour">Last hour',
    'href="/overview?last=day" aria-current="true">Last day',
    'href="/overview?last=week">Last week',
  ],
  [
    'the overview shows the last hour',
    '/overview?last=hour',
    'href="/overview?last=hour" aria-current="true">',
  ],
  [
    'the overview loads its parts',
    '/overview?last=week',
    'hx-get="/overview/health?last=week" hx-trigger="load, missed" hx-select="#health"',
    'hx-get="/overview/activity?last=week"',
    'hx-get="/overview/latest?last=week"',
    'Reading from AWS. Show only the latest',
    '<div id="damage-/overview/latest" hidden="">',
  ],
  [
    'the overview reads a part again',
    '/overview/activity?last=hour',
    '<bdi>Overview: activity</bdi></h1>',
    '/overview/activity?last=hour" hx-trigger="every 300s, missed"',
    'href="/rejections?since=1h"',
  ],
  [
    'the overview has the latest uploads',
    '/overview/latest',
    '<a href="/uploads">Show all</a>',
    'hx-get="/overview/latest" hx-trigger="every 3s, missed"',
    'State File Issued Size Took Client Organisation Upload ID issued Prices of last year',
  ],
];

const details: readonly Case[] = [
  [
    'an upload has details, with names beside the ids of others',
    '/uploads/ID(issued)',
    'Upload ID ID(issued) State issued File orders.csv orders Client Nightly export ID(clientId) Organisation acme Timeline',
    ' UTC URL expires Object key uploads/ID(issued)',
    '<span class="tag info">issued</span>',
    'href="/files/orders" title="orders.csv orders"',
    'data-copy="uploads/ID(issued)"',
  ],
  [
    'an upload that waits is read every 2 s, and can be cancelled',
    '/uploads/ID(issued)',
    '<bdi>Upload of orders.csv</bdi></h1>',
    'Waiting for the bytes: the URL accepts one PUT with the whole file. Kept up to date.',
    'hx-trigger="every 2s, missed"',
    '<a class="button risky" href="/uploads/ID(issued)/cancel">Cancel the upload URL</a>',
  ],
  [
    'an upload whose PUT may be under way is read every 10 s',
    '/uploads/ID(expired)',
    'Nothing was recorded before the URL expired. Kept up to date.',
    'A PUT that began before the URL expired may still be in progress',
    'hx-trigger="every 10s, missed"',
  ],
  [
    'an upload that is complete is not read again',
    '/uploads/ID(completed)',
    '<div id="upload" class="stack"><div class="row apart"><p role="status">This upload is the content of the file.</p><div class="row"></div>',
    'Size 4.9 KiB (5000 bytes) Content type application/octet-stream CRC64NVME M7pcX/8YG/Q= ETag ',
  ],
  [
    'an upload that is replaced says so',
    '/uploads/ID(superseded)',
    'Newer content of the file replaced this content.',
  ],
  [
    'an upload that is cancelled says so',
    '/uploads/ID(cancelled)',
    'The upload URL was cancelled. It responds with 412 until it expires.',
  ],
  [
    'a file has details, and its uploads in short',
    '/files/orders',
    'File ID orders Syncing enabled Organisation acme Content: Size 4.9 KiB (5000 bytes) Content: Completed',
    'Uploads Show all Upload ID State Issued Size Took Client',
    '<th scope="col" class="right wide-only">Size</th><th scope="col" class="wide-only">Took</th>',
    '<a href="/uploads?file=orders">Show all</a>',
    'href="/uploads/ID(superseded)" id="upload-ID(superseded)"',
    '3 bytes 30 s Nightly export',
    '<span title="4.9 KiB (5000 bytes)">4.9 KiB</span>',
    'hx-get="/files/orders" hx-trigger="every 3s, missed"',
  ],
  [
    'a file with content can be downloaded, renamed and deleted',
    '/files/orders',
    '<div class="row"><a class="button" href="/files/orders/content" download="">Download</a><a class="button" href="/files/orders/rename">Rename the file</a><a class="button" href="/files/orders/disable-sync">Disable syncing</a><a class="button risky" href="/files/orders/delete">Delete the file</a></div>',
  ],
  [
    'a file without syncing is enabled by one button',
    '/files/prices',
    '<div class="row"><a class="button" href="/files/prices/rename">',
    'Content none yet: no upload has completed',
    '<form method="post" action="/files/prices/enable-sync" class="row"><input type="hidden" name="token"',
    '"/><button type="submit">Enable syncing</button></form>',
  ],
  ['a file that was sent as a form says so', '/files/form', 'this content was sent as a form'],
  [
    'a client has details, and what can be done',
    '/clients/ID(clientId)',
    'Client ID ID(clientId) Status active Organisation acme Scopes volume:read Created ',
    ', no end Latest uploads State File Issued Size Took Upload ID',
    'Rename the client Change the scopes Add a secret Rotate the secret Revoke the client Delete the client',
    '<a class="button risky" href="/clients/ID(clientId)/revoke">',
    '</dl><section class="stack">',
  ],
  [
    'a revoked client can be reinstated',
    '/clients/ID(revokedClient)',
    'Rotate the secret Reinstate the client Delete the client',
    '<span class="tag bad">revoked</span>',
    'There are no uploads to show.',
  ],
  [
    'a client with two secrets can lose each',
    '/clients/ID(clientWithTwoSecrets)',
    'Add a secret Rotate the secret Revoke the client Delete the client',
    'Remove a secret: secret_',
    '<a class="button risky" href="/clients/ID(clientWithTwoSecrets)/remove-secret?secretId=secret_',
  ],
  [
    'an organisation has its clients and files, and what can be made',
    '/organisations/acme',
    '<bdi>Organisation acme</bdi></h1><div class="row"><a class="button" href="/uploads?organisation=acme">Uploads</a><a class="button" href="/clients/+create?organisation=acme">Create a client</a><a class="button" href="/files/+create?organisation=acme">Create a file</a><a class="button risky" href="/organisations/acme/delete">',
    'Clients Status Name Scopes Created Client ID revoked',
    'Files Syncing Name Size Uploaded Created File ID disabled Prices of last year – – ',
  ],
];

const frame: readonly Case[] = [
  [
    'a page names its place, and marks its section',
    '/files/+create',
    '<title>Create a file · test deployment</title>',
    '<body hx-headers="{&quot;x-console-live&quot;:&quot;1&quot;}" data-now="',
    '<bdi>test deployment</bdi></span><search>',
    '<a href="/overview">Overview</a><a href="/uploads">Uploads</a><a href="/files" aria-current="page">Files</a><a href="/clients">Clients</a><a href="/organisations">Organisations</a><a href="/signing-keys">Keys</a></nav>',
  ],
];

const lists: readonly Case[] = [
  [
    'a request loads its timeline when it is shown',
    '/requests/AAAAAAAAAAAAAAA%3D?since=7d',
    '<bdi>Request</bdi></h1>',
    'hx-get="/requests/AAAAAAAAAAAAAAA%3D?since=7d&amp;part=timeline" hx-trigger="load, missed" hx-select="#timeline"',
  ],
  [
    'the signing keys say which one signs, and can be revoked',
    '/signing-keys',
    'Key ID State Signs Algorithm Since May sign from Published until Actions current-kid current yes ES256',
    'next-kid next – ES256',
    'data-copy="current-kid"',
    '<a class="button" href="/signing-keys/+rotate">',
    '<a class="button risky" href="/signing-keys/current-kid/revoke">Revoke the key</a>',
  ],
  [
    'the organisations are counted',
    '/organisations',
    'Organisation Clients Files Created Deletion began acme 3 3',
    '<th scope="col" class="right">Clients</th>',
  ],
  [
    'the uploads are kept up to date',
    '/uploads',
    '<form method="post" action="/uploads/+replay" class="row">',
    '8 uploads. Kept up to date.',
    '<div id="uploads" class="stack" hx-get="" hx-trigger="every 3s, missed" hx-select="#uploads">',
    'completed orders.csv ',
    'superseded orders.csv ',
    ' 3 bytes 30 s Nightly export acme ',
    'data-copy="ID(superseded)"',
  ],
  [
    'a list has few columns on a phone, and numbers at the right',
    '/files',
    '<th scope="col" class="">Organisation</th><th scope="col" class="right wide-only">Size</th><th scope="col" class="wide-only">Uploaded</th><th scope="col" class="wide-only">Created</th><th scope="col" class="wide-only">File ID</th>',
    '<a class="main" href="/files/prices" id="file-prices"><bdi>Prices of last year</bdi></a>',
    '<section id="list-files" class="scroll" aria-label="Files"',
    '<div id="files" class="stack"><section',
  ],
  [
    'a list keeps its filters in its fields and links',
    '/files?name=%20ORDERS&organisation=acme&status=enabled',
    '<option value="">Status: all</option><option selected="">enabled</option><option>disabled</option>',
    'name="name" aria-label="Name or id" value="ORDERS" placeholder="Name or id"',
    '/><button type="submit">Filter</button><a href="?">Clear</a></form>',
    'title="A time such as 2026-01-31T12:00, in the time zone of this page, or an age such as 2h or 7d."/>',
    'href="/files/+create?organisation=acme"',
    'href="/files/+export.csv?name=ORDERS&amp;organisation=acme&amp;status=enabled" download=""',
    '1 file.',
  ],
  [
    'a list without filters has nothing to clear',
    '/files',
    '<input name="name" aria-label="Name or id" placeholder="Name or id" size="15" autocomplete="off" spellcheck="false"/>',
    '<button type="submit">Filter</button></form>',
  ],
  ['a list says when nothing matches', '/clients?name=nothing', 'No client matches. All were read.'],
];

const search: readonly Case[] = [
  [
    'a search for a name loads the clients and files with it',
    '/search?q=NIGHT',
    'hx-get="/clients?name=NIGHT" hx-trigger="load, missed" hx-select="#clients"',
    'hx-get="/files?name=NIGHT" hx-trigger="load, missed" hx-select="#files"',
    'value="NIGHT"',
    'No entity has this id.',
  ],
  ['a search without a text says what to enter', '/search', 'Enter any id, or a part of a name, above.'],
];

const rejections: readonly Case[] = [
  ['a text that is no request id is rejected', '/requests/%22', '<title>That is not possible'],
  ['what is no page is not found', '/nothing', '<title>Not found', 'The console has no such page.'],
  [
    'a time that is none is rejected',
    '/uploads?since=yesterday',
    '<title>That is not possible',
    '"Issued from"',
  ],
  ['a wrong place in a list is rejected', '/clients?after=x', 'Start at the first page of the list'],
  [
    'an export says what is wrong with a filter',
    '/uploads/+export.csv?client=none',
    'There is no client "none".',
  ],
  ['an unknown organisation is not found', '/organisations/none', '<title>Not found', 'organisation "none"'],
  ['what does not exist is not found', '/uploads/none', '<title>Not found', '<a href="/search?q=none">'],
  [
    'work of another session is not shown',
    '/jobs/1',
    '<title>Not found',
    'This session did not start this work.',
  ],
];

const forms: readonly Case[] = [
  [
    'a form has the help of each field, and says which must be filled in',
    '/files/+create',
    '<label for="field-name">Name</label><input id="field-name" name="name" value="" required="" dir="auto" autocomplete="off" spellcheck="false" aria-describedby="about-name"/><div id="about-name"><p class="muted">The display name, for people only.</p></div>',
    '<input id="field-id" name="id" value="" dir',
    'value="true"/>Let clients request upload URLs for the file immediately.<span class="muted"></span></label><div id="about-syncEnabled"></div>',
  ],
  [
    'a form says what each choice means',
    '/clients/+create',
    '<legend>Scopes</legend>',
    'value="volume:read"/>volume:read<span class="muted">',
    '<p class="muted">Permissions of the client: one or more scopes.</p>',
  ],
  ['a form holds the usual answer', '/clients/ID(clientId)/rotate-secret', 'name="grace" value="7d" dir'],
  [
    'a form that takes something away has a red button',
    '/files/orders/delete',
    '<bdi>Delete the file: orders.csv</bdi></h1>',
    '<p class="note warning"><span><bdi>This deletes the file',
    '5 uploads with 4.9 KiB of content, and 2 upload URLs',
    '<button type="submit" class="danger">Delete the file</button>',
    '<a class="button" href="/files/orders">Go back</a>',
  ],
  [
    'a form that is safe says what it does, and holds what there is',
    '/files/orders/rename',
    '<p class="muted">Change the display name of a file.',
    'name="name" value="orders.csv"',
  ],
  ['a form holds what its address gives', '/files/orders/rename?name=Given', 'name="name" value="Given"'],
  [
    'a form that makes something leads back to the list',
    '/files/+create',
    '<bdi>Create a file</bdi></h1>',
    '<button type="submit" class="primary">Create a file</button>',
    '<a class="button" href="/files">Go back</a>',
  ],
  [
    'a form of scopes has those of the client checked',
    '/clients/ID(clientId)/set-scopes',
    'value="volume:read" checked=""',
    'value="sync:create"/>',
  ],
  [
    'a form that deletes an organisation asks for its id',
    '/organisations/acme/delete',
    '<label for="field-typed">ID</label>',
    'Type the id to confirm.',
    '3 clients, 3 files, 8 uploads',
  ],
];

test.for([...frame, ...overview, ...details, ...lists, ...search, ...rejections, ...forms])(
  '%s',
  async ([, address, ...parts]) => {
    const { text } = await visitor.get(withIds(address));
    expect(missingIn(text, parts.map(withIds))).toEqual([]);
  },
);
