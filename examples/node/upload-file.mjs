// Uploads a file with Node.js 20 or later: node upload-file.mjs PATH
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Uploads the content of a path. Retries once, with a new upload URL. */
export async function uploadFile({ baseUrl, clientId, clientSecret }, fileId, path) {
  const base = baseUrl.replace(/\/+$/, '');
  const { size } = await stat(path);
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const form = String(new URLSearchParams({ grant_type: 'client_credentials', ...credentials }));
  const attempt = async () => {
    const formType = { 'content-type': 'application/x-www-form-urlencoded' };
    const token = await send('POST', `${base}/oauth/token`, formType, form.length, [form]);
    const bearer = { authorization: `Bearer ${JSON.parse(token).access_token}` };
    const syncUrl = `${base}/v0/files/${encodeURIComponent(fileId)}/sync`;
    const sync = await send('POST', syncUrl, bearer, 0, ['']);
    await send('PUT', JSON.parse(sync).data.upload_url, {}, size, createReadStream(path));
  };
  try {
    await attempt();
  } catch (error) {
    if (error.isFinal) {
      throw error;
    }
    await sleep(1000 + 2000 * Math.random());
    await attempt();
  }
}

/** Streams a body with its length: fetch of Node.js 20 would keep a large file in memory. */
async function send(method, url, headers, size, body) {
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method, headers: { ...headers, 'content-length': size } });
  sent.setTimeout(60_000, () => sent.destroy(new Error('no progress for 60 seconds')));
  const [[response]] = await Promise.all([once(sent, 'response'), pipeline(body, sent)]);
  const content = await text(response);
  const { statusCode: status } = response;
  if (status >= 300) {
    const isFinal = status !== 429 && (status < 500 || status === 501);
    throw Object.assign(new Error(`${method} got ${status}: ${content}`), { isFinal });
  }
  return content;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { FILE_SYNC_BASE_URL: baseUrl, FILE_SYNC_CLIENT_ID: clientId, ...env } = process.env;
  const service = { baseUrl, clientId, clientSecret: env.FILE_SYNC_CLIENT_SECRET };
  await uploadFile(service, env.FILE_SYNC_FILE_ID, process.argv[2]);
  console.log('Uploaded.');
}
