import { quoted } from './text.ts';

/** What is known of an HTTP answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string | null | undefined;
  /** Where a redirect points to. */
  readonly location?: string | null | undefined;
  /** The body, or its beginning. */
  readonly body: string;
}

/** What a person checks when something else than the other side has answered. */
export const whatIsInBetween = 'that no proxy and no sign-in page of the network is in between';

/**
 * Describes an answer that is for a browser: a page, or a redirect to one. Proxies, sign-in pages of networks and wrong
 * addresses answer so. The service and AWS do not.
 *
 * @returns `200 with a web page titled "Sign in"`, or undefined for any other answer
 */
export function describeWebPage({ status, contentType, location, body }: HttpAnswer): string | undefined {
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '') || isPage(body)) {
    const title = titleOf(body);
    return `${status} with a web page${title === '' ? '' : ` titled ${quoted(title)}`}`;
  }
  return status >= 300 && status < 400 && location
    ? `${status} with a redirect to ${quoted(withoutQuery(location))}`
    : undefined;
}

function isPage(body: string): boolean {
  return /^\s*(<!--.*?-->\s*)*(<!doctype html|<html)\b/is.test(body.slice(0, 2000));
}

function titleOf(body: string): string {
  const [, title = ''] = /<title[^>]{0,200}>([^<]{0,300})/i.exec(body) ?? [];
  return title.replace(/\s+/g, ' ').trim();
}

/** A redirect may repeat what was sent, such as a signature, in its query. */
function withoutQuery(location: string): string {
  return location.replace(/[?#].*$/s, '');
}

/** Reads an answer of `fetch`. */
export async function readHttpAnswer(answer: Response): Promise<HttpAnswer> {
  const { status, headers } = answer;
  return {
    status,
    contentType: headers.get('content-type'),
    location: headers.get('location'),
    body: await answer.text(),
  };
}
