/** The least that an API with access tokens does: one `jwtVerify` of jose for each request. */
import { importJWK, jwtVerify } from 'jose';
import { readBody, serve, setting } from './serve.ts';

const jwk = JSON.parse(setting('PUBLIC_JWK'));
const key = await importJWK(jwk, jwk.alg);
const baseUrl = setting('BASE_URL');

serve(async (request, response) => {
  await readBody(request);
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  await jwtVerify(token, key, { issuer: baseUrl, audience: baseUrl, typ: 'at+jwt' });
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end('{"data":[]}');
});
