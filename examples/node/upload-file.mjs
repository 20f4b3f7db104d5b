// Uploads a file into a file of the service, with Node.js 20.19 or later.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** 5 GiB: what one PUT takes. */
const maximumBytes = 5_368_709_120;
const maximumAnswerBytes = 1_048_576;
const maximumAttempts = 5;

const advice = {
  __proto__: null,
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
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname } = new URL(text);
  return (
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  );
}

const secrets = [];

/** What another side wrote, fit for a terminal and a log. No word is as long as a secret, a token or a signature. */
function shown(text) {
  if (secrets.some((secret) => text.includes(secret))) {
    return '(a secret, not shown)';
  }
  return text
    .replace(/[^ -~]/g, '?')
    .replace(/\S{40,}/g, '...')
    .slice(0, 200);
}

/**
 * Sends one request with node:http: fetch of Node.js 20 was seen to keep all of a large file in memory. node:http follows
 * no redirect, which would carry the token to another address. An answer must come within 35 s, or after a PUT within 35 s
 * of its first byte.
 */
async function send(url, what, { content = [], doubt = '', ...options }) {
  const request = (url.startsWith('https:') ? https : http).request(url, options);
  // An error also rejects the promises below. After an early refusal nothing waits for them.
  request.on('error', () => undefined);
  const late = () => request.destroy(new Error('nothing came back in time'));
  request.setTimeout(120_000, late);
  let timer = what === 'service' ? setTimeout(late, 35_000) : undefined;
  try {
    const answered = once(request, 'response');
    const sent = pipeline(content, request);
    // A refusal may come before the last byte was sent. Then nobody waits for the rest.
    await Promise.race([sent, answered]);
    const [response] = await Promise.race([answered, sent.then(() => answered)]);
    timer ??= setTimeout(late, 35_000);
    const answer = { status: response.statusCode, headers: response.headers, body: await read(response) };
    throwIfPassing(answer, what);
    return answer;
  } catch (error) {
    if (error instanceof Failed || error instanceof Retry) {
      throw error;
    }
    const reason = shown(error.code ?? error.message);
    if (request.socket?.authorizationError) {
      throw new Failed(`The certificate of the ${what} is not trusted: ${reason}.`);
    }
    throw new Retry(`The connection to the ${what} broke: ${reason}.${doubt}`);
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

async function read(response) {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > maximumAnswerBytes) {
      break;
    }
  }
  return text;
}

/** Adds the id of the answer to what is quoted, and throws if another attempt may help. */
function throwIfPassing({ status, headers }, what) {
  const id = headers['apigw-requestid'] ?? headers['x-amz-request-id'] ?? '';
  // Another side wrote the id, so a text that does not look like an id is left out.
  if (/^[\w=-]{1,32}$/.test(id)) {
    quote += ` Quote request id ${shown(id)} of the ${what} to the operator.`;
  }
  const reason = `The ${what} answered ${status}.`;
  if (status === 429 || status >= 500) {
    throw new Retry(reason, secondsOf(headers['retry-after'] ?? ''));
  }
  if (status >= 300 && status < 400) {
    throw new Failed(`${reason} This is a redirect, which is not followed. Check FILE_SYNC_BASE_URL.`);
  }
}

/** Seconds or a date (RFC 9110 section 10.2.3). */
function secondsOf(asked) {
  return /^\d+$/.test(asked) ? Number(asked) : Math.ceil((Date.parse(asked) - Date.now()) / 1000) || 0;
}

function parse({ body }) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A text that is fit for a header or a URL. */
function required(value, pattern, name) {
  if (typeof value === 'string' && pattern.test(value)) {
    return value;
  }
  throw new Failed(
    `What answers at FILE_SYNC_BASE_URL is not a file-sync service: it gave no ${name}. Check FILE_SYNC_BASE_URL.`,
  );
}

