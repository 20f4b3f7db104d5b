import { guideFor } from '../../operator/clients/guide/page.ts';
import { referencePage, type WholePage } from '../../operator/reference/page.ts';
import type { PageContext } from '../http/environment.ts';

/** The reference page of the API, with the base URL of this deployment. */
export async function showReference(c: PageContext) {
  return send(c, await referencePage(c.var.console.deployment.outputs.BaseUrl));
}

/** The guide for the developers of a client, as they get it: without the frame of the console. */
export async function showGuide(c: PageContext, id: string) {
  return send(c, await guideFor(c.var.console.deployment, id, c.req.query('contact')));
}

/**
 * Responds with a page that is one file, under its own Content-Security-Policy. `sandbox` gives the page an
 * origin of its own, so its scripts cannot use the session.
 */
function send(c: PageContext, { html, policy }: WholePage) {
  const permissions = 'sandbox allow-scripts allow-popups allow-downloads';
  const whole = `${policy}; frame-ancestors 'none'; ${permissions}`;
  return c.html(html, 200, { 'content-security-policy': whole });
}
