/** Answers without doing anything: what `node:http` alone takes. */
import { readBody, serve } from './serve.ts';

serve(async (request, response) => {
  await readBody(request);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"data":[]}');
});