/** Explains a refusal in the service's own words, and says what to do. */
function refused(what, answer) {
  const words = parse(answer);
  const code = String(words?.error ?? words?.message ?? 'no reason was given');
  const description = String(words?.error_description ?? 'no description');
  const next = advice[code] ?? 'Check FILE_SYNC_BASE_URL, or give this message to the operator.';
  return new Failed(
    `${what} was refused with ${answer.status}: ${shown(code)} (${shown(description)}). ${next}`,
  );
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

async function requestToken({ baseUrl, clientId, clientSecret }) {
  // RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined.
  const pair = [clientId, clientSecret].map((part) => new URLSearchParams([['', part]]).toString().slice(1));
  const basic = Buffer.from(pair.join(':')).toString('base64');
  secrets.splice(0, Infinity, clientSecret, pair[1], basic);
  const form = 'grant_type=client_credentials&scope=sync%3Acreate';
  const answer = await send(`${baseUrl}/oauth/token`, 'service', {
    method: 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      'content-length': String(form.length),
      'content-type': 'application/x-www-form-urlencoded',
    },
    content: [form],
  });
  if (answer.status !== 200) {
    throw refused('The request for an access token', answer);
  }
  const token = required(parse(answer)?.access_token, /^[\w.~+/=-]+$/, 'access_token');
  secrets.push(token);
  return token;
}

/** Streams the file to the upload URL, which is signed: no token and no credentials go there. */
async function put(url, path, size, { baseUrl }) {
  // http goes from this machine to this machine only.
  if (!isEncryptedOrLocal(url) || (url.startsWith('http:') && !baseUrl.startsWith('http:'))) {
    throw new Failed('The upload URL is not encrypted. Nothing was sent to it.');
  }
  secrets.push(new URL(url).search.slice(1) || url);
  return send(url, 'storage', {
    method: 'PUT',
    // Without a length, the body would be chunked, which the storage refuses with 411.
    headers: { 'content-length': String(size), 'content-type': 'application/octet-stream' },
    content: readChunks(path, size),
    doubt: ' The file may be stored all the same.',
  });
}

/** Decides whether the bytes are stored, another attempt may help, or neither. */
function judge({ status, body }) {
  if (status >= 200 && status < 300) {
    return;
  }
  if (status === 412) {
    throw new Failed(
      'The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.',
    );
  }
  const element = (name) => new RegExp(`<${name}>([^<]*)<`).exec(body)?.[1];
  const words = `${element('Code') ?? 'no code'} (${element('Message') ?? 'no message'})`;
  const reason = `${status}: ${shown(words)}.`;
  // These pass by themselves, or are cured by a new URL.
  if (/^(RequestTimeout|ConditionalRequestConflict|ExpiredToken)|Request has expired/.test(words)) {
    throw new Retry(`The storage answered ${reason}`);
  }
  throw new Failed(`The storage refused the file with ${reason} Give this message to the operator.`);
}

/**
 * Uploads the file. Each attempt asks for an upload URL of its own, because an interrupted attempt may have used up its
 * URL.
 */
async function upload(path, size, settings) {
  const { baseUrl, fileId } = settings;
  let token;
  for (let attempt = 1; ; attempt += 1) {
    quote = '';
    try {
      const isFresh = token === undefined;
      token ??= await requestToken(settings);
      quote = '';
      const answer = await send(`${baseUrl}/v0/files/${encodeURIComponent(fileId)}/sync`, 'service', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-length': '0' },
      });
      if (answer.status === 401 && !isFresh) {
        // The token expired while the file was sent. The next attempt gets a new token.
        token = undefined;
        throw new Retry('The access token has expired.');
      }
      if (answer.status !== 200) {
        throw refused(`The upload into file ${fileId}`, answer);
      }
      const url = required(parse(answer)?.data?.upload_url, /^https?:\/\/[!-~]+$/, 'upload_url');
      return judge(await put(url, path, size, settings));
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
  if (!isEncryptedOrLocal(FILE_SYNC_BASE_URL)) {
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
