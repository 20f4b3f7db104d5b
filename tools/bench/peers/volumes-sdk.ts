/** Minimal code of an API with access tokens: one `jwtVerify` for each request. */
import { type PeerEvent, verifier } from './environment.ts';

const verify = verifier();

export async function handler(event: PeerEvent) {
  await (await verify)(event);
  return { statusCode: 200, body: '{"data":[]}' };
}
