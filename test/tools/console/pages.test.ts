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
    'the overview loads its parts',
    '/overview?since=7d',
    'css=#health[hx-get="/overview/health?since=7d"][hx-trigger="load, missed"][hx-select="#health"]',
    'css=#activity[hx-get="/overview/activity?since=7d"]',
    'css=#uploads[hx-get="/uploads?short=1"]',
    'Reading from AWS. Show only the uploads',
    'css=[id="damage-/uploads"][hidden]',
    'role=link[name="Create a file"][href="/files/+create"]',
    'role=link[name="Create a client"][href="/clients/+create"]',
  ],
  [
    'the overview reads a part again',
    '/overview/activity?since=1h',
    'role=heading[name="Overview: activity"]',
    'css=#activity[hx-get$="/overview/activity?since=1h"][hx-trigger="every 300s, missed"]',
  ],
];

const details: readonly Case[] = [
  [
    'an upload has details, with names beside the ids of others',
    '/uploads/ID(issued)',
    'Upload ID ID(issued) State issued File orders.csv orders Client Nightly export ID(clientId) Organisation acme Timeline',
    ' UTC URL expires Object key uploads/ID(issued)',
    'css=dd .tag.info',
    'role=link[name="orders.csv"][title="orders.csv orders"][href="/files/orders"]',
    'role=button[name="Copy uploads/ID(issued)"][data-copy="uploads/ID(issued)"]',
  ],
  [
    'an upload that waits is read every 2 s, and can be cancelled',
    '/uploads/ID(issued)',
    'role=heading[name="Upload of orders.csv"]',
    'The upload is issued. Kept up to date.',
    'css=#upload[hx-trigger="every 2s, missed"]',
    'role=link[name="Cancel the upload URL"].risky[href="/uploads/ID(issued)/cancel"]',
    'css=#upload:not(:has(a[href*="announce"]))',
  ],
  [
    'an upload whose PUT may be under way is read every 10 s',
    '/uploads/ID(expired)',
    'The upload is expired. Kept up to date.',
    'css=#upload[hx-trigger="every 10s, missed"]',
  ],
  [
    'an upload that is complete is not read again',
    '/uploads/ID(completed)',
    'The upload is completed.',
    'css=#upload:not([hx-trigger])',
    'Size 4.9 KiB (5,000 bytes) Content type application/octet-stream CRC64NVME M7pcX/8YG/Q= ETag ',
  ],
  ['a replaced upload is described', '/uploads/ID(superseded)', 'The upload is superseded.'],
  [
    'a file has details that are kept up to date, and its uploads',
    '/files/orders',
    'File ID orders Syncing enabled Organisation acme Content: Size 4.9 KiB (5,000 bytes) Content: Completed',
    ' Content: CRC64NVME M7pcX/8YG/Q= ',
    'role=heading[name="Latest uploads"]',
    'css=#uploads[hx-get="/uploads?file=orders&short=1"]',
    'css=#file[hx-get=""][hx-trigger="every 3s, missed"]',
  ],
  [
    'a file with content can be downloaded, renamed and deleted',
    '/files/orders',
    'role=link[name="Download"][download][href="/files/orders/content"]',
    'role=link[name="Rename the file"][href="/files/orders/rename"]',
    'role=link[name="Disable syncing"][href="/files/orders/disable-sync"]',
    'role=link[name="Delete the file"].risky[href="/files/orders/delete"]',
  ],
  [
    'a file without syncing is enabled by one button',
    '/files/prices',
    'role=link[name="Rename the file"][href="/files/prices/rename"]',
    'Content none yet: no upload has completed',
    'role=button[name="Enable syncing"]form[method="post"][action="/files/prices/enable-sync"] *',
  ],
  ['a file that was sent as a form has a warning', '/files/form', 'this content was sent as a form'],
  [
    'a client has details and actions',
    '/clients/ID(clientId)',
    'Client ID ID(clientId) Status active Organisation acme Scopes volume:read Created ',
    ', no end',
    'The last use of the secrets could not be read.',
    'Rename the client Change the scopes Change the addresses Add a secret Rotate the secret Revoke the client Delete the client',
    'role=link[name="Revoke the client"].risky[href="/clients/ID(clientId)/revoke"]',
    'css=a[href="/clients/ID(clientId)/guide"]',
    'role=heading[name="Latest uploads"]',
  ],
  [
    'a revoked client can be reinstated',
    '/clients/ID(revokedClient)',
    'Rotate the secret Reinstate the client Delete the client',
    'css=dd .tag.bad',
  ],
  [
    'a client with two secrets can lose each',
    '/clients/ID(clientWithTwoSecrets)',
    'Add a secret Rotate the secret Revoke the client Delete the client',
    'Remove a secret: secret_',
    'css=a.risky[href^="/clients/ID(clientWithTwoSecrets)/remove-secret?secretId=secret_"]',
  ],
  [
    'an organisation leads to its clients, files, uploads and actions',
    '/organisations/acme',
    'role=heading[name="Organisation acme"]',
    'role=link[name="Clients"][href="/clients?organisation=acme"]',
    'role=link[name="Files"][href="/files?organisation=acme"]',
    'role=link[name="Uploads"][href="/uploads?organisation=acme"]',
    'role=link[name="Create a client"][href="/clients/+create?organisation=acme"]',
    'role=link[name="Create a file"][href="/files/+create?organisation=acme"]',
    'role=link[name="Delete the organisation"].risky[href="/organisations/acme/delete"]',
  ],
];

