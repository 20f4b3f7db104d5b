// Uploads a file into a file of the service, with Node.js 20.19 or later and openid-client.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as oauth from 'openid-client';

/** 5 GiB: what one PUT takes. */
const maximumBytes = 5_368_709_120;
const maximumAttempts = 5;

const advice = {
  invalid_client:
    'Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.',
  invalid_scope: 'Ask the operator to allow this client the scope sync:create.',
  insufficient_scope: 'Ask the operator to allow this client the scope sync:create.',
  not_found: "Check the file id. The file must belong to the client's organisation.",
  sync_not_enabled: 'Ask the operator to enable syncing for this file.',
};

/** The command line or a setting makes no sense. Nothing was sent. */
class UsageError extends Error {}

/** Another attempt would not help. */
class Failed extends Error {}

/** Another attempt may help, after so many seconds at least. */
class Retry extends Error {
  constructor(reason, wait = 0) {
    super(reason);
    this.wait = wait;
  }
}

/** The ids of the last request to the service, and of the PUT after it. */
let quote = '';

function isEncryptedOrLocal(text) {
  const { protocol, hostname } = new URL(text);
  return (
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  );
}

/** Makes openid-client ask our token endpoint, with HTTP Basic as RFC 6749 section 2.3.1 describes it. */
function createConfiguration({ baseUrl, clientId, clientSecret }) {
  const server = { issuer: baseUrl, token_endpoint: `${baseUrl}/oauth/token` };
  const authentication = oauth.ClientSecretBasic(clientSecret);
  const configuration = new oauth.Configuration(server, clientId, undefined, authentication);
  // The local run has no certificate. Other addresses were refused before.
  if (baseUrl.startsWith('http:')) {
    oauth.allowInsecureRequests(configuration);
  }
  return configuration;
}

/** A refusal or a broken connection, from what openid-client throws. */
async function requestToken(configuration) {
  try {
    const { access_token } = await oauth.clientCredentialsGrant(configuration, { scope: 'sync:create' });
    return access_token;
  } catch (error) {
    // The answer is in the error, or in the cause of the error when the answer has no error code of RFC 6749.
    const answer = [error.response, error.cause].find((candidate) => candidate instanceof Response);
    if (answer === undefined) {
      throw broken('service', error);
    }
    if (answer.ok) {
      throw new Failed('The service answered without an access token. Check FILE_SYNC_BASE_URL.');
    }
    throwIfPassing(answer, 'service');
    const words = error.error === undefined ? await readJson(answer) : error;
    throw refused('The request for an access token', answer.status, words);
  }
}

/** Sends one request. A redirect is not followed: it would carry the token to another address. */
async function send(url, what, options) {
  try {
    return await fetch(url, { ...options, redirect: 'manual' });
  } catch (error) {
    throw broken(what, error);
  }
}

/** Names the system's reason. Other details of an error may quote the upload URL. */
function broken(what, error) {
  const reason = error.cause?.code ?? error.code ?? error.message;
  return new Retry(`The connection to the ${what} broke: ${reason}.`);
}

/** Adds the id of the answer to what is quoted, and throws if another attempt may help. */
function throwIfPassing({ status, headers }, what) {
  const id = headers.get('apigw-requestid') ?? headers.get('x-amz-request-id') ?? '';
  // Another side wrote the id, so a text that does not look like an id is left out.
  if (/^[\w=-]{1,64}$/.test(id)) {
    quote += ` Quote request id ${id} of the ${what} to the operator.`;
  }
  if (status !== 429 && status < 500) {
    return;
  }
  const asked = headers.get('retry-after');
  throw new Retry(`The ${what} answered ${status}.`, /^\d{1,9}$/.test(asked) ? Number(asked) : 0);
}

const readJson = (answer) => answer.json().catch(() => undefined);

/** Explains a refusal in the service's own words, and says what to do. */
function refused(what, status, words) {
  const code = words?.error ?? words?.message ?? 'no reason was given';
  const description = words?.error_description ?? 'no description';
  const next = advice[code] ?? 'Check FILE_SYNC_BASE_URL, or give this message to the operator.';
  return new Failed(`${what} was refused with ${status}: ${code} (${description}). ${next}`);
}

/** Exactly as many bytes as were announced, so that a file that shrinks is never stored in part. */
async function* readChunks(path, size) {
  let left = size;
  for await (const chunk of size === 0 ? [] : createReadStream(path, { end: size - 1 })) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) {
    throw new Failed(`${path} was changed while it was read. Try again when it is complete.`);
  }
}

/**
 * Streams the file to the upload URL, which is signed: no token and no credentials go there. It uses node:http, because
 * fetch of Node.js 20 was seen to keep all of a large file in memory.
 */
