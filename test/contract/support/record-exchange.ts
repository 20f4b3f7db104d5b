import { recordProduced, recordProducedUrl } from '../../support/produced-secrets.ts';

const token = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20,}/g;
const uploadUrl = /https?:\/\/[^\s"]+X-Amz-Signature=[^\s"]+/g;

/** Remembers what an answer gave: tokens and upload URLs, wherever they stand in it. */
export function recordAnswer({ text }: { readonly text: string }): void {
  for (const [found] of text.matchAll(token)) {
    recordProduced('access token', found);
  }
  for (const [found] of text.matchAll(uploadUrl)) {
    recordProducedUrl(found);
  }
}

/** Remembers tokens that the suite made itself and sent, the forged ones too: no log may hold those either. */
export function recordQuestion({
  headers = {},
}: {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}): void {
  for (const [found] of String(headers.authorization ?? '').matchAll(token)) {
    recordProduced('access token', found);
  }
}