const frame: readonly Case[] = [
  [
    'a page names its place, and marks its section',
    '/files/+create',
    'Create a file · test deployment',
    `css=body[data-now][hx-headers='{"x-console-live":"1"}']`,
    'role=searchbox[name="Search"][name="q"]',
    'Overview Requests Counts Uploads Files Clients Organisations Keys',
    'role=link[name="Overview"]:not([aria-current])[href="/overview"]',
    'role=link[name="Files"][aria-current="page"][href="/files"]',
    'role=link[name="Keys"][href="/signing-keys"]',
  ],
];

const lists: readonly Case[] = [
  [
    'the counts of requests have their own section and export',
    '/requests/count?by=organisation&until=2026-01-01',
    'role=link[name="Counts"][aria-current="page"][href="/requests/count"]',
    'role=link[name="Requests"]:not([aria-current])[href="/requests"]',
    'role=heading[name="Request count"]',
    'must be before',
    'css=input[name="until"][value="2026-01-01"]',
  ],
  [
    'a request loads its timeline when it is shown',
    '/requests/AAAAAAAAAAAAAAA%3D?since=7d',
    'role=heading[name="Request"]',
    'css=#timeline[hx-get="/requests/AAAAAAAAAAAAAAA%3D?since=7d&part=timeline"][hx-trigger="load, missed"][hx-select="#timeline"]',
  ],
  [
    'the signing keys show the one that signs, and can be revoked',
    '/signing-keys',
    'Key ID State Signs Algorithm Since May sign from Published until Actions current-kid current yes ES256',
    'next-kid next – ES256',
    'role=button[name="Copy current-kid"][data-copy="current-kid"]',
    'role=link[name="Rotate the signing key"][href="/signing-keys/+rotate"]',
    'css=.apart:not(:has(h1)) a.risky[href="/signing-keys/+revoke-all"]',
    'css=.apart:has(h1):not(:has([href$="revoke-all"]))',
    'role=link[name="Revoke the key"].risky[href="/signing-keys/current-kid/revoke"]',
  ],
  [
    'the organisations are counted',
    '/organisations',
    'Organisation Clients Files Created Suspended Deletion began acme 3 3',
    'role=columnheader[name="Clients"].right:not(.wide-only)',
  ],
  [
    'the uploads are kept up to date',
    '/uploads',
    'css=form[method="post"][action="/uploads/+replay"] button',
    '8 uploads. Kept up to date.',
    'css=#uploads[hx-get$="/uploads"][hx-trigger="every 3s, missed"][hx-select="#uploads"]',
    'State File Issued Size Client Organisation Upload ID issued Prices of last year',
    'role=columnheader[name="Size"].right.wide-only',
    'css=td [title="4.9 KiB (5,000 bytes)"]',
    'css=a[id="upload-ID(superseded)"][href="/uploads/ID(superseded)"]',
    'completed orders.csv ',
    'superseded orders.csv ',
    ' 3 bytes Nightly export acme ',
    'css=button[data-copy="ID(superseded)"]',
  ],
  [
    'a list has few columns on a phone, and numbers at the right',
    '/files',
    'role=columnheader[name="Organisation"][class=""]',
    'role=columnheader[name="Size"].right.wide-only',
    'role=columnheader[name="Uploaded"].wide-only',
    'role=columnheader[name="File ID"].wide-only',
    'role=link[name="Prices of last year"].main#file-prices[href="/files/prices"]',
    'role=region[name="Files"]#list-files.scroll[tabindex="0"]',
    'css=#files:not([hx-get])',
  ],
  [
    'a list keeps its filters in its fields and links',
    '/files?name=%20ORDERS&organisation=acme&status=enabled',
    'role=option[name="Status: all"][value=""]',
    'role=option[name="enabled"][selected]',
    'role=option[name="disabled"]:not([selected])',
    'role=textbox[name="Name or id"][name="name"][value="ORDERS"]',
    'role=button[name="Filter"]',
    'role=link[name="Clear"][href="?"]',
    'css=input[aria-describedby="time-format"]',
    'role=link[name="Create a file"][href="/files/+create?organisation=acme"]',
    '1 file.',
  ],
  [
    'a list without filters has nothing to clear',
    '/files',
    'role=textbox[name="Name or id"]:not([value])',
    'role=button[name="Filter"]:last-child',
  ],
  ['a list without matches is explained', '/clients?name=nothing', 'No client matches. All were read.'],
];

