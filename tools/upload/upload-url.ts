import { printable } from '../operator/text.ts';

/** The object key ends in the upload id, a UUIDv7. Operators find the upload by it. */
export function uploadIdOf({ pathname }: URL): string | undefined {
  const last = pathname.split('/').at(-1) ?? '';
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(last) ? last : undefined;
}

/** The upload id or the path of the URL. The path is safe to show: the signature is in the query. */
export function nameOf(url: URL): string {
  return uploadIdOf(url) ?? printable(url.pathname);
}
