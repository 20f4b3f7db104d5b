import * as v from 'valibot';
import { routes } from '../../../contract/routes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { reasonOf } from '../errors.ts';
import { quoted } from '../text.ts';
import { type CheckResult, failed, ok } from './finding.ts';

/** Longer than API Gateway waits for the cold start of a function. */
const timeoutMilliseconds = 15_000;

const metadataSchema = v.pipe(v.string(), v.parseJson(), v.object({ issuer: v.string() }));

/** Checks that the API responds, and names the issuer that clients expect. */
export async function checkApi({ outputs, now }: Deployment): Promise<CheckResult> {
  const { BaseUrl: baseUrl, DomainTarget: target } = outputs;
  const url = `${baseUrl}${routes.openidConfiguration.path}`;
  const sentAt = now();
  const response = await request(url);
  if ('reason' in response) {
    const record = target === undefined ? '' : `: it must point at ${target}`;
    return failed(
      `${url} cannot be reached: ${response.reason}.`,
      `Check the network. If the base URL is your own domain, check its certificate and its DNS record${record}.`,
    );
  }
  if (response.status >= 500) {
    return failed(`${url} responded with ${response.status}.`, "Search the functions' logs for ERROR.");
  }
  const metadata = v.safeParse(metadataSchema, response.body);
  if (!metadata.success || metadata.output.issuer !== baseUrl) {
    const what = metadata.success ? `the issuer ${quoted(metadata.output.issuer)}` : 'no issuer';
    return failed(
      `${url} responded with ${response.status} and names ${what}, so another server may have responded.`,
      'Check the DNS record of the base URL, the setting baseUrl, and that no proxy is in between.',
    );
  }
  return ok(`${baseUrl} responded in ${Math.round(now() - sentAt)} ms`);
}

async function request(url: string) {
  try {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const response = await fetch(url, { redirect: 'manual', signal });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}
