// Uploads a file into a file of the service, with Node.js 20.19 or later.
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const names = ['FILE_SYNC_BASE_URL', 'FILE_SYNC_CLIENT_ID', 'FILE_SYNC_CLIENT_SECRET', 'FILE_SYNC_FILE_ID'];
const [base = '', clientId, clientSecret, fileId] = names.map((name) => process.env[name]);
const baseUrl = base.replace(/\/+$/, '');

const advice = {
  __proto__: null,
  invalid_client:
    'Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.',
  invalid_scope: 'Ask the operator to allow this client the scope sync:create.',
  not_found: "Check the file id. The file must belong to the client's organisation.",
  sync_not_enabled: 'Ask the operator to enable syncing for this file.',
};

/** Why nothing was uploaded. After `wait` seconds, another attempt may help. Without them, it would not. */
class Failed extends Error {
  constructor(reason, wait) {
    super(reason);
    this.wait = wait;
  }
}

/** The ids of the last request to the service, and of the PUT after it. */
let quote = '';

const secrets = [];

/** Text of another side, without what steers a terminal or tells a secret. */
function shown(text, otherwise) {
  if (typeof text !== 'string') {
    return otherwise;
  }
  const plain = text.replace(/[^ -~]/g, '');
  if (secrets.some((secret) => plain.includes(secret))) {
    return '(not shown: it quotes a secret)';
  }
  return plain.replace(/\S{40,}/g, '...').slice(0, 200);
}

/** http goes from this machine to this machine only. */
function isEncrypted(url, orLocal) {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : {};
  const isLocal = protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return protocol === 'https:' || (isLocal && orLocal);
}

/**
 * Sends one request with node:http: fetch of Node.js 20 was seen to keep all of a large file in memory. node:http follows
 * no redirect, which would carry the token to another address.
 */
async function send(what, url, { content, doubt = '', ...options }) {
  const request = (url.startsWith('https:') ? https : http).request(url, options);
  // An error also rejects the promises below. After an early rejection nothing waits for them.
  request.on('error', () => undefined);
  request.setTimeout(120_000, () => request.destroy(new Error('nothing came back in time')));
  try {
    const answered = once(request, 'response');
    const sent = pipeline(content, request);
    // A rejection may come before the last byte was sent. Then nobody waits for the rest.
    const [response] = await Promise.race([answered, sent.then(() => answered)]);
    return await readAnswer(what, response);
  } catch (error) {
    if (error instanceof Failed) {
      throw error;
    }
    const reason = shown(String(error.cause ?? error.code ?? error.message));
    if (request.socket?.authorizationError) {
      throw new Failed(`The certificate of the ${what} is not trusted: ${reason}.`);
    }
    throw new Failed(`The connection to the ${what} broke: ${reason}.${doubt}`, 0);
  } finally {
    request.destroy();
  }
}

/** Keeps the request id for the operator. Throws when the status says enough. */
async function readAnswer(what, response) {
  const { statusCode: status, headers } = response;
  const id = headers['apigw-requestid'] ?? headers['x-amz-request-id'] ?? '';
  if (/^[\w=-]+$/.test(id) && shown(id) === id) {
    quote += ` Quote request id ${id} of the ${what} to the operator.`;
  }
  // A 501 is final: the storage does not support a header of the PUT.
  if (status === 429 || (status >= 500 && status !== 501)) {
    throw new Failed(
      `The ${what} responded with ${status}.`,
      /^\d+$/.test(headers['retry-after']) ? Number(headers['retry-after']) : 0,
    );
  }
  if (status >= 300 && status < 400) {
    throw new Failed(
      `The ${what} responded with ${status}. This is a redirect, which is not followed. Check FILE_SYNC_BASE_URL.`,
    );
  }
  let body = '';
  for await (const chunk of addAbortSignal(AbortSignal.timeout(35_000), response).setEncoding('utf8')) {
    body += chunk;
    if (body.length > 1_048_576) {
      break;
    }
  }
  return { status, body };
}

/** Asks the service. The text of a response that is not JSON is left out. */
async function post(path, authorization, form = '') {
  quote = '';
  const { status, body } = await send('service', baseUrl + path, {
    method: 'POST',
    signal: AbortSignal.timeout(35_000),
    headers: {
      authorization,
      'content-length': form.length,
      'content-type': 'application/x-www-form-urlencoded',
    },
    content: [form],
  });
  try {
    return { status, words: JSON.parse(body) };
  } catch {
    return { status };
  }
}

/** A text with the characters of a token or a URL. */
function required(value, name) {
  if (typeof value === 'string' && /^[\w:/?&=%.~+-]+$/.test(value)) {
    return value;
  }
  throw new Failed(
    `FILE_SYNC_BASE_URL is not a file-sync service: its response has no ${name}. Check FILE_SYNC_BASE_URL.`,
  );
}

