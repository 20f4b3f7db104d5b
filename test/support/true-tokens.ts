import type { AttackedService } from './attacked-service.ts';
import { fetchToken } from './fetch-token.ts';

/** Tokens that the service gave to its clients. */
export interface TrueTokens {
  readonly client: string;
  readonly reader: string;
}

export async function fetchTokens({ baseUrl, client, reader }: AttackedService): Promise<TrueTokens> {
  const [ofClient, ofReader] = await Promise.all([fetchToken(baseUrl, client), fetchToken(baseUrl, reader)]);
  return { client: ofClient, reader: ofReader };
}
