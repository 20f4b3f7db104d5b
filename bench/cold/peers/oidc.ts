/**
 * Issues a token with oidc-provider. It reads its client and its signing key by the same two calls as the function.
 * Peer of the cold start of `token`.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createOidcProvider } from '../../programs/oidc-in-dynamodb.ts';
import { setting } from '../../programs/serve.ts';

const dynamodb = new DynamoDBClient();
// Read while the rest of the module loads.
const signingKey = new SecretsManagerClient()
  .send(new GetSecretValueCommand({ SecretId: setting('SIGNING_KEY_SECRET_ARN') }))
  .then(({ SecretString: secret = '' }) => JSON.parse(secret).current);

const started = signingKey.then((key) => createOidcProvider(dynamodb, key).callback());

interface Event {
  readonly headers: Readonly<Record<string, string>>;
  /** In base64, as API Gateway sends a form. */
  readonly body: string;
}

/** Answers an event of API Gateway, as adapters between Lambda and `node:http` do: without a network between them. */
export async function handler({ headers, body }: Event) {
  const answerRequest = await started;
  const form = Buffer.from(body, 'base64');
  const request = new IncomingMessage(new Socket());
  Object.assign(request, {
    method: 'POST',
    url: '/token',
    headers: { ...headers, host: 'files.example.com', 'content-length': String(form.length) },
  });
  request.push(form);
  request.push(null);
  const response = new ServerResponse(request);
  const answered = new Promise<string>((resolve) => {
    Object.assign(response, { end: (chunk: unknown) => resolve(String(chunk ?? '')) });
  });
  answerRequest(request, response);
  const text = await answered;
  return { statusCode: response.statusCode, body: text };
}
