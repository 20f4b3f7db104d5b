/** oidc-provider behind `node:http`: see {@link createOidcProvider}. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createOidcProvider } from './oidc-in-dynamodb.ts';
import { awsConfig, serve, setting } from './serve.ts';

const provider = createOidcProvider(new DynamoDBClient(awsConfig()), JSON.parse(setting('PRIVATE_JWK')));
serve(provider.callback());