/** Explains a rejection in the service's own words, and says what to do. */
function rejected(what, { status, words }) {
  const code = shown(words?.error ?? words?.message, 'no reason was given');
  const description = shown(words?.error_description, 'no description');
  const next = advice[code] ?? 'Check FILE_SYNC_BASE_URL, or give this message to the operator.';
  return new Failed(`${what} was rejected with ${status}: ${code} (${description}). ${next}`);
}

async function requestToken() {
  // RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined.
  const pair = [encodeURIComponent(clientId), encodeURIComponent(clientSecret)];
  const basic = btoa(pair.join(':'));
  secrets.push(clientSecret, pair[1], basic);
  const form = 'grant_type=client_credentials&scope=sync%3Acreate';
  const answer = await post('/oauth/token', `Basic ${basic}`, form);
  if (answer.status !== 200) {
    throw rejected('The request for an access token', answer);
  }
  const token = required(answer.words?.access_token, 'access_token');
  secrets.push(token);
  return token;
}

/** Exactly as many bytes as were announced. A file that grows or shrinks meanwhile is not complete. */
async function* readChunks(path, size) {
  let left = size;
  for await (const chunk of createReadStream(path)) {
    left -= chunk.length;
    if (left < 0) {
      break;
    }
    yield chunk;
  }
  if (left !== 0) {
    throw new Failed(`${path} was changed while it was read. Try again when it is complete.`);
  }
}

/** Streams the file to the upload URL, which is signed: no token and no credentials go there. */
async function put(url, path, size) {
  const { status, body } = await send('storage', url, {
    method: 'PUT',
    // Without a length, the body would be chunked, which the storage rejects with 501.
    headers: { 'content-length': size, 'content-type': 'application/octet-stream' },
    content: readChunks(path, size),
    doubt: ' The file may be stored all the same.',
  });
  if (status < 300) {
    return;
  }
  if (status === 412) {
    throw new Failed(
      'The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.',
    );
  }
  const element = (name) => new RegExp(`<${name}>([^<]*)<`).exec(body)?.[1];
  const words = shown(`${element('Code') ?? 'no code'} (${element('Message') ?? 'no message'})`);
  // These pass by themselves, or are cured by a new URL.
  if (/^(RequestTimeout|ConditionalRequestConflict|ExpiredToken)|Request has expired/.test(words)) {
    throw new Failed(`The storage responded with ${status}: ${words}.`, 0);
  }
  throw new Failed(
    `The storage rejected the file with ${status}: ${words}. Give this message to the operator.`,
  );
}

/** Each attempt asks for an upload URL of its own, because an interrupted attempt may have used up its URL. */
async function upload(path, size) {
  let token;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const isFresh = token === undefined;
      token ??= await requestToken();
      const answer = await post(`/v0/files/${encodeURIComponent(fileId)}/sync`, `Bearer ${token}`);
      if (answer.status === 401 && !isFresh) {
        // The token expired while the file was sent. The next attempt gets a new token.
        token = undefined;
        throw new Failed('The access token has expired.', 0);
      }
      if (answer.status !== 200) {
        throw rejected(`The upload into file ${fileId}`, answer);
      }
      const url = required(answer.words?.data?.upload_url, 'upload_url');
      if (!isEncrypted(url, baseUrl.startsWith('http:'))) {
        throw new Failed('The upload URL is not encrypted. Nothing was sent to it.');
      }
      return await put(url, path, size);
    } catch (error) {
      if (error.wait === undefined) {
        throw error;
      }
      if (attempt === 5) {
        throw new Failed(`${error.message} Given up after ${attempt} attempts. Try again later.`);
      }
      if (error.wait > 120) {
        throw new Failed(`${error.message} It asks to wait ${error.wait} seconds. Try again after that.`);
      }
      // Longer each time, and by chance, so that clients that failed together don't come back together.
      const wait = Math.max(error.wait, (2 ** attempt * (1 + Math.random())) / 4);
      console.error(`${error.message} Trying again in ${wait.toFixed(1)} s.${quote}`);
      await sleep(wait * 1000);
    }
  }
}

if (process.argv.length !== 3 || !clientId || !clientSecret || !fileId || !isEncrypted(baseUrl, true)) {
  console.error('The path or a setting is missing, or the base URL is neither https:// nor of this machine.');
  console.error(`usage: upload-file.mjs PATH\nSet ${names.join(', ')}.`);
  process.exitCode = 2;
} else {
  try {
    const path = process.argv[2];
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts?.isFile()) {
      throw new Failed(`${path} is not a file.`);
    }
    // 5 GiB: what one PUT takes.
    if (facts.size > 5_368_709_120) {
      throw new Failed(`${path} has ${facts.size} bytes. One upload takes at most 5 GiB. Nothing was sent.`);
    }
    await upload(path, facts.size);
    console.log(`${path} is uploaded into file ${fileId}: ${facts.size} bytes.`);
  } catch (error) {
    console.error(`error: ${error.message}${quote}`);
    process.exitCode = 1;
  }
}
