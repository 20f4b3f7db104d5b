import { html, raw } from 'hono/html';
import { maxUploadBytes, uploadUrlLifetimeSeconds } from '../../../../contract/limits.ts';
import { routes, syncPathOf } from '../../../../contract/routes.ts';
import { readExamples } from '../../../generate/examples.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { OperationError } from '../../errors.ts';
import { type File, fileSource } from '../../files/file.ts';
import { readPage } from '../../lists/read.ts';
import { formatSize, printable, quoted, shellWord } from '../../text.ts';
import { hashOf, type WholePage } from '../../whole-page.ts';
import { getClient, statusOf } from '../client.ts';
import { style } from './style.ts';

/** Each file is a row of the guide, which may be printed. */
const maxFiles = 50;

/**
 * Creates the guide for the developers of a client: one page without scripts and without other files. It
 * never contains the client secret. Calls DynamoDB three times: for the client, for the index of the files
 * and for the files.
 *
 * @throws {OperationError} when there is no such client, or it gets no tokens
 */
export async function guideFor(deployment: Deployment, clientId: string): Promise<WholePage> {
  const client = await getClient(deployment, clientId);
  const status = statusOf(client);
  if (status === 'deleted' || status === 'revoked') {
    throw new OperationError(`The client ${quoted(clientId)} is ${status}, so it gets no token.`, {
      noun: 'client',
      verb: 'show',
      id: clientId,
    });
  }
  const { outputs, now } = deployment;
  const { BaseUrl: baseUrl } = outputs;
  const selection = { organisation: client.organisation_id };
  const { entries: files, next } = await readPage(deployment, fileSource(selection), { limit: maxFiles });
  const examples = await readExamples();
  const name = printable(client.name);
  const scopes = client.scopes.join(' ');
  const uploadHost = uploadHostOf(deployment);
  const uploadScheme = new URL(baseUrl).protocol;
  const policy = `default-src 'none'; style-src ${hashOf(style)}; form-action 'none'; base-uri 'none'`;
  const head = raw(`<meta http-equiv="content-security-policy" content="${policy}"><style>${style}</style>`);
  const fileId = (files.find(({ sync_enabled }) => sync_enabled) ?? files[0])?.file_id ?? 'FILE_ID';
  const shell = `export FILE_SYNC_BASE_URL=${shellWord(baseUrl)}
export FILE_SYNC_CLIENT_ID=${shellWord(client.client_id)}
export FILE_SYNC_FILE_ID=${shellWord(fileId)}
read -rs FILE_SYNC_CLIENT_SECRET && export FILE_SYNC_CLIENT_SECRET # paste the secret`;
  const powerShell = `$env:FILE_SYNC_BASE_URL = '${baseUrl}'
$env:FILE_SYNC_CLIENT_ID = '${client.client_id}'
$env:FILE_SYNC_FILE_ID = '${fileId}'
$env:FILE_SYNC_CLIENT_SECRET = (Get-Credential client).GetNetworkCredential().Password # the password is the secret`;
  const values = table(
    'Name | Value',
    `Base URL | ${baseUrl}
Client ID | ${client.client_id}
Client secret | not in this guide
Organisation | ${client.organisation_id}
Scopes | ${scopes}
Allowed from | ${client.allow_from?.join(', ') ?? 'every IP address'}`,
  );
  const limits = table(
    'Limit | Value',
    `Lifetime of an access token | ${outputs.TokenLifetimeSeconds} seconds. Use one token for many requests
Lifetime of an upload URL | ${uploadUrlLifetimeSeconds} seconds, for the beginning of the PUT
Size of a file | ${formatSize(maxUploadBytes)} at most. 0 bytes are allowed
Tokens | ${outputs.TokenRateLimit} requests per second, and as many in one burst, for all clients in total
Upload URLs | ${outputs.SyncRateLimit} requests per second, and as many in one burst, for all clients in total
The PUT | no rate limit`,
  );
  const hosts = table(
    'Host | Purpose',
    `${new URL(baseUrl).host} | Tokens and upload URLs
${uploadHost} | The PUT of the bytes`,
  );
  const programs = examples.map(({ language, code }) => program(language, code));
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}
<title>File Sync: guide for ${name}</title>
</head>
<body>
<main>
<h1>Uploading files: guide for <bdi>${name}</bdi></h1>
<p class="muted">Created on ${new Date(now()).toISOString().slice(0, 10)}. The operator can change files, scopes and limits later.</p>
${client.scopes.includes(routes.sync.scope) ? '' : cannotUpload}
<h2>Your values</h2>
${values}
<p>The operator sends you the <b>client secret</b> separately, over a channel that only you can read, such as a shared
password manager. It begins with <code>fss_</code>. Store it as a secret on your server: never in a repository, a log, a
mail or a browser. If somebody else may have read it, tell the operator, who replaces it.</p>
<h2>Your files</h2>
${filesOf(files, next !== undefined)}
<h2>The three requests</h2>
<ol>
<li><code>POST ${routes.token.path}</code> exchanges the client ID and the secret for an access token:
<pre>{"access_token":"ey...","token_type":"Bearer","expires_in":${outputs.TokenLifetimeSeconds},"scope":"${scopes}"}</pre></li>
<li><code>POST ${syncPathOf('FILE_ID')}</code> with <code>Authorization: Bearer ACCESS_TOKEN</code> returns an upload URL:
<pre>{"data":{"upload_url":"${uploadScheme}//${uploadHost}/..."}}</pre></li>
<li><code>PUT</code> of the bytes to the upload URL, with their length and without the token. The status 200 means that the
file is stored. It replaces earlier content of the file.</li>
</ol>
<p>Programs in several languages are at the end.</p>
<h2>Pitfalls</h2>
<ul>
<li><b>Base URL:</b> it has no slash at its end. A path that begins with <code>//</code> is 404.</li>
<li><b>Length:</b> the PUT requires <code>Content-Length</code>. A stream without a length is 501 or 411. Do not retry it.</li>
<li><b>One use:</b> each upload URL accepts one PUT. For each upload, and for each retry, request a new URL.</li>
<li><b>Lost response:</b> if a PUT received no response, the file may be stored, and the URL responds with 412. In this case,
request a new URL and send the file again. Disable automatic retries of the PUT in your HTTP library.</li>
<li><b>Time limits:</b> set one for each request. Most programs below set none, to stay short.</li>
<li><b>One hour:</b> begin the PUT within one hour after you requested the URL. It may end later.</li>
<li><b>No token to the storage:</b> send the access token only to the base URL. With an <code>Authorization</code> header,
the PUT is 400.</li>
<li><b>The URL is a secret:</b> anybody who has it can upload. Do not log it, and do not decode or shorten it.</li>
<li><b>The body is the file:</b> a form (<code>multipart/form-data</code>) would be stored as a form.</li>
</ul>
<h2>Limits</h2>
${limits}
<h2>Errors</h2>
<p>Decide by the status and the code, never by a sentence. The code is <code>error</code> or <code>message</code> in JSON, and
<code>Code</code> in the XML of a PUT. After three failed attempts, stop and inform somebody. Log the header
<code>apigw-requestid</code> of each response.</p>
${table('From | Status | Code | What to do', errors)}
<h2>Firewall</h2>
${hosts}
<p>Allow outgoing connections by host name, because the IP addresses change. A proxy must not add an
<code>Authorization</code> header.</p>
<h2>Contact</h2>
<p class="line">Name, mail, telephone:</p>
<p>Name the value of <code>apigw-requestid</code>, or for the PUT <code>x-amz-request-id</code>, the time and the status. Never
send the secret, a token or an upload URL.</p>
<h2>Programs</h2>
<p>Each program uploads <code>orders.csv</code>, and prints <code>200</code>. It reads these settings. A scheduled job
reads the secret from a secret store instead:</p>
${program('Shell: bash or zsh', shell)}
${program('PowerShell', powerShell)}
${programs}
</main>
</body>
</html>
`;
  return { html: page.toString(), policy };
}

/** Returns the host of the upload URLs. A local run replaces S3. */
export function uploadHostOf({ outputs, awsConfig }: Deployment): string {
  return awsConfig.endpoint === undefined ? outputs.UploadHost : new URL(awsConfig.endpoint).host;
}

const cannotUpload = html`<p class="note">This client cannot upload: it lacks the scope <code>${routes.sync.scope}</code>, so the
request for an upload URL is 403. Contact the operator if the application must upload files.</p>`;

const noFile = html`<p class="note">The organisation has no file yet. The operator must create one before the first upload.</p>`;

function filesOf(files: readonly File[], hasMore: boolean) {
  if (files.length === 0) {
    return noFile;
  }
  const rows = files.map(({ file_id, name, sync_enabled }) => [
    file_id,
    printable(name),
    sync_enabled ? 'yes' : 'no: 409 until the operator enables it',
  ]);
  const more = hasMore ? `These are the newest ${files.length} files. The operator can list more.` : '';
  return html`${table('File ID | Name | Accepts uploads', rows)}<p>${more}</p>`;
}

/** A table. Cells of a text are separated by bars. */
function table(heading: string, rows: string | readonly (readonly string[])[]) {
  const cells = typeof rows === 'string' ? rows.split('\n').map((row) => row.split(' | ')) : rows;
  const headings = heading.split(' | ').map((cell) => html`<th>${cell}</th>`);
  const body = cells.map((row) => html`<tr>${row.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>`);
  return html`<div class="wide"><table><thead><tr>${headings}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** A program, with its language above it. */
function program(language: string, text: string) {
  return html`<h3>${language}</h3><pre tabindex="0">${text}</pre>`;
}

/** Errors of the three requests (docs/api.md, sections 4, 9 and 11). */
const errors = `Token | 400 | invalid_request | Correct the request: a form with grant_type=client_credentials
Token | 400 | invalid_scope | Request only the scopes above, or leave out scope
Token | 400 | unsupported_grant_type | Send grant_type=client_credentials
Token | 401 | invalid_client | Check ID and secret. The operator may have replaced the secret, or not allow the IP address
Upload URL | 401 | Unauthorized | Request a new token, and retry once
Upload URL | 403 | insufficient_scope | Contact the operator: the client lacks the scope
Upload URL | 404 | not_found | Check the file ID: no such file in your organisation
Token, upload URL | 404 | Not Found | Check the path: no slash at the end of the base URL, no empty file ID
Upload URL | 409 | sync_not_enabled | Contact the operator, who enables syncing of the file
Token, upload URL | 429, 500, 503 |  | Wait a second and retry. Double the wait each time, with random jitter
PUT | 400 | EntityTooLarge | The file is too large for one upload
PUT | 400 | InvalidArgument | Send no Authorization header
PUT | 403 | AccessDenied, SignatureDoesNotMatch | The URL has expired or was changed, the method is not PUT, or the address is not allowed: request a new one
PUT | 409 | ConditionalRequestConflict | The URL is in use: request a new one, and send the file again
PUT | 411 | MissingContentLength | Send Content-Length. Do not retry
PUT | 412 | PreconditionFailed | The URL was used: request a new one, and send the file again
PUT | 501 | NotImplemented | Send Content-Length, and no Content-Range. Do not retry
PUT | 500, 503 |  | Request a new URL, and send the file again`;