const search: readonly Case[] = [
  [
    'a search for a name loads the clients and files with it',
    '/search?q=NIGHT',
    'css=#clients[hx-get="/clients?name=NIGHT"][hx-trigger="load, missed"][hx-select="#clients"]',
    'css=#files[hx-get="/files?name=NIGHT"][hx-trigger="load, missed"][hx-select="#files"]',
    'role=searchbox[name="Search"][value="NIGHT"]',
    'No entity has this id.',
  ],
  ['a search without a text explains its input', '/search', 'Enter any id, or a part of a name, above.'],
];

const rejections: readonly Case[] = [
  ['a text that is no request id is rejected', '/requests/%22', 'role=heading[name="That is not possible"]'],
  [
    'an unknown address is not found',
    '/nothing',
    'role=heading[name="Not found"]',
    'The console has no such page.',
  ],
  [
    'a wrong time keeps the form',
    '/uploads?since=yesterday',
    'role=heading[name="Uploads"]',
    '"yesterday" is not a time for "Issued from"',
    'css=input[name="since"][value="yesterday"]',
  ],
  ['an unknown client of a filter is named', '/uploads?client=none', 'There is no client "none".'],
  ['a wrong place in a list is rejected', '/clients?after=x', 'Start at the first page of the list'],
  [
    'an unknown organisation is not found',
    '/organisations/none',
    'role=heading[name="Not found"]',
    'organisation "none"',
  ],
  [
    'an unknown upload is not found',
    '/uploads/none',
    'role=heading[name="Not found"]',
    'role=link[name="Search for it"][href="/search?q=none"]',
  ],
];

const forms: readonly Case[] = [
  [
    'a form has the help of each field, and marks required ones',
    '/files/+create',
    'role=textbox[name="Name"][name="name"][value=""][required][dir="auto"][aria-describedby="about-name"]',
    'The display name, for people only.',
    'css=#about-name',
    'css=#field-id[name="id"][value=""]:not([required])',
    'role=checkbox[name="Let clients request upload URLs for the file immediately."][value="true"]:not([checked])',
  ],
  [
    'a form explains each choice',
    '/clients/+create',
    'role=group[name="Scopes"]',
    'css=label input[name="scope"][value="volume:read"]:not([checked])',
    'Permissions of the client: one or more scopes.',
  ],
  [
    'a removed secret has its last use',
    '/clients/ID(clientId)/remove-secret?secretId=S',
    'could not be read',
    'This removes the secret "S": last use unknown. An application',
  ],
  [
    'a form contains the default',
    '/clients/ID(clientId)/rotate-secret',
    'css=input[name="grace"][value="7d"]',
  ],
  [
    'a form that deletes something has a red button',
    '/files/orders/delete',
    'role=heading[name="Delete the file: orders.csv"]',
    'css=p.note.warning',
    'This deletes the file',
    'This can take minutes, until the next page appears.',
    '5 uploads with 4.9 KiB of content, and 2 upload URLs',
    'role=button[name="Delete the file"].danger',
    'role=link[name="Go back"][href="/files/orders"]',
  ],
  [
    'a safe form describes its action, and contains the present value',
    '/files/orders/rename',
    'Change the display name of a file.',
    'role=textbox[name="Name"][value="orders.csv"]',
  ],
  [
    'the form of several entities names each',
    '/clients/ID(clientId),ID(clientWithTwoSecrets)/revoke',
    'role=heading[name="Revoke clients: 2"]',
    'With two secrets ID(clientWithTwoSecrets)',
    'role=link[name="Go back"][href="/clients"]',
  ],
  [
    'a form contains the values of its address',
    '/files/orders/rename?name=Given',
    'role=textbox[name="Name"][value="Given"]',
  ],
  [
    'a form that creates something leads back to the list',
    '/files/+create',
    'role=heading[name="Create a file"]',
    'role=button[name="Create a file"].primary',
    'role=link[name="Go back"][href="/files"]',
  ],
  [
    'a form of scopes has those of the client checked',
    '/clients/ID(clientId)/set-scopes',
    'css=[value="volume:read"][checked]',
    'css=[value="sync:create"]:not([checked])',
  ],
  [
    'a form that deletes an organisation asks for its id',
    '/organisations/acme/delete',
    'role=textbox[name="ID"][name="typed"]',
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
