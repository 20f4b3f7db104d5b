import * as v from 'valibot';
import { routes } from '../../../contract/routes.ts';
import type { StackOutputs } from '../../../lib/stack-outputs.ts';
import { reasonOf } from '../errors.ts';
import { quoted } from '../text.ts';
import { failed, type Outcome, ok } from './finding.ts';

/** Longer than API Gateway waits for a function that starts. */
const timeoutMilliseconds = 15_000;

const metadataSchema = v.object({ issuer: v.string() });

/** The outputs that say where the API is. */
type Addresses = Pick<StackOutputs, 'BaseUrl' | 'DomainTarget'>;

/** Whether the API answers, as the issuer that its clients expect. */
export async function checkApi(outputs: Addresses, now: () => number): Promise<Outcome> {
  const { BaseUrl: baseUrl } = outputs;
  const url = `${baseUrl}${routes.openidConfiguration.path}`;
  const sentAt = now();
  const answer = await request(url);
  if ('error' in answer) {
    return failed(`${url} cannot be reached: ${reasonOf(answer.error)}.`, adviceToReach(outputs));
  }
  const { status, body } = answer;
  if (status !== 200) {
    return failed(`${url} answered ${status}.`, adviceFor(status));
  }
  const metadata = v.safeParse(v.pipe(v.string(), v.parseJson(), metadataSchema), body);
  if (!metadata.success) {
    return failed(
      `${url} did not answer with issuer metadata.`,
      'Check what the base URL points at, and that no proxy is in between.',
    );
  }
  const { issuer } = metadata.output;
  if (issuer !== baseUrl) {
    return failed(
      `${url} names the issuer ${quoted(issuer)}: the base URL points at another deployment.`,
      'Check the domain of the base URL, and the setting baseUrl.',
    );
  }
  return ok(`${baseUrl} answered in ${Math.round(now() - sentAt)} ms`);
}

function adviceToReach({ BaseUrl, DomainTarget }: Addresses): string {
  return DomainTarget === undefined
    ? 'Check the network, and the DNS record and certificate if the base URL is a domain of your own.'
    : `Check the network, and that the DNS record of ${BaseUrl.replace('https://', '')} points at ${DomainTarget}.`;
}

async function request(url: string) {
  try {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const answer = await fetch(url, { redirect: 'manual', signal });
    return { status: answer.status, body: await answer.text() };
  } catch (error) {
    // fetch hides the reason: https://fetch.spec.whatwg.org/#concept-network-error
    return { error: error instanceof Error && error.cause !== undefined ? error.cause : error };
  }
}

function adviceFor(status: number): string {
  if (status === 429) {
    return 'The throttle of the route is reached: wait a second, and try again.';
  }
  return status >= 500
    ? "Search the functions' logs for ERROR."
    : 'Check the domain of the base URL, and the setting baseUrl.';
}
