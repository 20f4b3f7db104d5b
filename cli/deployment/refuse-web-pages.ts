import { HttpResponse } from '@smithy/core/protocols';
import { CommandError } from '../errors.ts';
import { describeWebPage, whatIsInBetween } from '../web-page.ts';

/** What to check when something else than AWS has answered. */
export const whatToCheck = `Check AWS_ENDPOINT_URL and endpoint_url if they are set, and ${whatIsInBetween}.`;

/** A step of an SDK client, as far as it is used here. Commands of all services have it. */
type Middleware = <Args, Result extends { readonly response: unknown }>(
  next: (args: Args) => Promise<Result>,
  context: { readonly endpointV2?: { readonly url: URL } },
) => (args: Args) => Promise<Result>;

/** Every SDK client has this. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: Middleware,
      options: { readonly step: 'deserialize'; readonly priority: 'low'; readonly name: string },
    ): void;
  };
}

/**
 * Makes an SDK client refuse a page for a browser in place of AWS's answer, with what came and what to check. The SDK
 * would show the message of its parser, or take a page with status 200 for a success without content.
 */
export function refuseWebPages<Made extends Client>(client: Made): Made {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      const page = HttpResponse.isInstance(result.response) ? await pageOf(result.response) : undefined;
      if (page !== undefined) {
        throw new WebPageError(page, context.endpointV2?.url.host ?? 'The AWS endpoint');
      }
      return result;
    },
    // The last step before the network: the answer is not yet turned into a result or an error.
    { step: 'deserialize', priority: 'low', name: 'refuseWebPages' },
  );
  return client;
}

interface Page {
  readonly status: number;
  readonly description: string;
}

/** The SDK tries a server error again, by this status. */
class WebPageError extends CommandError {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor({ status, description }: Page, host: string) {
    super(`${host} answered ${description}, as AWS never does. ${whatToCheck}`);
    this.$metadata = { httpStatusCode: status };
  }
}

/** Every answer of AWS has a request id. An object of S3 with one may be a page itself. */
const requestIds = ['x-amzn-requestid', 'x-amz-request-id', 'x-amz-id-2'];

async function pageOf({ statusCode: status, headers, body }: HttpResponse): Promise<Page | undefined> {
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (requestIds.some((name) => all.has(name))) {
    return undefined;
  }
  const answer = { status, contentType: all.get('content-type'), location: all.get('location'), body: '' };
  if (describeWebPage(answer) === undefined) {
    return undefined;
  }
  const description = describeWebPage({ ...answer, body: await beginningOf(body) });
  return description === undefined ? undefined : { status, description };
}

const maximumPageBytes = 64 * 1024;

/** The title of a page is near its start. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maximumPageBytes) {
      break;
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}