async function put(url, path, size) {
  if (!isEncryptedOrLocal(url)) {
    throw new Failed('The upload URL is not encrypted. Nothing was sent to it.');
  }
  // Without a length, the body would be chunked, which the storage refuses with 411.
  const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' };
  const request = (url.startsWith('https:') ? https : http).request(url, { method: 'PUT', headers });
  // An error also rejects the promises below. After an early refusal nothing waits for them.
  request.on('error', () => undefined);
  request.setTimeout(120_000, () => request.destroy(new Error('nothing came back in time')));
  try {
    const answered = once(request, 'response');
    const sent = pipeline(readChunks(path, size), request);
    // A refusal may come before the last byte was sent. Then nobody waits for the rest.
    await Promise.race([sent, answered]);
    const [response] = await Promise.race([answered, sent.then(() => answered)]);
    return {
      status: response.statusCode,
      headers: new Headers(response.headers),
      body: await text(response),
    };
  } catch (error) {
    if (error instanceof Failed) {
      throw error;
    }
    throw new Retry(`${broken('storage', error).message} The file may be stored all the same.`);
  } finally {
    request.destroy();
  }
}

/** Decides whether the bytes are stored, another attempt may help, or neither. */
function judge({ body, ...answer }) {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    return;
  }
  throwIfPassing(answer, 'storage');
  if (status === 412) {
    throw new Failed(
      'The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.',
    );
  }
  const element = (name) => new RegExp(`<${name}>([^<]*)<`).exec(body)?.[1];
  const words = `${element('Code') ?? 'no code'} (${element('Message') ?? 'no message'})`;
  // These pass by themselves, or are cured by a new URL.
  if (/^(RequestTimeout|ConditionalRequestConflict|ExpiredToken)|Request has expired/.test(words)) {
    throw new Retry(`The storage answered ${status}: ${words}.`);
  }
  throw new Failed(
    `The storage refused the file with ${status}: ${words}. Give this message to the operator.`,
  );
}

async function issueUploadUrl(baseUrl, fileId, token) {
  const answer = await send(`${baseUrl}/v0/files/${encodeURIComponent(fileId)}/sync`, 'service', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(35_000),
  });
  throwIfPassing(answer, 'service');
  const words = await readJson(answer);
  if (!answer.ok) {
    return { status: answer.status, words };
  }
  const url = words?.data?.upload_url;
  if (URL.canParse(url)) {
    return { status: answer.status, url };
  }
  throw new Failed('The service answered without an upload URL. Check FILE_SYNC_BASE_URL.');
}

/**
 * Uploads the file. Each attempt asks for an upload URL of its own, because an interrupted attempt may have used up its
 * URL.
 */
async function upload(path, size, settings) {
  const { fileId } = settings;
  const configuration = createConfiguration(settings);
  let token;
  for (let attempt = 1; ; attempt += 1) {
    quote = '';
    try {
      const isFresh = token === undefined;
      token ??= await requestToken(configuration);
      const { status, words, url } = await issueUploadUrl(settings.baseUrl, fileId, token);
      if (status === 401 && !isFresh) {
        // The token expired while the file was sent. The next attempt gets a new token.
        token = undefined;
        throw new Retry('The access token has expired.');
      }
      if (url === undefined) {
        throw refused(`The upload into file ${fileId}`, status, words);
      }
      return judge(await put(url, path, size));
    } catch (error) {
      if (!(error instanceof Retry)) {
        throw error;
      }
      if (attempt === maximumAttempts) {
        throw new Failed(`${error.message} Given up after ${attempt} attempts. Try again later.`);
      }
      if (error.wait > 120) {
        throw new Failed(`${error.message} It asks to wait ${error.wait} seconds. Try again after that.`);
      }
      // Longer each time, and by chance, so that clients that failed together don't come back together.
      const wait = Math.max(error.wait, (2 ** (attempt - 1) * (1 + Math.random())) / 2);
      console.error(`${error.message} Trying again in ${wait.toFixed(1)} s.${quote}`);
      await sleep(wait * 1000);
    }
  }
}

function readSettings() {
  const { FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET, FILE_SYNC_FILE_ID } = process.env;
  if (!FILE_SYNC_BASE_URL || !FILE_SYNC_CLIENT_ID || !FILE_SYNC_CLIENT_SECRET || !FILE_SYNC_FILE_ID) {
    throw new UsageError('A setting is missing.');
  }
  if (!URL.canParse(FILE_SYNC_BASE_URL) || !isEncryptedOrLocal(FILE_SYNC_BASE_URL)) {
    throw new UsageError('FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only).');
  }
  const baseUrl = FILE_SYNC_BASE_URL.replace(/\/+$/, '');
  return {
    baseUrl,
    clientId: FILE_SYNC_CLIENT_ID,
    clientSecret: FILE_SYNC_CLIENT_SECRET,
    fileId: FILE_SYNC_FILE_ID,
  };
}

async function main([path, ...more]) {
  if (!path || more.length > 0) {
    throw new UsageError('Give a path.');
  }
  const settings = readSettings();
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) {
    throw new Failed(`${path} is not a file.`);
  }
  const { size } = facts;
  if (size > maximumBytes) {
    throw new Failed(
      `${path} has ${size} bytes. One upload takes at most ${maximumBytes} (5 GiB). Nothing was sent.`,
    );
  }
  await upload(path, size, settings);
  console.log(`${path} is uploaded into file ${settings.fileId}: ${size} bytes.`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nusage: upload-file.mjs PATH`);
    console.error(
      'Set FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET and FILE_SYNC_FILE_ID.',
    );
    process.exitCode = 2;
  } else if (error instanceof Failed) {
    console.error(`error: ${error.message}${quote}`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
