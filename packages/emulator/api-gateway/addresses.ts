import type { IncomingMessage } from 'node:http';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { apiMappingType, type apiType } from './resource-types.ts';

/** The names under which API Gateway serves an API. */
export interface Addresses {
  /** Name of the API's own endpoint (the "default endpoint"). */
  readonly ownName: string;
  /** Whether the API's own endpoint answers. */
  readonly isOwnOpen: boolean;
  /** Custom domain names that are mapped to the API. */
  readonly domainNames: readonly string[];
}

/** Finds the names of the API. */
export function readAddresses(
  api: TypedResource<typeof apiType.properties>,
  resources: readonly Resource[],
): Addresses {
  return {
    ownName: new URL(api.attributes.ApiEndpoint ?? '').hostname,
    isOwnOpen: api.properties.DisableExecuteApiEndpoint !== true,
    domainNames: ofType(resources, apiMappingType).map(({ properties }) => properties.DomainName),
  };
}

/**
 * The name of the API that a request was sent to; undefined for a loopback name, which stands for all of them. The
 * target decides before the header (RFC 9112 section 3.2.2).
 */
export function nameAsked(
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  { ownName, domainNames }: Addresses,
): string | undefined {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host ?? '';
  const name = authority.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return [ownName, ...domainNames].find((known) => known === name);
}
