/** Serves one bundle of a function: each HTTP request becomes an event of API Gateway (payload format 2.0). */
import { pathToFileURL } from 'node:url';
import { readBody, serve, setting } from './serve.ts';

interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const { handler }: { handler: (event: object) => Promise<Answer> } = await import(
  pathToFileURL(setting('BUNDLE')).href
);
const routeKey = setting('ROUTE_KEY');
let requests = 0;

serve(async (request, response) => {
  const body = await readBody(request);
  requests += 1;
  const {
    statusCode,
    headers,
    body: text,
  } = await handler({
    version: '2.0',
    routeKey,
    rawPath: request.url,
    rawQueryString: '',
    headers: request.headers,
    pathParameters: { fileId: request.url?.split('/')[3] },
    requestContext: { requestId: `request-${requests}`, http: { method: request.method, path: request.url } },
    isBase64Encoded: body !== '',
    ...(body === '' ? {} : { body: Buffer.from(body).toString('base64') }),
  });
  response.writeHead(statusCode, { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(text);
});
